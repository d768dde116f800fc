import COpenSSL
import Synchronization

/// The common set-up of a client's and a server's SSL_CTX.
enum ContextSetup {
    /// The maximum number of bytes that OpenSSL reads from the stream below TLS in one call: almost four full records.
    /// A bulk transfer thus makes one system call for 64 KiB. With `SSL_MODE_RELEASE_BUFFERS`, OpenSSL's read buffer
    /// exists only while it holds data.
    private static let readAhead = 64 << 10

    private static let counter = Atomic<UInt64>(0)

    /// Returns a number that is unique in this process.
    static func nextIdentifier() -> UInt64 {
        counter.wrappingAdd(1, ordering: .relaxed).newValue
    }

    static func make(
        _ method: OpaquePointer?, minimum: TLSOptions.Version, maximum: TLSOptions.Version
    ) throws(TLSError) -> OpenSSLObject {
        guard minimum <= maximum else {
            throw TLSError(
                reason: .badConfiguration, message: "the minimum version \(minimum) is above the maximum \(maximum)")
        }
        sockeye_keep_until_exit()
        OpenSSLErrors.clear()
        guard let context = unsafe SSL_CTX_new(method) else {
            throw TLSError(
                reason: .other, message: "OpenSSL could not create an SSL context: \(OpenSSLErrors.drain().text)")
        }
        let object = unsafe OpenSSLObject(context, release: SSL_CTX_free)
        unsafe SSL_CTX_set_options(context, sockeye_op_no_renegotiation | sockeye_op_no_compression)
        // A system-wide configuration may set this option, but a missing close_notify must be detected.
        unsafe SSL_CTX_clear_options(context, sockeye_op_ignore_unexpected_eof)
        unsafe sockeye_ctx_set_mode(
            context,
            Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS))
        // Without AUTO_RETRY, OpenSSL returns after a ticket, KeyUpdate or HelloRequest if it holds no more received
        // bytes. ``TLSEngine/attempt(_:)`` then checks the ``ReadBudget`` before it calls OpenSSL again.
        unsafe sockeye_ctx_clear_mode(context, Int(SSL_MODE_AUTO_RETRY))
        unsafe sockeye_ctx_set_read_ahead(context, 1)
        unsafe SSL_CTX_set_default_read_buffer_len(context, readAhead)
        if unsafe SSL_CTX_get_security_level(context) < 1 { unsafe SSL_CTX_set_security_level(context, 1) }
        guard unsafe sockeye_ctx_set_min_version(context, Int32(minimum.rawValue)) == 1,
            unsafe sockeye_ctx_set_max_version(context, Int32(maximum.rawValue)) == 1
        else {
            throw TLSError(
                reason: .badConfiguration, message: "OpenSSL does not support the versions \(minimum)...\(maximum)")
        }
        unsafe ConnectionHooks.install(in: context)
        return object
    }

    static func use(_ identity: TLSOptions.Identity, in context: OpaquePointer) throws(TLSError) {
        let certificates = try unsafe PEMReader.certificates(identity.certificateChain, role: "certificate")
        defer { unsafe certificates.forEach(X509_free) }
        let key = try unsafe PEMReader.privateKey(identity.privateKey, passphrase: identity.passphrase)
        defer { unsafe EVP_PKEY_free(key) }
        OpenSSLErrors.clear()
        guard unsafe X509_check_private_key(certificates[0], key) == 1 else {
            OpenSSLErrors.clear()
            throw TLSError(
                reason: .badConfiguration,
                message: "the private key \(identity.privateKey) does not belong to the first certificate of "
                    + "\(identity.certificateChain), \(unsafe CertificateView(pointer: certificates[0]).summary)")
        }
        // The context takes its own references to all certificates, so this function releases its own.
        let chain = unsafe OPENSSL_sk_new_null()
        defer { unsafe OPENSSL_sk_free(chain) }
        for index in unsafe certificates.indices.dropFirst() {
            guard unsafe OPENSSL_sk_push(chain, UnsafeRawPointer(certificates[index])) > 0 else {
                throw TLSError(
                    reason: .outOfResources,
                    message: "out of memory while loading the certificates of \(identity.certificateChain)")
            }
        }
        guard unsafe SSL_CTX_use_cert_and_key(context, certificates[0], key, chain, 1) == 1 else {
            throw TLSError(
                reason: .badConfiguration,
                message: "the certificate \(identity.certificateChain) cannot be used: \(OpenSSLErrors.drain().text)")
        }
    }

    /// Sets the ciphers, except those in `excluded`, which has the form `":!aNULL"`.
    static func use(
        ciphers: String?, excluded: String = "", suites: String?, in context: OpaquePointer
    ) throws(TLSError) {
        if let ciphers, unsafe SSL_CTX_set_cipher_list(context, ciphers + excluded) != 1 {
            OpenSSLErrors.clear()
            throw TLSError(reason: .badConfiguration, message: "no usable cipher in '\(ciphers)'")
        }
        if let suites, unsafe SSL_CTX_set_ciphersuites(context, suites) != 1 {
            OpenSSLErrors.clear()
            throw TLSError(reason: .badConfiguration, message: "no usable TLS 1.3 cipher suites in '\(suites)'")
        }
    }

    /// Offers AES-128 before AES-256 in TLS 1.3, as browsers and Go do.
    ///
    /// The suite with AES-128 is mandatory (RFC 8446 9.1). No practical attack on AES-128 or AES-256 is known, and
    /// AES-128 costs client and server about 10 % less time. If the system's configuration has changed the list of
    /// suites, that list is kept, because the administrator chose it.
    static func preferShorterKeys(in context: OpaquePointer) {
        let list = unsafe SSL_CTX_get_ciphers(context)
        let suites = unsafe (0..<OPENSSL_sk_num(list)).compactMap { index in
            unsafe OPENSSL_sk_value(list, index).flatMap { unsafe SSL_CIPHER_get_name(OpaquePointer($0)) }.map {
                unsafe String(cString: $0)
            }
        }.filter { $0.hasPrefix("TLS_") }
        guard suites == opensslSuites else { return }
        unsafe SSL_CTX_set_ciphersuites(
            context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256")
    }

    private static let opensslSuites = [
        "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256",
    ]

    static func checked(protocols: [String]) throws(TLSError) -> [[UInt8]] {
        let names = protocols.map { Array($0.utf8) }
        guard names.allSatisfy({ (1...255).contains($0.count) }) else {
            throw TLSError(reason: .badConfiguration, message: "an ALPN protocol name must have 1 to 255 bytes")
        }
        return names
    }
}
