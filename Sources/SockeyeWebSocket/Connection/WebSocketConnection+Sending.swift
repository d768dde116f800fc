public import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

extension WebSocketConnection {
    /// Sends a message, and returns when the system has accepted all of it.
    ///
    /// Messages of several tasks are sent one after the other. Each waits for its turn up to
    /// ``/Sockeye/Timeouts/stall`` (60 s by default).
    ///
    /// If the task is cancelled while it waits for its turn or for earlier output, nothing of the message is sent. If
    /// it is cancelled after the message has begun, the call throws, and the rest is sent later: by a task that
    /// receives, by the next message or by the keep-alive. The rest is lost if the connection ends before that, for
    /// example because the cancellation also ends the closure that was passed to `webSocket`.
    ///
    /// - Throws: ``WebSocketError``: `closed`, `connectionLost`, `cancelled` or `timeout`. The code is `closed` also if
    ///   either side closes before the last frame of the message. It is `timeout` if the message waits too long for its
    ///   turn, or if the peer accepts no data for too long. In the second case, the connection also fails. If the
    ///   connection has already failed, the call throws that failure.
    public func send(_ message: Message) async throws(WebSocketError) {
        switch message {
        case .text(let text): try await send(.text, Bytes(text))
        case .binary(let bytes): try await send(.binary, bytes)
        }
    }

    /// Sends a text message.
    public func send(_ text: String) async throws(WebSocketError) {
        try await send(.text, Bytes(text))
    }

    /// Sends a binary message.
    public func send(_ bytes: some Sequence<UInt8>) async throws(WebSocketError) {
        try await send(.binary, bytes as? Bytes ?? Bytes(bytes))
    }

    /// Sends one binary message from a sequence of pieces. Each piece is sent as soon as it arrives, as one or more
    /// fragments (RFC 6455 5.4).
    ///
    /// The pieces are not collected in memory. Other messages wait meanwhile.
    ///
    /// - Throws: The errors of ``send(_:)-(WebSocketConnection.Message)`` and of `pieces`. A message cannot be
    ///   withdrawn once its first frame is encoded: after an error or cancellation the connection then fails, and the
    ///   peer gets close code 1011.
    public func send<Pieces: AsyncSequence>(binary pieces: Pieces) async throws where Pieces.Element == Bytes {
        try await send(.binary, pieces) { $0 }
    }

    /// Sends one text message from a sequence of pieces; see ``send(binary:)``.
    public func send<Pieces: AsyncSequence>(text pieces: Pieces) async throws where Pieces.Element: StringProtocol {
        try await send(.text, pieces) { Bytes($0) }
    }

    /// Sends a ping. If this side's Close frame has already been encoded, sends nothing and returns false.
    func sendPing(_ number: UInt64) -> Bool {
        guard sending.withLock({ $0.machine.ping(PingPayload.bytes(number)) }) else { return false }
        writePending()
        return true
    }

    /// Sends a keep-alive ping, unless another ping already waits to be sent. The ping has the number 0, which no call
    /// of ``ping(timeout:)`` uses.
    func sendPing() {
        if !sending.withLock({ $0.machine.hasWaitingPing }) { _ = sendPing(0) }
    }

    package var waitingSenders: Int { sending.withLock { $0.waiters.count } }
    package var isSending: Bool { sending.withLock { $0.isTaken } }

    // MARK: Implementation

    private func send(_ kind: Kind, _ bytes: Bytes) async throws(WebSocketError) {
        let compresses = isCompressed && bytes.count >= (options.compression?.minimumSize ?? 0)
        let step = sending.withLock { $0.send(kind, bytes, compressing: compresses, to: stream) }
        switch step {
        case .done: break
        case .busy:
            try await takeTurn()
            defer { releaseTurn() }
            try await flush()
            try await flush(after: sending.withLock { $0.begin(kind, bytes, compressing: compresses, to: stream) })
        case let step:
            defer { if case .wait = step { releaseTurn() } }
            try await flush(after: step)
        }
        answerPings()
    }

    /// Answers pings that have arrived, even if no task receives on this connection.
    private func answerPings() {
        if stream.waitPoint(for: .read, as: .reader).hasPendingRead { readControlFrames() }
    }

