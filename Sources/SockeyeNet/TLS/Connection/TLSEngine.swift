import COpenSSL
import SockeyeCore
import SockeyePlatform

/// An OpenSSL connection (SSL) over one stream: synchronous, non-blocking, and for one thread at a time.
@safe final class TLSEngine {
    /// The result of one OpenSSL call.
    enum Outcome {
        case done
        /// The peer has sent close_notify.
        case end
        /// Repeat the call when the stream below has this readiness. If the set is empty, repeat the call when the
        /// closure ``TLSOptions/evaluate`` has decided about the peer.
        case wouldBlock(Interest)
        /// The ``ReadBudget`` is spent: there may be more to read, but check deadlines and cancellation first.
        case mustYield
        case failed(TransportError)
    }

    let ssl: OpaquePointer
    let link: StreamBIO
    let hooks: ConnectionHooks
    /// The context of the client or server. The SSL has its own reference to the SSL_CTX; this reference keeps the
    /// other parts of the context alive.
    private let context: any AnyObject & Sendable
    private(set) var isEstablished = false
    /// True if the last read has found the stream below empty. If false, read again without waiting: OpenSSL may
    /// already hold the bytes, and the stream below may not become ready again.
    private(set) var isReadBlocked = false
    private var sentCloseNotify = false
    // OpenSSL may forget a fatal error and report an orderly end afterwards, so the first failure is kept.
    private var readFailure: TransportError?
    private var writeFailure: TransportError?

    /// The largest plaintext of one record (RFC 8446 5.1).
    static let recordLimit = 16 << 10
    /// The most bytes that one call writes, so that a reader does not wait long for the lock of the ``TLSStream``.
    private static let burst = 16 * recordLimit

    init(over lower: any ByteStream, context: OpenSSLObject, owner: any AnyObject & Sendable) throws(TransportError) {
        OpenSSLErrors.clear()
        let link = StreamBIO(lower: lower)
        let hooks = ConnectionHooks()
        guard let ssl = unsafe context.withPointer({ unsafe SSL_new($0) }) else { throw Self.outOfMemory }
        guard unsafe hooks.attach(to: ssl), let bio = unsafe link.makeBIO() else {
            defer { unsafe SSL_free(ssl) }
            throw Self.outOfMemory
        }
        // Transfers ownership of the BIO, for both directions.
        unsafe SSL_set_bio(ssl, bio, bio)
        self.link = link
        self.context = owner
        self.hooks = hooks
        // Assigned last: a throw after all properties are set would run `deinit`, which would free `ssl` again.
        unsafe self.ssl = unsafe ssl
    }

    private static var outOfMemory: TransportError {
        .tls(
            TLSError(
                reason: .outOfResources, message: "OpenSSL could not create a connection: \(OpenSSLErrors.drain().text)"
            ))
    }

