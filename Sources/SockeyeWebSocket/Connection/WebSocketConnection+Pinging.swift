import SockeyeNet
import Synchronization

extension WebSocketConnection {
    /// Sends a ping and waits for its pong.
    ///
    /// If no task receives meanwhile, this call reads, but never past the start of a message. A pong that follows a
    /// message is found only after a task has received the message.
    ///
    /// - Parameter timeout: The time to wait. Default 10 s.
    /// - Returns: The time between ping and pong.
    /// - Throws: ``WebSocketError``: `timeout`, after which the connection stays usable, and the errors of
    ///   ``send(_:)-(WebSocketConnection.Message)``.
    @discardableResult
    public func ping(timeout: Duration = .seconds(10)) async throws(WebSocketError) -> Duration {
        let start = now
        do throws(TransportError) {
            let timer = try WaitTimer(poller: poller)
            let number = try register(timer)
            defer {
                _ = status.withLock { $0.pings.removeValue(forKey: number) }
                receiving.withLock { $0.claims.leave(timer) }
            }
            guard sendPing(number) else { throw .closed }
            try await waitForPong(number, timer, until: start.advanced(by: timeout))
        } catch {
            switch error {
            case .timedOut: throw .timeout("no pong came in time")
            case .cancelled: throw .cancelled
            case .closed: throw status.withLock { $0.reason } ?? .closing
            default: throw WebSocketError(error, sending: true)
            }
        }
        try checkState()
        return now.since(start)
    }

    /// Registers a ping and returns its number.
    ///
    /// When the connection ends, the registered waiters are signalled only once. A waiter registered after that would
    /// get no signal. Therefore one critical section checks that the connection is open and registers the ping.
    func register(_ timer: WaitTimer) throws(TransportError) -> UInt64 {
        try status.withLock { status throws(TransportError) in
            guard status.reason == nil else { throw .closed }
            status.nextPing += 1
            status.pings[status.nextPing] = timer
            return status.nextPing
        }
    }

    /// Returns true while the pong of a ping is outstanding and can still arrive.
    private func isPending(_ number: UInt64) -> Bool {
        status.withLock { $0.pings[number] != nil && $0.reason == nil }
    }

    /// Waits until the pong has arrived or the connection has ended.
    private func waitForPong(
        _ number: UInt64, _ timer: WaitTimer, until deadline: MonotonicTime
    ) async throws(TransportError) {
        while isPending(number) {
            if receiving.withLock({ $0.claims.takeToPing(or: timer) }) {
                let hasUnreceivedMessage: Bool
                do throws(TransportError) {
                    hasUnreceivedMessage = try await receivePong(number, until: deadline)
                } catch {
                    endReceiving()
                    throw error
                }
                endReceiving(awaiting: hasUnreceivedMessage ? timer : nil)
                guard hasUnreceivedMessage, isPending(number) else { continue }
            }
            // The timer is signalled by the pong, by the end of the connection, and when the receiving half (the right
            // to read; see ``ReceivingClaims``) is released.
            try await timer.sleep(until: deadline).check()
        }
    }

    /// Reads until the pong has arrived, or until a receiving or closing task wants the receiving half.
    ///
    /// - Returns: True if a message that no task has received precedes the pong.
    private func receivePong(_ number: UInt64, until deadline: MonotonicTime) async throws(TransportError) -> Bool {
        while isPending(number), !receiving.withLock({ $0.claims.isWanted }) {
            let intake = readControlFrames(isPinger: true)
            if intake.hasUnreceivedMessage { return true }
            guard isPending(number) else { break }
            if let interest = intake.interest {
                try await stream.wait(for: interest.union(pendingWrite()), as: .reader, until: deadline)
            } else {
                if Task.isCancelled { throw .cancelled }
                if now >= deadline { throw .timedOut }
                await Task.yield()
            }
        }
        return false
    }
}