    private func send<Pieces: AsyncSequence>(
        _ kind: Kind, _ pieces: Pieces, _ bytes: (Pieces.Element) -> Bytes
    ) async throws {
        try await takeTurn()
        defer { releaseTurn() }
        try await flush()
        try await flush(after: sending.withLock { $0.begin(kind, nil, compressing: isCompressed, to: stream) })
        do {
            for try await piece in pieces {
                let fragment = bytes(piece)
                try await flush(after: sending.withLock { $0.append(fragment, isLast: false, to: stream) })
                answerPings()
            }
            try Task.checkCancellation()
            try await flush(after: sending.withLock { $0.append(Bytes(), isLast: true, to: stream) })
        } catch {
            let isUnfinished = sending.withLock { sending in
                sending.machine.withdraw()
                return sending.machine.isAmidMessage && !sending.machine.isClosing
            }
            if isUnfinished {
                fail(
                    WebSocketError(
                        .connectionLost, "the sending of a message was interrupted, so the connection cannot continue"),
                    telling: .internalError)
            }
            throw error is CancellationError ? WebSocketError.cancelled : error
        }
    }

    /// Waits until all output is written. The caller must have the turn.
    private func flush() async throws(WebSocketError) {
        try await flush(after: sending.withLock { $0.advance(stream) })
    }

    private func flush(after first: SendingHalf.Step) async throws(WebSocketError) {
        var step = first
        while true {
            switch step {
            case .done: return
            case .busy: throw .invalidUse("a message was begun before the previous one was complete")
            case .closed: throw status.withLock { $0.reason } ?? .closing
            case .unencodable(let error):
                throw fail(WebSocketError(.connectionLost, "zlib failed: \(error)"), telling: .internalError)
            case .failed(let error): throw failSending(error)
            case .wait(let interest):
                if let failure = status.withLock({ $0.failure }) { throw failure }
                do throws(TransportError) {
                    try await stream.wait(for: interest, as: .writer, until: now.deadline(after: stall))
                } catch {
                    guard error == .cancelled else { throw failSending(error) }
                    wakeReader()
                    throw .cancelled
                }
                step = sending.withLock { $0.advance(stream) }
            }
        }
    }

    /// Writes pending output that no sender waits for. If the stream does not take all of it, the waiting reader writes
    /// the rest.
    func writePending() {
        if !pendingWrite().isEmpty { wakeReader() }
    }

    /// Writes pending output. Returns the readiness to wait for if output is left, otherwise the empty set.
    func pendingWrite() -> Interest {
        if case .wait(let interest) = sending.withLock({ $0.advance(stream) }) { interest } else { [] }
    }

    /// Wakes the task that waits for input, so that it then also waits until the stream takes the pending output.
    func wakeReader() {
        stream.waitPoint(for: .read, as: .reader).offer(.read, to: .reader)
    }

    /// Ends the connection after a failed write. Before that, reads control frames: if the peer has sent Close, the
    /// returned error reports the Close instead of the failed write.
    private func failSending(_ error: TransportError) -> WebSocketError {
        readControlFrames()
        let failure = fail(localEnd ?? WebSocketError(error, sending: true))
        stream.abort()
        return failure
    }

    private func takeTurn() async throws(WebSocketError) {
        do throws(TransportError) {
            let waiter = try sending.withLock { sending throws(TransportError) in
                try sending.takeTurn(or: try WaitTimer(poller: poller))
            }
            guard let waiter else { return }
            let wake = await waiter.sleep(until: now.deadline(after: stall))
            if case .ready = wake { return }
            // If this task was given the turn just when its wait timed out or was cancelled, it passes the turn on.
            if !sending.withLock({ $0.leave(waiter) }) { releaseTurn() }
            try wake.check()
        } catch {
            if error == .cancelled { throw .cancelled }
            throw error == .timedOut
                ? .timeout("the message waited too long for other messages to be sent")
                : WebSocketError(error, sending: true)
        }
    }

    private func releaseTurn() {
        sending.withLock { $0.releaseTurn() }?.signal()
    }
}
