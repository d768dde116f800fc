package import SockeyeCore

/// Makes a TCP or unix-domain connection to one of several addresses of a host.
package enum Connector {
    /// Connects to the first of `addresses` that answers; sockets of the others are closed when this returns.
    ///
    /// A single address is connected to on the caller's own task. Cancellation and the deadline close everything.
    ///
    /// - Parameters:
    ///   - policy: Asked about every address before a socket is made for it.
    ///   - attemptDelay: How long an attempt runs before the next address joins it.
    package static func connect(
        to addresses: [SocketAddress], options: SocketOptions = SocketOptions(), policy: AddressPolicy = .any,
        attemptDelay: Duration = HappyEyeballsMachine.defaultAttemptDelay, poller: any Poller,
        until deadline: MonotonicTime
    ) async throws(ConnectError) -> SocketStream {
        if addresses.count == 1, refusal(of: addresses[0], options, policy) == nil {
            return try await connect(to: addresses[0], options, poller, deadline, refused: [])
        }
        var refused: [ConnectError.Attempt] = []
        var candidates: [SocketAddress] = []
        for address in addresses {
            if let refusal = refusal(of: address, options, policy) {
                refused.append(refusal)
            } else {
                candidates.append(address)
            }
        }
        switch candidates.count {
        case 0:
            throw ConnectError(reason: refused.isEmpty ? .noAddresses : .allFailed, attempts: refused)
        case 1:
            return try await connect(to: candidates[0], options, poller, deadline, refused: refused)
        default:
            var race = ConnectRace(
                machine: HappyEyeballsMachine(attemptDelay: attemptDelay), refused: refused, options: options,
                poller: poller, deadline: deadline)
            return try await race.run(candidates)
        }
    }

    private static func connect(
        to address: SocketAddress, _ options: SocketOptions, _ poller: any Poller, _ deadline: MonotonicTime,
        refused: [ConnectError.Attempt]
    ) async throws(ConnectError) -> SocketStream {
        do throws(TransportError) {
            return try await SocketStream.connect(to: address, options: options, poller: poller, until: deadline)
        } catch {
            let reason: ConnectError.Reason =
                switch error {
                case .timedOut: .timedOut
                case .cancelled: .cancelled
                default: .allFailed
                }
            let attempt = ConnectError.Attempt(address: address, failure: .transport(error))
            throw ConnectError(reason: reason, attempts: refused + [attempt])
        }
    }

    private static func refusal(
        of address: SocketAddress, _ options: SocketOptions, _ policy: AddressPolicy
    ) -> ConnectError.Attempt? {
        if !policy.allows(address) { return ConnectError.Attempt(address: address, failure: .denied) }
        // Connecting from another address than the one that was asked for could reach past a firewall's rules.
        if let local = options.localAddress, address.family != .unix, local.family != address.family {
            return ConnectError.Attempt(address: address, failure: .otherFamily)
        }
        return nil
    }
}
