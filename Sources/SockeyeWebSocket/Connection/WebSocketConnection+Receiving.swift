public import SockeyeCore
import SockeyeNet
import Synchronization

extension WebSocketConnection {
    /// A whole message.
    @nonexhaustive public enum Message: Sendable, Hashable {
        /// Text.
        case text(String)
        /// Any bytes.
        case binary(Bytes)
    }

    /// The messages of the peer as they arrive, each in memory as a whole.
    ///
    /// The sequence ends when the peer closes the connection normally: with 1000 or without a code. It also ends if the
    /// next message is requested while another task waits in ``close(_:reason:)`` for the peer's Close. One task at a
    /// time may receive, by this sequence or by ``receive()``. If there are several iterations, each message goes to
    /// one of them.
    ///
    /// Iterating throws a ``WebSocketError`` with one of these codes:
    /// - `closed`: the peer closed the connection with another code.
    /// - `limitExceeded`: one of ``Limits`` was exceeded, such as ``Limits/messageBytes``.
    /// - `protocolViolation`: the peer violated the protocol.
    /// - `connectionLost`: the connection broke, or ended without a Close frame.
    /// - `timeout`: the keep-alive, a send or the closing handshake timed out.
    /// - `invalidUse`: another task is already receiving.
    /// - `cancelled`: the task was cancelled. The connection stays usable: the next call continues where this one
    ///   stopped.
    public var messages: Messages { Messages(socket: self) }

    /// Receives the start of the next message, to read its content piece by piece.
    ///
    /// Use it for messages that are too large to be in memory as a whole. Receiving the next message, by this method or
    /// by ``messages``, discards the unread rest of the current message. Returns nil in the cases in which ``messages``
    /// ends.
    ///
    /// - Throws: The errors of iterating ``messages``, with the limit ``Limits/streamedBytes`` instead of
    ///   ``Limits/messageBytes``.
    public func receive() async throws(WebSocketError) -> IncomingMessage? {
        guard try await awaitReceiving(beginReceiving()) else { return nil }
        defer { endReceiving() }
        let limit = options.limits.streamedBytes ?? .max
        while true {
            let (message, step) = receiving.withLock { $0.begin(stream, limit: limit) }
            if let message { return IncomingMessage(kind: message.kind, reader: message.reader, socket: self) }
            guard let step, try await continues(after: step) else { return nil }
        }
    }

    func nextMessage() async throws(WebSocketError) -> Message? {
        let beginning = try beginReceiving()
        guard try await beginning == .mayReceive ? true : awaitReceiving(beginning) else { return nil }
        defer { endReceiving() }
        while true {
            let (message, step) = receiving.withLock { $0.collect(stream, limit: options.limits.messageBytes) }
            if let (kind, bytes) = message { return Message(kind, bytes) }
            guard let step, try await continues(after: step) else { return nil }
        }
    }

    /// The next piece of a message; nil at its end.
    func nextPiece(of reader: Int) async throws(WebSocketError) -> Bytes? {
        let beginning = try beginReceiving()
        guard try await beginning == .mayReceive ? true : awaitReceiving(beginning) else {
            throw status.withLock { $0.reason } ?? .closing
        }
        defer { endReceiving() }
        while true {
            guard receiving.withLock({ $0.isCurrent(reader) }) else {
                throw .invalidUse("a message was read after its rest had been discarded")
            }
            switch receiving.withLock({ $0.nextPiece(stream) }) {
            case .event(.piece(let piece)): return piece
            case .event(.end):
                receiving.withLock { $0.endMessage() }
                return nil
            case let step:
                guard try await continues(after: step) else {
                    throw status.withLock { $0.reason } ?? .lost
                }
            }
        }
    }

    // MARK: Implementation

    private enum ReceiveStart {
        case mayReceive
        /// The connection has ended normally, or another task is closing it.
        case ended
        /// A pinger (a task that waits for a pong) holds the receiving half and has to release it first.
        case behindPing
    }

    /// Claims the receiving half.
    private func beginReceiving() throws(WebSocketError) -> ReceiveStart {
        if let reason = status.withLock({ $0.reason }) {
            if reason.code == .closed, reason.closeStatus?.isNormal == true { return .ended }
            throw reason
        }
        switch receiving.withLock({ $0.claims.takeToReceive() }) {
        case .free: return .mayReceive
        case .closer: return .ended
        case .pinger: return .behindPing
        case .receiver: throw .invalidUse("another task is already receiving")
        }
    }

    /// Completes the claim of ``beginReceiving()``: if a pinger holds the receiving half, waits until the pinger has
    /// released it. Returns false if the connection has ended normally, or if another task is closing it.
    private func awaitReceiving(_ beginning: ReceiveStart) async throws(WebSocketError) -> Bool {
        var beginning = beginning
        while beginning == .behindPing {
            do throws(TransportError) {
                if try await claimBehindPing(as: .receiver, until: .distantFuture) { return true }
            } catch {
                throw error == .cancelled ? .cancelled : WebSocketError(error, sending: false)
            }
            beginning = try beginReceiving()
        }
        return beginning == .mayReceive
    }

