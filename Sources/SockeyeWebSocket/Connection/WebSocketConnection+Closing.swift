import SockeyeCore
import SockeyeNet
import Synchronization

extension WebSocketConnection {
    /// Closes the connection normally (RFC 6455 7.1.2).
    ///
    /// Sends Close after the frame that is being sent, and waits for the peer's Close. Messages that arrive before the
    /// peer's Close are discarded, up to ``Limits/discardedBytes``, unless another task receives them. If the call is
    /// cancelled while it discards a message, the next receiver skips the rest of that message.
    ///
    /// You need not call this method at the end of the closure that uses the connection: when the closure returns, the
    /// connection is closed with 1000.
    ///
    /// - Parameters:
    ///   - code: A code that may be sent; see ``WebSocketProtocol/CloseCode/isSendable``.
    ///   - reason: At most 123 bytes of UTF-8, for the peer's logs.
    /// - Throws: ``WebSocketError``: `invalidUse` for a code that must not be sent or a reason that is too long;
    ///   `timeout` after ``Options/closeTimeout``, `limitExceeded` past ``Limits/discardedBytes``, `connectionLost` if
    ///   the peer ends the connection without Close, `protocolViolation`, and `cancelled`. If the connection has
    ///   already failed, the call throws that failure. After `invalidUse` the connection stays open; after other errors
    ///   nothing more can be sent.
    public func close(_ code: CloseCode = .normal, reason: String = "") async throws(WebSocketError) {
        let close = CloseStatus(code, reason: reason)
        guard close.payload != nil else {
            throw .invalidUse("the close code must not be sent, or the reason is longer than 123 bytes")
        }
        try await performClosingHandshake(close, until: now.advanced(by: options.closeTimeout))
    }

    private func performClosingHandshake(_ close: CloseStatus, until deadline: MonotonicTime)
        async throws(WebSocketError)
    {
        if let failure = status.withLock({ $0.failure }) { throw failure }
        sendClose(close)
        while true {
            let (isDone, failure) = status.withLock { ($0.received != nil, $0.failure) }
            if isDone { return }
            if let failure { throw failure }
            guard try await claimReceiving(until: deadline) else { continue }
            defer { endReceiving() }
            try await receiveClose(until: deadline)
        }
    }

    /// Claims the receiving half. Returns false if another task held the half and has released it meanwhile; then the
    /// caller must try again.
    private func claimReceiving(until deadline: MonotonicTime) async throws(WebSocketError) -> Bool {
        do throws(TransportError) {
            return try await takeReceiving(until: deadline)
        } catch {
            if error == .timedOut { throw closeTimedOut() }
            throw error == .cancelled ? .cancelled : fail(WebSocketError(error, sending: false))
        }
    }

    /// Claims the receiving half as ``claimReceiving(until:)`` does, but an error does not fail the connection.
    private func takeReceiving(until deadline: MonotonicTime) async throws(TransportError) -> Bool {
        if try await claimBehindPing(as: .closer, until: deadline) { return true }
        let timer = try WaitTimer(poller: poller)
        if receiving.withLock({ $0.claims.takeToClose(or: timer) }) { return true }
        defer { receiving.withLock { $0.claims.leave(timer) } }
        try await timer.sleep(until: deadline).check()
        return false
    }

    /// Reads and discards up to the peer's Close, and writes pending output meanwhile.
    private func receiveClose(until deadline: MonotonicTime) async throws(WebSocketError) {
        // The limit applies to bytes parsed from here on. These include bytes that an earlier task, such as one that
        // waited for a pong, has received but not parsed.
        let (start, limit) = (receiving.withLock { $0.parsed }, options.limits.discardedBytes)
        // The decompressed bytes count too, because a few parsed bytes may decompress to many.
        var discarded = 0
        while status.withLock({ $0.received == nil }) {
            let (step, parsed) = receiving.withLock { ($0.discardNext(stream), $0.parsed) }
            switch step {
            case .event(.message), .event(.piece), .event(.end), .turnEnded:
                if case .event(.piece(let piece)) = step { discarded = discarded.addingSaturated(piece.count) }
                guard parsed - start <= limit, discarded <= limit else {
                    throw fail(WebSocketError(.discardTooLarge(limit: limit)))
                }
                guard now < deadline else { throw closeTimedOut() }
                if case .turnEnded = step { try await yieldTurn() }
                if Task.isCancelled { throw .cancelled }
            case .wait(let interest):
                do throws(TransportError) {
                    try await stream.wait(for: interest.union(pendingWrite()), as: .reader, until: deadline)
                } catch {
                    if error == .timedOut { throw closeTimedOut() }
                    throw error == .cancelled ? .cancelled : fail(WebSocketError(error, sending: false))
                }
            case let step:
                do throws(WebSocketError) {
                    try handle(step)
                } catch {
                    if error.code == .closed { return }
                    throw error
                }
            }
        }
    }

    private func closeTimedOut() -> WebSocketError {
        fail(.timeout("the peer did not answer Close in time"))
    }

    // MARK: The end

    /// Closes the connection for good, after the closure that uses it has ended.
    ///
    /// If the task is cancelled, this method does not wait for the peer.
    ///
    /// - Parameter code: The code to send, unless Close was sent before.
    func end(_ code: CloseCode) async {
        defer {
            abort(.closing)
            leavePool()
        }
        let deadline = now.advanced(by: options.closeTimeout)
        if Task.isCancelled {
            sendClose(CloseStatus(code))
            return
        }
        do throws(WebSocketError) {
            try await performClosingHandshake(CloseStatus(code), until: deadline)
        } catch {
            // A peer that broke the protocol or a limit gets time to read the Close frame. After other failures the
            // connection is unusable.
            guard error.code == .protocolViolation || error.code == .limitExceeded else { return }
        }
        await linger(until: min(deadline, now.advanced(by: .seconds(1))))
    }

    /// Waits for the end of the peer's direction, since closing earlier could cause a reset that destroys sent data.
    ///
    /// A server shuts down its own direction before it waits, because the server should close the TCP connection first
    /// (RFC 6455 7.1.1). A client that has received Close just waits for the server. A client that has not received
    /// Close shuts down its own direction before it waits (as in RFC 9112 9.6).
    private func linger(until deadline: MonotonicTime) async {
        if role == .server || status.withLock({ $0.received == nil }) { _ = stream.closeWrite() }
        // Wait for the receiving half: a task that outlives the closure may still hold it, and a stream allows only one
        // reader.
        do throws(TransportError) {
            while try await !takeReceiving(until: deadline) {}
        } catch { return }
        defer { endReceiving() }
        await drain(until: deadline)
    }

    /// Discards input up to the end of the peer's direction. The caller holds the receiving half.
    private func drain(until deadline: MonotonicTime) async {
        var turn = TurnBudget()
        var rest = options.limits.discardedBytes
        while now < deadline, !Task.isCancelled {
            switch receiving.withLock({ $0.drain(stream) }) {
            case .bytes(let count):
                rest = rest.subtractingSaturated(count)
                guard rest >= 0 else { return }
                if turn.spend(count) { await Task.yield() }
            case .end, .failed: return
            case .wouldBlock(let interest):
                do throws(TransportError) {
                    try await stream.wait(for: interest.union(pendingWrite()), as: .reader, until: deadline)
                } catch { return }
            }
        }
    }
}