    deinit {
        // Without this flag OpenSSL would invalidate the session of a connection that is freed without close_notify, as
        // TLS 1.0 demanded (RFC 2246 7.2.1).
        if isEstablished, readFailure == nil { unsafe SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_SENT_SHUTDOWN) }
        unsafe SSL_free(ssl)
    }

    /// Makes an OpenSSL call, which must return 1 for success, and reads the thread-local error right after it. Repeats
    /// the call as long as OpenSSL has only processed records without application data, within the ``ReadBudget``.
    func attempt(_ call: () -> Int32) -> Outcome {
        link.beginTurn()
        while true {
            OpenSSLErrors.clear()
            link.blocked = nil
            link.failure = nil
            let result = call()
            if result == 1 { return .done }
            let kind = unsafe SSL_get_error(ssl, result)
            switch kind {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
                // If the stream below did not block, OpenSSL has processed a TLS message, such as a ticket, and must be
                // called again.
                if let interest = link.blocked { return .wouldBlock(interest) }
                if link.hasUsedBudget { return .mustYield }
            case SSL_ERROR_WANT_RETRY_VERIFY:
                // The closure ``TLSOptions/evaluate`` has not decided about the peer yet.
                return .wouldBlock([])
            case SSL_ERROR_ZERO_RETURN:
                return .end
            default:
                return .failed(failure(kind))
            }
        }
    }

    func handshake() -> Outcome {
        if let readFailure { return .failed(readFailure) }
        let outcome = attempt { unsafe SSL_do_handshake(ssl) }
        switch outcome {
        case .done:
            isEstablished = true
            link.noteEstablished()
            if let broken = link.brokenWrite { return .failed(explanation(of: broken)) }
        case .failed(let error): fail(error)
        case .end:
            let error = TransportError.tls(
                TLSError(reason: .handshakeClosed, message: "the peer ended the TLS handshake with close_notify"))
            fail(error)
            return .failed(error)
        case .wouldBlock, .mustYield: break
        }
        return outcome
    }

    /// Returns the error for a peer that stopped reading during the handshake: the peer's alert if it sent one (RFC
    /// 8446 6.2), otherwise `broken`, the error of the write.
    private func explanation(of broken: TransportError) -> TransportError {
        var byte: UInt8 = 0
        var count = 0
        guard case .failed(.tls(let failure)) = attempt({ unsafe SSL_read_ex(ssl, &byte, 1, &count) }) else {
            fail(broken)
            return broken
        }
        fail(.tls(failure))
        return .tls(failure)
    }

    private func fail(_ error: TransportError) {
        readFailure = error
        writeFailure = error
    }

    /// Reads decrypted data into `buffer`, until it is full or OpenSSL holds no more received bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        if let readFailure { return .failed(readFailure) }
        guard let start = buffer.baseAddress, unsafe !buffer.isEmpty else { return .bytes(0) }
        isReadBlocked = false
        defer { if hooks.tookSession { releaseBuffers() } }
        var total = 0
        repeat {
            var count = 0
            switch attempt({ unsafe SSL_read_ex(ssl, start + total, buffer.count - total, &count) }) {
            case .done:
                total += count
                link.contentArrived()
                if hooks.wasAskedToRenegotiate { hooks.wasAskedToRenegotiate = false }
            case .end where hooks.wasAskedToRenegotiate:
                let error = TransportError.tls(.renegotiation)
                readFailure = error
                return total > 0 ? .bytes(total) : .failed(error)
            case .end: return total > 0 ? .bytes(total) : .end
            // `isReadBlocked` stays false: bytes that have already arrived would not make the stream below ready again.
            case .mustYield: return total > 0 ? .bytes(total) : .wouldBlock(.read)
            case .wouldBlock(let interest):
                // If OpenSSL has to write first, the stream below may hold input.
                isReadBlocked = interest.contains(.read)
                return total > 0 ? .bytes(total) : .wouldBlock(interest)
            case .failed(let error):
                readFailure = error
                return total > 0 ? .bytes(total) : .failed(error)
            }
        } while unsafe total < buffer.count && SSL_has_pending(ssl) == 1
        return .bytes(total)
    }

    /// True if neither OpenSSL nor the stream below has anything to read; then ``isReadBlocked`` is set, as by a read.
    /// Unlike a read, this check allocates no record buffer. False in the handshake, in which OpenSSL may have to write
    /// first. False also after a failure or close_notify, because a read must report it.
    var hasNothingToRead: Bool {
        guard isEstablished, readFailure == nil, unsafe SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN == 0,
            unsafe SSL_has_pending(ssl) == 0, link.lower.hasNothingToRead
        else { return false }
        isReadBlocked = true
        return true
    }

    /// Writes records until all bytes are written, the stream below is full, or ``burst`` bytes are written.
    ///
    /// After `.wouldBlock`, or if fewer bytes than given were written, a record may be partly sent. So the next call
    /// must begin with the unwritten bytes, at least those of that record.
    func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        if let writeFailure { return .failed(writeFailure) }
        guard let start = buffer.baseAddress, unsafe !buffer.isEmpty else { return .bytes(0) }
        if writesToKernel { return passToKernel { unsafe $0.write(buffer) } }
        var total = 0
        while total < min(buffer.count, Self.burst) {
            var count = 0
            let size = min(buffer.count - total, Self.recordLimit)
            switch attempt({ unsafe SSL_write_ex(ssl, start + total, size, &count) }) {
            case .done: total += count
            case .mustYield: continue
            case .end:
                writeFailure = .closed
                return total > 0 ? .bytes(total) : .failed(.closed)
            case .wouldBlock(let interest): return total > 0 ? .bytes(total) : .wouldBlock(interest)
            case .failed(let error):
                writeFailure = error
                return total > 0 ? .bytes(total) : .failed(error)
            }
        }
        return .bytes(total)
    }

    /// Sends close_notify once, unless the handshake is unfinished. `.bytes(0)` means that nothing is left to send.
    func sendCloseNotify() -> Transfer {
        if let writeFailure { return .failed(writeFailure) }
        guard isEstablished, !sentCloseNotify else { return .bytes(0) }
        // A result of 0 means that close_notify is sent, but the peer's has not arrived. That suffices: a second call
        // would only read the peer's close_notify.
        switch attempt({ unsafe SSL_shutdown(ssl) >= 0 ? 1 : -1 }) {
        case .done, .end:
            sentCloseNotify = true
            return .bytes(0)
        case .mustYield: return .wouldBlock(.write)
        case .wouldBlock(let interest): return .wouldBlock(interest)
        case .failed(let error):
            writeFailure = error
            return .failed(error)
        }
    }

    private func failure(_ kind: Int32) -> TransportError {
        let errors = OpenSSLErrors.drain()
        if let refusal = hooks.verifyFailure { return .tls(refusal) }
        // Whatever the error, the server has ended the connection because its request to renegotiate was refused.
        if hooks.wasAskedToRenegotiate { return .tls(.renegotiation) }
        // After a TLS error, sending the alert may fail too. So `link.failure` counts only without a TLS error.
        if kind == SSL_ERROR_SYSCALL || errors.entries.isEmpty, let failure = link.failure { return failure }
        if link.sawEnd, errors.entries.isEmpty || errors.contains(SSL_R_UNEXPECTED_EOF_WHILE_READING) {
            guard !isEstablished else { return .truncated }
            return .tls(
                TLSError(reason: .handshakeClosed, message: "the peer closed the connection in the TLS handshake"))
        }
        if !isEstablished, let text = textInsteadOfTLS {
            return .tls(
                TLSError(reason: .notTLS, message: "the peer does not speak TLS; it sent \(text)"))
        }
        // Checks the pending cipher, because the current cipher may be the one of the session to resume.
        let parametersAgreed = unsafe isEstablished || SSL_get_pending_cipher(ssl) != nil
        return .tls(TLSError(errors, parametersAgreed: parametersAgreed))
    }

    /// The first bytes of the peer as text, with dots for unprintable bytes. Nil if no byte has arrived, or if the
    /// bytes look like a TLS record (RFC 8446 5.1: content type, then major version 3).
    private var textInsteadOfTLS: String? {
        guard let type = link.firstBytes.first else { return nil }
        let isRecord = (20...23).contains(type) && (link.firstBytes.count < 2 || link.firstBytes[1] == 3)
        guard !isRecord else { return nil }
        link.completeFirstBytes()
        let text = link.firstBytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }
        return "'\(String(decoding: text, as: UTF8.self))'"
    }
}

