package import SockeyeCore

/// Connects TCP and unix-domain sockets to one of several addresses of a host.
package enum Connector {
    /// The maximum number of addresses that are tried. A DNS answer over TCP has room for 4,000.
    package static let maximumAddresses = 128

    /// Connects to the first of `addresses` that answers. All other sockets are closed when this returns.
    ///
    /// Cancellation and the deadline close all sockets. Addresses after the first ``maximumAddresses`` are ignored.
    ///
    /// - Parameters:
    ///   - policy: The check of each address before a socket is opened for it.
    ///   - attemptDelay: The time from the start of an attempt to the start of a parallel attempt with the next
    ///     address.
    package static func connect(
        to addresses: [EndpointAddress], options: SocketOptions = SocketOptions(),
        policy: EndpointAddress.Policy = .any,
        attemptDelay: Duration = HappyEyeballsMachine.defaultAttemptDelay, poller: any Poller,
        until deadline: MonotonicTime
    ) async throws(ConnectError) -> SocketStream {
        if addresses.count == 1, refusal(of: addresses[0], options, policy) == nil {
            return try await connect(to: addresses[0], options, poller, deadline, refused: [])
        }
        var refused: [ConnectError.Attempt] = []
        var candidates: [EndpointAddress] = []
        for address in addresses.prefix(maximumAddresses) {
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
            // With TCP Fast Open `connect` succeeds before the peer has answered, so that the first address would
            // always win.
            var options = options
            options.fastOpen = false
            var race = ConnectRace(
                machine: HappyEyeballsMachine(attemptDelay: attemptDelay), refused: refused, options: options,
                poller: poller, deadline: deadline)
            return try await race.run(candidates)
        }
    }

    private static func connect(
        to address: EndpointAddress, _ options: SocketOptions, _ poller: any Poller, _ deadline: MonotonicTime,
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
        of address: EndpointAddress, _ options: SocketOptions, _ policy: EndpointAddress.Policy
    ) -> ConnectError.Attempt? {
        if !policy.allows(address) { return ConnectError.Attempt(address: address, failure: .denied) }
        // Refuses addresses of families without a configured local address: a connection from a local address that the
        // kernel chooses could bypass a firewall's rules.
        if !options.localAddresses.isEmpty, address.family != .unix, options.localAddress(for: address) == nil {
            return ConnectError.Attempt(address: address, failure: .otherFamily)
        }
        return nil
    }
}

/// Drives a ``HappyEyeballsMachine`` with sockets: one child task for each attempt and for each timer.
///
/// A task group cannot cancel a single child task. So each attempt that the machine may give up runs in an additional,
/// unstructured task, which can be cancelled.
struct ConnectRace {
    private enum Event: Sendable {
        case connected(HappyEyeballsMachine.Attempt, SocketStream)
        case failed(HappyEyeballsMachine.Attempt, TransportError)
        case timePassed
    }

    var machine: HappyEyeballsMachine
    let refused: [ConnectError.Attempt]
    let options: SocketOptions
    let poller: any Poller
    let deadline: MonotonicTime
    private var failures: [ConnectError.Attempt] = []
    private var winner: SocketStream?
    /// The tasks of the attempts by their ids; empty if there are so few addresses that no attempt is given up.
    private var attempts: [Int: Task<Event, Never>] = [:]
    private var mayGiveUp = false

    init(
        machine: HappyEyeballsMachine, refused: [ConnectError.Attempt], options: SocketOptions, poller: any Poller,
        deadline: MonotonicTime
    ) {
        self.machine = machine
        self.refused = refused
        self.options = options
        self.poller = poller
        self.deadline = deadline
    }

    mutating func run(_ addresses: [EndpointAddress]) async throws(ConnectError) -> SocketStream {
        mayGiveUp = addresses.count > HappyEyeballsMachine.mostAttempts
        await withTaskGroup(of: Event.self) { group in
            var step = machine.begin(with: addresses, at: poller.time.now)
            act(on: step, in: &group)
            while step.verdict == .undecided, poller.time.now < deadline, let event = await group.next() {
                // After cancellation all attempts fail; the next address must not be tried then.
                if Task.isCancelled {
                    dispose(event)
                    break
                }
                step = take(event)
                act(on: step, in: &group)
            }
            group.cancelAll()
            for await event in group { dispose(event) }
        }
        if let winner { return winner }
        let reason: ConnectError.Reason =
            Task.isCancelled ? .cancelled : poller.time.now >= deadline ? .timedOut : .allFailed
        throw ConnectError(reason: reason, attempts: refused + failures)
    }

    private mutating func act(on step: HappyEyeballsMachine.Step, in group: inout TaskGroup<Event>) {
        let poller = poller
        if let id = step.giveUp { attempts[id]?.cancel() }
        if let attempt = step.start {
            let (options, deadline) = (options, deadline)
            if mayGiveUp {
                let task = Task { await Self.connect(attempt, options, poller, deadline) }
                attempts[attempt.id] = task
                group.addTask {
                    await withTaskCancellationHandler {
                        await task.value
                    } onCancel: {
                        task.cancel()
                    }
                }
            } else {
                group.addTask { await Self.connect(attempt, options, poller, deadline) }
            }
        }
        // Timers of earlier steps are not cancelled: their events change nothing.
        if let time = step.wakeAt, time < deadline {
            group.addTask {
                _ = try? await poller.sleep(until: time)
                return .timePassed
            }
        }
    }

    private static func connect(
        _ attempt: HappyEyeballsMachine.Attempt, _ options: SocketOptions, _ poller: any Poller,
        _ deadline: MonotonicTime
    ) async -> Event {
        do throws(TransportError) {
            let stream = try await SocketStream.connect(
                to: attempt.address, options: options, poller: poller, until: deadline)
            return .connected(attempt, stream)
        } catch {
            return .failed(attempt, error)
        }
    }

    private mutating func take(_ event: Event) -> HappyEyeballsMachine.Step {
        let now = poller.time.now
        switch event {
        case .connected(let attempt, let stream):
            winner = stream
            return machine.attemptSucceeded(attempt.id)
        case .failed(let attempt, let error):
            record(error, of: attempt)
            return machine.attemptFailed(attempt.id, at: now)
        case .timePassed:
            return machine.timePassed(at: now)
        }
    }

    /// Handles an event after the race: closes the socket, or records the failure.
    private mutating func dispose(_ event: Event) {
        switch event {
        case .connected(_, let stream): stream.close()
        case .failed(let attempt, let error): record(error, of: attempt)
        case .timePassed: break
        }
    }

    /// Records the failure of an attempt. If the race itself cancelled the attempt because it took too long, records a
    /// time-out. After a success, the records are not used.
    private mutating func record(_ error: TransportError, of attempt: HappyEyeballsMachine.Attempt) {
        let cause = error == .cancelled && !Task.isCancelled ? TransportError.timedOut : error
        failures.append(ConnectError.Attempt(address: attempt.address, failure: .transport(cause)))
    }
}
