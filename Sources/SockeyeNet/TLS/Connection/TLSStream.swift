package import SockeyeCore
package import SockeyePlatform
import Synchronization

/// TLS over any stream.
///
/// Reading and writing may go on in two tasks at once; an SSL is not made for that, so each call holds a lock, which is
/// uncontended unless both directions are busy. What can block is only the stream below, and it is waited for outside.
package final class TLSStream: ByteStream {
    let lower: any ByteStream
    /// Nil after ``close()``.
    let engine: Mutex<TLSEngine?>

    private init(_ engine: sending TLSEngine, lower: any ByteStream) {
        self.lower = lower
        self.engine = Mutex(engine)
    }

    /// Makes a client's handshake over `lower`, and verifies the server as the context's configuration says.
    ///
    /// The stream below stays the caller's to close as long as this has not returned: also after a failure, a time-out
    /// or a cancellation.
    ///
    /// - Parameters:
    ///   - serverName: a DNS name or an IP literal; the configuration's ``TLSOptions/serverName`` overrides it.
    ///   - sessions: where to find a session to resume and to keep those that the server offers.
    ///   - sessionKey: what tells sessions apart besides the context and the server's name: port, proxy.
    package static func connect(
        over lower: any ByteStream, serverName: String, context: TLSContext, sessions: TLSSessionCache?,
        sessionKey: String, until deadline: MonotonicTime
    ) async throws(TransportError) -> TLSStream {
        let host = context.configuration.serverName ?? serverName
        guard let name = PeerName(host) else {
            throw .tls(TLSError(reason: .badConfiguration, message: "'\(host)' is not the name of a server"))
        }
        let engine = try TLSEngine.client(
            over: lower, name: name, context: context, sessions: sessions, sessionKey: sessionKey)
        let stream = TLSStream(engine, lower: lower)
        try await stream.handshake(until: deadline)
        return stream
    }

    /// Makes a server's handshake over `lower`, which stays the caller's to close as long as this has not returned.
    package static func accept(
        over lower: any ByteStream, context: TLSServerContext, until deadline: MonotonicTime
    ) async throws(TransportError) -> TLSStream {
        let stream = TLSStream(try TLSEngine.server(over: lower, context: context), lower: lower)
        try await stream.handshake(until: deadline)
        return stream
    }

    private func handshake(until deadline: MonotonicTime) async throws(TransportError) {
        while true {
            // A peer that always has something ready must not keep a cancelled task going.
            if Task.isCancelled { throw .cancelled }
            switch engine.withLock({ $0?.handshake() ?? .failed(.closed) }) {
            case .done: return
            case .wouldBlock([]): try await evaluate(until: deadline)
            case .wouldBlock(let interest): try await lower.wait(for: interest, as: .reader, until: deadline)
            case .mustYield:
                let point = lower.waitPoint(for: .read, as: .reader)
                point.offer(.read, to: .reader)
                try (await point.wait(for: .read, as: .reader, until: deadline)).check()
            case .end: throw .closed
            case .failed(let error):
                engine.withLock { $0?.forgetSessions() }
                throw error
            }
        }
    }

    /// What the handshake has agreed on; nil after ``close()``. Assembled on each call.
    package var info: TLSInfo? {
        engine.withLock { $0?.info }
    }

    private func locked(_ body: (TLSEngine) -> Transfer) -> Transfer {
        // The compiler fears that the caller's buffer ends up in the engine, to be touched under another caller's lock.
        // No `body` here stores it: OpenSSL keeps no plaintext pointer past a call.
        nonisolated(unsafe) let body = body
        return engine.withLock { engine in
            guard let engine else { return .failed(.closed) }
            return unsafe body(engine)
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        locked { unsafe $0.read(into: buffer) }
    }

    package var hasNothingToRead: Bool {
        engine.withLock { $0?.hasNothingToRead ?? false }
    }

    package var isUnacknowledged: Bool { lower.isUnacknowledged }

    /// So much plaintext is more below, and what OpenSSL has read ahead is less than a record.
    package func setReadLowWaterMark(_ count: Int) {
        lower.setReadLowWaterMark(count)
    }

    package func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        locked { unsafe $0.write(buffer) }
    }

    package func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
        locked { unsafe $0.write(vectors: vectors) }
    }

    /// Goes around OpenSSL where the kernel encrypts. Nothing of OpenSSL's is half sent then: what writes a body has written
    /// its head before.
    package func write(file: Int32, from offset: Int, count: Int) -> Transfer? {
        let isOffered = engine.withLock { $0.map { $0.isEstablished && $0.isEncryptedByKernel } ?? false }
        return isOffered ? lower.write(file: file, from: offset, count: count) : nil
    }

    /// Sends a message of TLS's own, such as a KeyUpdate, which `prepare` makes OpenSSL want to send; it is not called while
    /// another is on its way. For the peers of tests. `.bytes(0)` means that it is out.
    package func sendMessage(_ prepare: (OpaquePointer) -> Int32) -> Transfer {
        locked { unsafe $0.sendMessage(prepare) }
    }

    /// Bytes that OpenSSL has read ahead make nothing below readable, so waiting for them would be waiting for ever:
    /// unless the last read found nothing, a wait ends at once.
    package func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint {
        let point = lower.waitPoint(for: interest, as: role)
        if role == .reader, interest.contains(.read) {
            let mayHoldInput = engine.withLock { $0.map { !$0.isReadBlocked } ?? false }
            if mayHoldInput { point.offer(.read, to: .reader) }
        }
        return point
    }

    /// Sends close_notify and then ends the direction below as well, for peers that take only a FIN for the end. The
    /// other direction stays open, although servers of TLS 1.2 often answer by closing it (RFC 5246 7.2.1).
    package func closeWrite() -> Transfer {
        let sent = engine.withLock { $0?.sendCloseNotify() ?? .failed(.closed) }
        guard case .bytes = sent else { return sent }
        return lower.closeWrite()
    }

    /// Ends the stream below without close_notify: whoever reads here or there sees a connection cut short.
    package func abort() {
        lower.abort()
    }

    /// Tries once, without waiting, to send close_notify, and closes the stream below.
    package func close() {
        engine.withLock { engine in
            _ = engine?.sendCloseNotify()
            engine = nil
        }
        lower.close()
    }
}

extension TLSStream {
    /// Has the evaluation decide about the peer that the handshake has stopped at. Returns when it has, or throws at the
    /// deadline or when the task is cancelled, whatever the closure does.
    func evaluate(until deadline: MonotonicTime) async throws(TransportError) {
        guard let (evaluation, evidence) = engine.withLock({ $0?.question }) else { throw .closed }
        let timer = try lower.waitPoint(for: .write, as: .writer).makeTimer()
        let answer = EvaluationAnswer()
        let task = Task {
            let decision = await evaluation.evaluator(TLSTrust(evidence))
            answer.decision.withLock { $0 = decision }
            timer.signal()
        }
        let wake = await timer.sleep(until: deadline)
        guard let decision = answer.decision.withLock({ $0 }) else {
            task.cancel()
            try wake.check()
            throw .closed
        }
        engine.withLock { $0?.hooks.decision = decision }
    }
}

private final class EvaluationAnswer: Sendable {
    let decision = Mutex<TLSTrust.Decision?>(nil)
}

extension TLSEngine {
    /// Who is to decide, and about what, while that has not been done.
    var question: (TLSOptions.Evaluation, TLSEvidence)? {
        guard let evaluation = hooks.evaluation, hooks.decision == nil, let evidence = hooks.evidence else {
            return nil
        }
        return (evaluation, evidence)
    }
}
