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

    /// The messages of the peer, each read whole, as they come.
    ///
    /// It ends when the peer closes the connection in good order: with 1000, or without a code. One task at a time receives,
    /// by this or by ``receive()``; several iterations share the messages.
    ///
    /// Iterating throws ``WebSocketError``: `closed` when the peer closes for another reason, `limitExceeded` for a message
    /// larger than ``Limits/messageBytes``, `protocolViolation`, `connectionLost`, `timeout` of the keep-alive, and
    /// `cancelled`, which leaves the connection as it is: the next call goes on where this one stopped.
    public var messages: Messages { Messages(socket: self) }

    /// The next message, of which nothing was read yet but its kind: for messages that need not, or must not, be in memory
    /// whole. What is not read of it is thrown away by the next call. Nil when the peer closed the connection in good order.
    ///
    /// - Throws: As iterating ``messages``, without the limit for whole messages.
    public func receive() async throws(WebSocketError) -> IncomingMessage? {
        guard try await mayReceive(beginReceiving()) else { return nil }
        defer { endReceiving() }
        let limit = options.limits.streamedBytes ?? .max
        while true {
            let (message, step) = receiving.withLock { $0.begin(stream, limit: limit) }
            if let message { return IncomingMessage(kind: message.kind, reader: message.reader, socket: self) }
            guard let step, try await goesOn(after: step) else { return nil }
        }
    }

    func nextMessage() async throws(WebSocketError) -> Message? {
        let beginning = try beginReceiving()
        guard try await beginning == .mayReceive ? true : mayReceive(beginning) else { return nil }
        defer { endReceiving() }
        while true {
            let (message, step) = receiving.withLock { $0.collect(stream, limit: options.limits.messageBytes) }
            if let (kind, bytes) = message { return Message(kind, bytes) }
            guard let step, try await goesOn(after: step) else { return nil }
        }
    }

    /// The next piece of a message; nil at its end.
    func nextPiece(of reader: Int) async throws(WebSocketError) -> Bytes? {
        let beginning = try beginReceiving()
        guard try await beginning == .mayReceive ? true : mayReceive(beginning) else {
            throw status.withLock { $0.reason } ?? .closing
        }
        defer { endReceiving() }
        while true {
            guard receiving.withLock({ $0.isCurrent(reader) }) else {
                throw .invalidUse("a message was read on after the next one was received")
            }
            switch receiving.withLock({ $0.nextPiece(stream) }) {
            case .event(.piece(let piece)): return piece
            case .event(.end):
                receiving.withLock { $0.endMessage() }
                return nil
            case let step:
                guard try await goesOn(after: step) else {
                    throw status.withLock { $0.reason } ?? .lost
                }
            }
        }
    }

    // MARK: Inside

    private enum Beginning {
        case mayReceive
        /// The connection has ended in good order, or another task is about to close it.
        case ended
        /// A task that waits for a pong has the receiving half, and has to give it up first.
        case behindPing
    }

    /// Claims the receiving half.
    private func beginReceiving() throws(WebSocketError) -> Beginning {
        if let reason = status.withLock({ $0.reason }) {
            if reason.code == .closed, reason.closeStatus?.isNormal == true { return .ended }
            throw reason
        }
        switch receiving.withLock({ $0.claims.takeToReceive() }) {
        case .free: return .mayReceive
        case .closer: return .ended
        case .pinger: return .behindPing
        case .receiver: throw .invalidUse("two tasks receive at once")
        }
    }

    /// Claims the receiving half after a pinger has given it up, if that is how receiving begins.
    private func mayReceive(_ beginning: Beginning) async throws(WebSocketError) -> Bool {
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

    /// Has a pinger give the receiving half up, and claims it. False: another task was faster.
    func claimBehindPing(
        as claim: ReceivingClaims.Claim, until deadline: MonotonicTime
    ) async throws(TransportError) -> Bool {
        let waiter = try WaitTimer(poller: poller)
        guard receiving.withLock({ $0.claims.demand(waiter) }) else { return false }
        // Wakes the pinger, which waits as the reader.
        stream.waitPoint(for: .read, as: .reader).offer(.read, to: .reader)
        do throws(TransportError) {
            try await waiter.sleep(until: deadline).check()
        } catch {
            for other in receiving.withLock({ $0.claims.withdraw(waiter) }) { other.signal() }
            throw error
        }
        return receiving.withLock { $0.claims.claim(as: claim, demandedBy: waiter) }
    }

    /// Gives the receiving half up.
    ///
    /// - Parameter next: A waiter to signal when another task has received.
    func endReceiving(awaiting next: WaitTimer? = nil) {
        for waiter in receiving.withLock({ $0.claims.release(awaiting: next) }) { waiter.signal() }
    }

    /// Acts on what came instead of a message, and waits for more. False: the connection ended in good order.
    func goesOn(after step: ReceivingHalf.Step) async throws(WebSocketError) -> Bool {
        do throws(WebSocketError) {
            try handle(step)
            switch step {
            case .wait(let interest): try await waitToReceive(interest)
            case .turnEnded: try await letOthersRun()
            default: break
            }
            return true
        } catch {
            guard error.code == .closed, error.closeStatus?.isNormal == true else { throw error }
            return false
        }
    }

    /// Ends a turn: a peer that always has more to send keeps neither the task beyond its cancellation nor the thread.
    func letOthersRun() async throws(WebSocketError) {
        if Task.isCancelled { throw .cancelled }
        if let reason = status.withLock({ $0.failure }) { throw reason }
        await Task.yield()
    }

    /// Waits for input and flushes pending control frames meanwhile.
    private func waitToReceive(_ interest: Interest) async throws(WebSocketError) {
        if let reason = status.withLock({ $0.failure }) { throw reason }
        if options.keepAlive != nil { receiving.withLock { [now] in $0.noteLastByte(at: now) } }
        do throws(TransportError) {
            try await stream.wait(for: interest.union(pendingWrite()), as: .reader, until: .distantFuture)
        } catch {
            if error == .cancelled { throw .cancelled }
            throw fail(WebSocketError(error, sending: false))
        }
    }

    /// The input so far.
    struct Intake {
        var received: UInt64
        var lastByte: MonotonicTime?
        /// Whether a message waits for a receiver.
        var isHeldUp: Bool
        /// The readiness to wait for, if all that has come was read.
        var interest: Interest?
    }

    /// Reads what has come while no task receives: pings, pongs, and the end.
    ///
    /// - Parameter isPinger: Whether the caller has the receiving half as a pinger.
    @discardableResult
    func pump(isPinger: Bool = false) -> Intake {
        let (steps, intake) = receiving.withLock { [now] half in
            let mayRead = isPinger || half.claims.holder == .free
            let (steps, interest) = mayRead ? half.pump(stream) : ([], nil)
            if mayRead { half.noteLastByte(at: now) }
            // Under the lock: a receiver that finds the end behind Close has to find Close as well.
            for case .event(.close(let close)) in steps {
                status.withLock { status in
                    if status.received == nil { status.received = close }
                }
            }
            let intake = Intake(
                received: half.received, lastByte: half.lastByte, isHeldUp: mayRead && half.isHeldUp,
                interest: interest)
            return (steps, intake)
        }
        for step in steps {
            // An error that ends the connection is noted, and thrown by the next call.
            do throws(WebSocketError) { try handle(step) } catch { break }
        }
        return intake
    }
}

extension WebSocketConnection.Message {
    init(_ kind: WebSocketConnection.Kind, _ bytes: Bytes) {
        switch kind {
        case .binary: self = .binary(bytes.compacted(upTo: 4096))
        // The machine has found it to be UTF-8.
        case .text: self = .text(unsafe String(copying: UTF8Span(unchecked: bytes.span)))
        }
    }
}