extension TLSEngine {
    /// Writes a prefix of `vectors`. A small first vector, typically a head, shares a record with the next vectors,
    /// because one record in one packet costs less than two records in two packets.
    func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
        if writesToKernel { return passToKernel { unsafe $0.write(vectors: vectors) } }
        var rest = unsafe vectors[...]
        while let first = unsafe rest.first, unsafe first.bytes.isEmpty { unsafe rest = unsafe rest.dropFirst() }
        guard let first = unsafe rest.first else { return .bytes(0) }
        let direct = unsafe first.bytes
        guard unsafe rest.count > 1, direct.count < Self.recordLimit else { return unsafe write(direct) }
        // If the write is repeated, the same vectors give the same record, as OpenSSL requires.
        let size = unsafe min(Self.recordLimit, rest.reduce(0) { unsafe $0 + $1.bytes.count })
        guard size > direct.count else { return unsafe write(direct) }
        return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { record in
            var filled = 0
            for index in unsafe rest.indices where filled < size {
                let part = unsafe UnsafeRawBufferPointer(rebasing: rest[index].bytes.prefix(size - filled))
                unsafe UnsafeMutableRawBufferPointer(rebasing: record[filled...]).copyMemory(from: part)
                filled += part.count
            }
            return unsafe write(UnsafeRawBufferPointer(record))
        }
    }
}

extension TLSEngine {
    /// True if the kernel makes the records of the content that is written. False after a failure or close_notify.
    var writesToKernel: Bool { isEstablished && !sentCloseNotify && writeFailure == nil && isEncryptedByKernel }

    /// Writes content directly to the socket, past OpenSSL; the kernel encrypts it.
    ///
    /// With kernel TLS, OpenSSL would keep the pointer to content that the kernel has taken only partially, and send
    /// the rest from there at the next write. The caller may have freed or reused that memory (openssl issue 21202).
    private func passToKernel(_ write: (any ByteStream) -> Transfer) -> Transfer {
        switch write(link.lower) {
        case .end:
            writeFailure = .closed
            return .failed(.closed)
        case .failed(let error):
            writeFailure = error
            return .failed(error)
        case let transfer: return transfer
        }
    }
}