    /// Makes a pinger release the receiving half, and claims it. Returns false if another task claimed it first, or
    /// if no pinger holds it.
    func claimBehindPing(
        as claim: ReceivingClaims.Claim, until deadline: MonotonicTime
    ) async throws(TransportError) -> Bool {
        let waiter = try WaitTimer(poller: poller)
        guard receiving.withLock({ $0.claims.demand(waiter) }) else { return false }
        // Wakes the pinger, which may be waiting for input as the stream's reader.
        wakeReader()
        do throws(TransportError) {
            try await waiter.sleep(until: deadline).check()
        } catch {
            for other in receiving.withLock({ $0.claims.withdraw(waiter) }) { other.signal() }
            throw error
        }
        return receiving.withLock { $0.claims.claim(as: claim, demandedBy: waiter) }
    }

    /// Releases the receiving half.
    ///
    /// - Parameter next: The timer on which the caller will wait until another task has used the half. This release
    ///   does not signal the timer; the next release does.
    func endReceiving(awaiting next: WaitTimer? = nil) {
        for waiter in receiving.withLock({ $0.claims.release(awaiting: next) }) { waiter.signal() }
    }

    /// Acts on a step other than a message: handles a control frame, waits for input, or lets other tasks run. Returns
    /// false if the connection ended normally.
    func continues(after step: ReceivingHalf.Step) async throws(WebSocketError) -> Bool {
        do throws(WebSocketError) {
            try handle(step)
            switch step {
            case .wait(let interest): try await waitToReceive(interest)
            case .turnEnded: try await yieldTurn()
            default: break
            }
            return true
        } catch {
            guard error.code == .closed, error.closeStatus?.isNormal == true else { throw error }
            return false
        }
    }

    /// Checks for cancellation and a failure, and lets other tasks run. Without these steps, a peer that sends without
    /// pause would keep a cancelled task running, and would occupy the thread.
    func yieldTurn() async throws(WebSocketError) {
        if Task.isCancelled { throw .cancelled }
        if let reason = status.withLock({ $0.failure }) { throw reason }
        await Task.yield()
    }

    /// Waits for input and flushes pending control frames meanwhile.
    private func waitToReceive(_ interest: Interest) async throws(WebSocketError) {
        // Another task may have read Close before this task claimed the half.
        try checkState()
        if options.keepAlive != nil { receiving.withLock { [now] in $0.noteLastByte(at: now) } }
        do throws(TransportError) {
            try await stream.wait(for: interest.union(pendingWrite()), as: .reader, until: .distantFuture)
        } catch {
            if error == .cancelled { throw .cancelled }
            throw fail(WebSocketError(error, sending: false))
        }
    }

    /// The state of the input after a read.
    struct Intake {
        /// The number of bytes received so far.
        var received: UInt64
        /// The time at which the last bytes were read; nil before the first byte.
        var lastByte: MonotonicTime?
        /// True if a message waits for a receiver. False while another task holds the receiving half.
        var hasUnreceivedMessage: Bool
        /// The readiness to wait for, if all available bytes were read; otherwise nil.
        var interest: Interest?
    }

    /// Reads and handles the available control frames and the end of the stream, up to the next message. Reads nothing
    /// while another task holds the receiving half.
    ///
    /// - Parameter isPinger: True if the caller holds the receiving half as a pinger.
    @discardableResult
    func readControlFrames(isPinger: Bool = false) -> Intake {
        let (steps, intake) = receiving.withLock { [now] half in
            let mayRead = isPinger || half.claims.holder == .free
            let (steps, interest) = mayRead ? half.readControlFrames(stream) : ([], nil)
            if mayRead { half.noteLastByte(at: now) }
            // Stores the peer's Close before the lock is released. Otherwise, another task could reach the end of the
            // stream before Close is stored, and would report a lost connection.
            for case .event(.close(let close)) in steps {
                status.withLock { status in
                    if status.received == nil { status.received = close }
                }
            }
            let intake = Intake(
                received: half.received, lastByte: half.lastByte,
                hasUnreceivedMessage: mayRead && half.hasUnreceivedMessage,
                interest: interest)
            return (steps, intake)
        }
        handle(steps, isPinger: isPinger)
        return intake
    }

    /// Handles the steps of ``readControlFrames(isPinger:)``: control frames, the end of the stream, or a failure.
    func handle(_ steps: [ReceivingHalf.Step], isPinger: Bool) {
        for step in steps {
            // A thrown error has ended the connection. It is stored, and later calls on the connection throw it.
            do throws(WebSocketError) { try handle(step) } catch { break }
        }
        // A pinger that claimed the receiving half after this read may wait for a pong that this read has consumed.
        // Waking it makes it check again.
        guard !isPinger, !steps.isEmpty, receiving.withLock({ $0.claims.holder == .pinger }) else { return }
        wakeReader()
    }
}

extension WebSocketConnection.Message {
    init(_ kind: WebSocketConnection.Kind, _ bytes: Bytes) {
        switch kind {
        case .binary: self = .binary(bytes.compacted(upTo: 4096))
        // ``InboundMachine`` has checked that the bytes of a text message are valid UTF-8.
        case .text: self = .text(unsafe String(copying: UTF8Span(unchecked: bytes.span)))
        }
    }
}
