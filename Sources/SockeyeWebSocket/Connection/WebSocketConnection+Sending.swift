public import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

extension WebSocketConnection {
    /// Sends a message, and returns when the system has taken all of it.
    ///
    /// Messages of several tasks go out one after the other; each waits for its turn as long as a write may stall
    /// (``/Sockeye/Timeouts/stall``, 60 s by default). Cancelling the task never cuts a message: either nothing of it is sent, or it
    /// goes on being sent behind the call.
    ///
    /// - Throws: ``WebSocketError``: `closed`, `connectionLost`, `timeout` when the peer takes nothing for too long, after
    ///   which the connection has failed, and `cancelled`.
    public func send(_ message: Message) async throws(WebSocketError) {
        switch message {
        case .text(let text): try await send(.text, Bytes(text))
        case .binary(let bytes): try await send(.binary, bytes)
        }
    }

    /// Sends a text.
    public func send(_ text: String) async throws(WebSocketError) {
        try await send(.text, Bytes(text))
    }

    /// Sends a message of bytes.
    public func send(_ bytes: some Sequence<UInt8>) async throws(WebSocketError) {
        try await send(.binary, bytes as? Bytes ?? Bytes(bytes))
    }

    /// Sends one message whose content comes piece by piece, each as a fragment at once (RFC 6455 5.4): nothing of it is
    /// gathered, however long it becomes. Other messages wait meanwhile.
    ///
    /// - Throws: What ``send(_:)-(WebSocketConnection.Message)`` throws, and what `pieces` throws. A message that was begun cannot be taken back:
    ///   then, and when the task is cancelled, the connection fails, and the peer is told 1011.
    public func send<Pieces: AsyncSequence>(binary pieces: Pieces) async throws where Pieces.Element == Bytes {
        try await send(.binary, pieces) { $0 }
    }

    /// As ``send(binary:)``, with text.
    public func send<Pieces: AsyncSequence>(text pieces: Pieces) async throws where Pieces.Element: StringProtocol {
        try await send(.text, pieces) { Bytes($0) }
    }

    /// Sends a ping if not too many wait to be sent.
    func sendPing(_ number: UInt64) -> Bool {
        sending.withLock { sending in
            guard sending.machine.ping(PingPayload.bytes(number)) else { return false }
            _ = sending.advance(stream)
            return true
        }
    }

    /// How many messages wait for others to be sent.
    package var waitingSenders: Int { sending.withLock { $0.waiters.count } }

    // MARK: Inside

    private func send(_ kind: Kind, _ bytes: Bytes) async throws(WebSocketError) {
        let compresses = isCompressed && bytes.count >= (options.compression?.minimumSize ?? 0)
        let step = sending.withLock { $0.send(kind, bytes, compressing: compresses, to: stream) }
        switch step {
        case .done: answerPings()
        case .busy:
            try await takeTurn()
            defer { releaseTurn() }
            try await flush()
            try await flush(after: sending.withLock { $0.begin(kind, bytes, compressing: compresses, to: stream) })
        case let step:
            defer { if case .wait = step { releaseTurn() } }
            try await flush(after: step)
        }
    }

    /// Who only sends still answers pings.
    private func answerPings() {
        if stream.waitPoint(for: .read, as: .reader).hasPendingRead { pump() }
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
                fail(WebSocketError(.connectionLost, "a message was cut off amid its sending"), telling: .internalError)
            }
            throw error is CancellationError ? WebSocketError.cancelled : error
        }
    }

    /// Waits until everything is out. The turn has to be the caller's.
    private func flush() async throws(WebSocketError) {
        try await flush(after: sending.withLock { $0.advance(stream) })
    }

    private func flush(after first: SendingHalf.Step) async throws(WebSocketError) {
        var step = first
        while true {
            switch step {
            case .done: return
            case .busy: throw .invalidUse("a message inside another")
            case .closed: throw status.withLock { $0.reason } ?? .closing
            case .unencodable(let error):
                throw fail(WebSocketError(.connectionLost, "zlib failed: \(error)"), telling: .internalError)
            case .failed(let error): throw failSending(error)
            case .wait(let interest):
                if let failure = status.withLock({ $0.failure }) { throw failure }
                do throws(TransportError) {
                    try await stream.wait(for: interest, as: .writer, until: now.deadline(after: stall))
                } catch {
                    if error == .cancelled { throw .cancelled }
                    throw failSending(error)
                }
                step = sending.withLock { $0.advance(stream) }
            }
        }
    }

    /// A write failed. That the peer had closed before explains it.
    private func failSending(_ error: TransportError) -> WebSocketError {
        pump()
        let failure = fail(WebSocketError(error, sending: true))
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
            // Served in the same moment: the next one is to have it.
            if !sending.withLock({ $0.leave(waiter) }) { releaseTurn() }
            try wake.check()
        } catch {
            if error == .cancelled { throw .cancelled }
            throw error == .timedOut
                ? .timeout("other messages took too long to be sent") : WebSocketError(error, sending: true)
        }
    }

    private func releaseTurn() {
        sending.withLock { $0.releaseTurn() }?.signal()
    }
}
