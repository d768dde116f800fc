package import SockeyeCore
package import SockeyePlatform
import Synchronization

/// A TLS connection over any stream.
///
/// Two tasks may read and write at once, but an SSL object is not thread-safe. So the methods use OpenSSL only under a
/// lock, which is uncontended unless both directions are busy. A method suspends only to wait for the stream below or
/// for the caller's decision about the peer (``TLSOptions/evaluate``), and it does not hold the lock then.
package final class TLSStream: ByteStream {
    let lower: any ByteStream
    /// Nil after ``close()``.
    let engine: Mutex<TLSEngine?>

    private init(_ engine: sending TLSEngine, lower: any ByteStream) {
        self.lower = lower
        self.engine = Mutex(engine)
    }

    /// Performs a client's handshake over `lower`, and verifies the server as configured in the context.
    ///
    /// The returned stream owns `lower`. After a failure, a time-out or a cancellation the caller has to close `lower`.
    ///
    /// - Parameters:
    ///   - serverName: A DNS name or an IP literal; the configuration's ``TLSOptions/serverName`` overrides it.
    ///   - sessions: The cache in which to find a session to resume and to store the sessions that the server offers;
    ///     nil for a full handshake.
    ///   - sessionKey: The part of the cache's key that identifies the port and the proxy. The other parts are the
    ///     context and the server name.
    package static func connect(
        over lower: any ByteStream, serverName: String, context: TLSContext, sessions: TLSSessionCache?,
        sessionKey: String, until deadline: MonotonicTime
    ) async throws(TransportError) -> TLSStream {
        let host = context.configuration.serverName ?? serverName
        guard let name = PeerName(host) else {
            throw .tls(TLSError(reason: .badConfiguration, message: "'\(host)' is not a valid server name"))
        }
        let engine = try TLSEngine.client(
            over: lower, name: name, context: context, sessions: sessions, sessionKey: sessionKey)
        let stream = TLSStream(engine, lower: lower)
        try await stream.handshake(until: deadline)
        return stream
    }

    /// Performs a server's handshake over `lower`. If it fails, the caller has to close `lower`.
    package static func accept(
        over lower: any ByteStream, context: TLSServerContext, until deadline: MonotonicTime
    ) async throws(TransportError) -> TLSStream {
        let stream = TLSStream(try TLSEngine.server(over: lower, context: context), lower: lower)
        try await stream.handshake(until: deadline)
        return stream
    }

    private func handshake(until deadline: MonotonicTime) async throws(TransportError) {
        while true {
            // A peer that always sends must not keep a cancelled task running.
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

    /// The result of the handshake; nil after ``close()``. Assembled on each access.
    package var info: TLSInfo? {
        engine.withLock { $0?.info }
    }

    private func locked(_ body: (TLSEngine) -> Transfer) -> Transfer {
        // The compiler assumes that the engine could store the caller's buffer and use it in a later call. No `body`
        // here stores the buffer: OpenSSL keeps no pointer to plaintext after a call. With kernel TLS it would keep
        // one, so the engine then writes content directly to the socket.
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

    package var hasReadAll: Bool {
        engine.withLock { $0?.isReadBlocked ?? false } && lower.hasReadAll
    }

    package var isUnacknowledged: Bool { lower.isUnacknowledged }

    /// Sets the same read low-water mark on the stream below, where it counts encrypted bytes. TLS records are longer
    /// than their plaintext, so `count` bytes of plaintext reach the mark. If OpenSSL has already read a part of a
    /// record, the rest may be shorter than the mark, and the reader may still wait after the rest has arrived.
    package func setReadLowWaterMark(_ count: Int) {
        lower.setReadLowWaterMark(count)
    }

    package func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        locked { unsafe $0.write(buffer) }
    }

    package func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
        locked { unsafe $0.write(vectors: vectors) }
    }

    /// Lets the socket send the file if the kernel encrypts; otherwise returns nil. A kernel that encrypts makes all
    /// records, also those of OpenSSL's alerts, so the file's bytes cannot end up inside a partly sent record.
    package func write(file: Int32, from offset: Int, count: Int) -> Transfer? {
        let isOffered = engine.withLock { $0?.writesToKernel ?? false }
        return isOffered ? lower.write(file: file, from: offset, count: count) : nil
    }

    /// Sends a TLS message such as a KeyUpdate, for peers in tests. `prepare` tells OpenSSL which message to send. If
    /// an earlier message is not sent completely, continues that message and does not call `prepare`. Returns
    /// `.bytes(0)` when the message was sent.
    package func sendMessage(_ prepare: (OpaquePointer) -> Int32) -> Transfer {
        locked { unsafe $0.sendMessage(prepare) }
    }

    /// The wait point of the stream below. Bytes that OpenSSL has read ahead cause no readiness there, so a wait could
    /// last indefinitely. Therefore the reader's wait for input ends at once unless the last read has found the stream
    /// below empty.
    package func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint {
        let point = lower.waitPoint(for: interest, as: role)
        if role == .reader, interest.contains(.read) {
            let mayHoldInput = engine.withLock { $0.map { !$0.isReadBlocked } ?? false }
            if mayHoldInput { point.offer(.read, to: .reader) }
        }
        return point
    }

    /// Sends close_notify and then also ends the writing direction of the stream below, for peers that recognise only a
    /// FIN. The other direction stays open, although TLS 1.2 servers often respond by closing it (RFC 5246 7.2.1).
    package func closeWrite() -> Transfer {
        let sent = engine.withLock { $0?.sendCloseNotify() ?? .failed(.closed) }
        guard case .bytes = sent else { return sent }
        return lower.closeWrite()
    }

    /// Aborts the stream below without close_notify: readers of both sides see a truncated connection.
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
    /// Lets the caller's closure (``TLSOptions/evaluate``) decide about the peer while the handshake is suspended.
    /// Throws at the deadline or on cancellation, even if the closure has not returned.
    func evaluate(until deadline: MonotonicTime) async throws(TransportError) {
        guard let (evaluation, evidence) = engine.withLock({ $0?.pendingEvaluation }) else { throw .closed }
        let timer = try lower.waitPoint(for: .write, as: .writer).makeTimer()
        let decision = try await timer.result(of: { await evaluation.evaluator(TLSTrust(evidence)) }, until: deadline)
        engine.withLock { $0?.hooks.decision = decision }
    }
}

extension TLSEngine {
    /// The caller's closure and the evidence for it. Nil if there is no closure, if it has decided, or before the
    /// peer's certificates are verified.
    var pendingEvaluation: (TLSOptions.Evaluation, TLSEvidence)? {
        guard let evaluation = hooks.evaluation, hooks.decision == nil, let evidence = hooks.evidence else {
            return nil
        }
        return (evaluation, evidence)
    }
}