extension TLSEngine {
    /// Sends the message that `prepare` requests. If a message is still being sent, continues it and does not call
    /// `prepare`.
    func sendMessage(_ prepare: (OpaquePointer) -> Int32) -> Transfer {
        guard unsafe SSL_in_init(ssl) == 1 || prepare(ssl) == 1 else {
            return .failed(.tls(TLSError(reason: .other, message: OpenSSLErrors.drain().text)))
        }
        switch attempt({ unsafe SSL_do_handshake(ssl) }) {
        case .done, .end: return .bytes(0)
        case .mustYield: return .wouldBlock(.read)
        case .wouldBlock(let interest): return .wouldBlock(interest)
        case .failed(let error): return .failed(error)
        }
    }
}

extension TLSEngine {
    /// Frees OpenSSL's write buffer. OpenSSL allocates the buffer when it processes a message that may need an answer,
    /// such as a session ticket.
    ///
    /// OpenSSL would keep the buffer until the next write. Its 16 KiB are nearly half of the memory of an idle
    /// connection that was used once. If the buffer contains data, it is not freed now: a later read tries again.
    func releaseBuffers() {
        let isDone = unsafe !Self.canReleaseBuffers || SSL_has_pending(ssl) == 0 && SSL_free_buffers(ssl) == 1
        if isDone { hooks.tookSession = false }
    }

    /// False if OpenSSL is older than the patch levels below. SSL_free_buffers(3) of such versions frees a buffer that
    /// holds a part of a record (CVE-2024-4741).
    private static let canReleaseBuffers: Bool = {
        let level = OPENSSL_version_patch()
        switch (OPENSSL_version_major(), OPENSSL_version_minor()) {
        case (3, 0): return level >= 14
        case (3, 1): return level >= 6
        case (3, 2): return level >= 2
        case (3, 3): return level >= 1
        default: return true
        }
    }()
}

extension TLSEngine {
    /// Creates an engine that is about to send its ClientHello, with a session to resume if one is cached.
    static func client(
        over lower: any ByteStream, name: PeerName, context: TLSContext, sessions: TLSSessionCache?, sessionKey: String
    ) throws(TransportError) -> TLSEngine {
        let engine = try TLSEngine(over: lower, context: context.object, owner: context)
        let hooks = engine.hooks
        hooks.verifier = context.verifier(for: name)
        hooks.evaluation = context.configuration.evaluation
        hooks.stapling = context.configuration.revocation.stapling
        if hooks.stapling != nil { unsafe sockeye_ask_for_status(engine.ssl) }
        hooks.keyLog = context.keyLog
        if context.configuration.usesKernelTLS { engine.enableKernelTLS() }
        unsafe SSL_set_connect_state(engine.ssl)
        if case .dns(let host) = name, unsafe sockeye_set_server_name(engine.ssl, host) != 1 {
            OpenSSLErrors.clear()
            throw .tls(TLSError(reason: .badConfiguration, message: "'\(host)' cannot be sent as a server name"))
        }
        if let sessions {
            let key = TLSSessionCache.Key(context: context.identifier, server: name, key: BytewiseText(sessionKey))
            hooks.sessions = (sessions, key)
            if let session = sessions.take(for: key) {
                hooks.evidence = session.evidence
                unsafe session.object.withPointer { _ = unsafe SSL_set_session(engine.ssl, $0) }
            }
        }
        return engine
    }

    /// Creates an engine that waits for a ClientHello.
    static func server(over lower: any ByteStream, context: TLSServerContext) throws(TransportError) -> TLSEngine {
        let engine = try TLSEngine(over: lower, context: context.object, owner: context)
        engine.hooks.verifier = PeerVerifier(verification: .chainOnly, name: nil)
        engine.hooks.stapledResponse = context.configuration.stapledResponse
        engine.hooks.acceptedProtocols = context.acceptedProtocols
        unsafe SSL_set_accept_state(engine.ssl)
        return engine
    }

    /// Enables kernel TLS if the system has it. Call it before the handshake, in which OpenSSL hands the keys to the
    /// kernel.
    func enableKernelTLS() {
        guard SystemFeature.kernelTLS.isSupported else { return }
        link.enableKernelTLS()
        if link.kernel != nil { unsafe SSL_set_options(ssl, sockeye_op_enable_ktls) }
    }

    /// Removes the server's cached sessions: a server that refuses a session would refuse it again.
    func forgetSessions() {
        guard let sessions = hooks.sessions else { return }
        sessions.cache.remove(sessions.key)
    }
}
