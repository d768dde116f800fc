public import SockeyeCore
import SockeyeNet
import Synchronization

extension WebSocketConnection {
    /// A whole message.
    public enum Message: Sendable, Hashable {
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
        guard try beginReceiving() else { return nil }
        defer { endReceiving() }
        let limit = options.limits.streamedBytes ?? .max
        while true {
            let (message, step) = receiving.withLock { $0.begin(stream, limit: limit) }
            if let message { return IncomingMessage(kind: message.kind, reader: message.reader, socket: self) }
            guard let step, try await goesOn(after: step) else { return nil }
        }
    }

    func nextMessage() async throws(WebSocketError) -> Message? {
        guard try beginReceiving() else { return nil }
        defer { endReceiving() }
        while true {
            let (message, step) = receiving.withLock { $0.collect(stream, limit: options.limits.messageBytes) }
            if let (kind, bytes) = message { return Message(kind, bytes) }
            guard let step, try await goesOn(after: step) else { return nil }
        }
    }

    /// The next piece of a message; nil at its end.
    func nextPiece(of reader: Int) async throws(WebSocketError) -> Bytes? {
        guard try beginReceiving() else { throw status.withLock { $0.reason } ?? .closing }
        defer { endReceiving() }
        while true {
            guard receiving.withLock({ $0.isCurrent(reader) }) else {
                throw .invalidUse("a message was read on after the next one was received")
            }
            switch receiving.withLock({ $0.step(stream) }) {
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

    /// False: the connection has ended in good order, or another task is about to close it.
    private func beginReceiving() throws(WebSocketError) -> Bool {
        if let reason = status.withLock({ $0.reason }) {
            if reason.code == .closed, reason.closeStatus?.isNormal == true { return false }
            throw reason
        }
        switch receiving.withLock({ $0.take(as: .receiver) }) {
        case .free: return true
        case .closer: return false
        case .receiver: throw .invalidUse("two tasks receive at once")
        }
    }

    func endReceiving() {
        for waiter in receiving.withLock({ $0.release() }) { waiter.signal() }
    }

    /// Acts on what came instead of a message, and waits for more. False: the connection ended in good order.
    func goesOn(after step: ReceivingHalf.Step) async throws(WebSocketError) -> Bool {
        do throws(WebSocketError) {
            try handle(step)
            if case .wait(let interest) = step {
                try await waitToReceive(interest)
            } else if Task.isCancelled {
                // A peer that always has a ping ready cannot keep the task.
                throw .cancelled
            }
            return true
        } catch {
            guard error.code == .closed, error.closeStatus?.isNormal == true else { throw error }
            return false
        }
    }

    /// Waits for bytes, and meanwhile for the socket to take what nobody else sees to, such as a pong.
    private func waitToReceive(_ interest: Interest) async throws(WebSocketError) {
        if let reason = status.withLock({ $0.failure }) { throw reason }
        do throws(TransportError) {
            try await stream.wait(for: interest.union(pendingWrite()), as: .reader, until: .distantFuture)
        } catch {
            if error == .cancelled { throw .cancelled }
            throw fail(WebSocketError(error, sending: false))
        }
    }

    /// Takes in what has come while nobody receives: pings, and the end.
    ///
    /// - Returns: How many bytes have come in all, and whether some lie here that nobody asks for.
    @discardableResult
    func pump() -> (received: UInt64, isHeldUp: Bool) {
        let (steps, received, isHeldUp) = receiving.withLock { half in
            let steps = half.isClaimed ? [] : half.pump(stream)
            // Under the lock: whoever receives from here on finds the end behind Close, and has to find Close as well.
            for case .event(.close(let close)) in steps {
                status.withLock { status in
                    if status.received == nil { status.received = close }
                }
            }
            return (steps, half.received, !half.isClaimed && half.isHeldUp)
        }
        for step in steps {
            // What ends the connection is noted, and found by whoever uses it next.
            do throws(WebSocketError) { try handle(step) } catch { break }
        }
        return (received, isHeldUp)
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
