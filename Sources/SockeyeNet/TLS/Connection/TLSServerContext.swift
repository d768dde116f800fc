import COpenSSL
package import SockeyeCore

/// A server's TLS context, for tests and test servers.
package final class TLSServerContext: Sendable {
    package struct Configuration: Sendable {
        package enum ClientCertificates: Sendable {
            case notRequested
            /// Verified if sent.
            case optional
            case required
            /// Required, but requested at some time after the handshake; TLS 1.3 only (RFC 8446 4.6.2).
            case afterHandshake
        }

        package var identity: TLSOptions.Identity
        package var clientCertificates = ClientCertificates.notRequested
        /// The trusted roots of clients' certificates.
        package var clientRoots: TLSOptions.PEM?
        package var minimumVersion = TLSOptions.Version.v1_2
        package var maximumVersion = TLSOptions.Version.v1_3
        package var ciphers: String?
        package var cipherSuites: String?
        /// The ALPN protocols, best first. If a client offers none of them, its ALPN extension is not answered.
        package var applicationProtocols: [String] = ["http/1.1"]
        /// True if sessions can be resumed: by tickets, or in TLS 1.2 by identifiers.
        package var offersSessions = true
        /// OpenSSL's security level; nil for the default. A low level allows weak certificates, for testing that
        /// clients refuse them.
        package var securityLevel: Int32?
        /// The OCSP response in DER form to staple for clients that request one.
        package var stapledResponse: Bytes?

        package init(identity: TLSOptions.Identity) {
            self.identity = identity
        }
    }

    package let configuration: Configuration
    let object: OpenSSLObject
    let acceptedProtocols: [[UInt8]]

    package init(_ configuration: Configuration) throws(TLSError) {
        self.configuration = configuration
        acceptedProtocols = try ContextSetup.checked(protocols: configuration.applicationProtocols)
        object = try unsafe ContextSetup.make(
            TLS_server_method(), minimum: configuration.minimumVersion, maximum: configuration.maximumVersion)
        try unsafe object.withPointer { context throws(TLSError) in try unsafe Self.setUp(context, configuration) }
    }

    private static func setUp(_ context: OpaquePointer, _ configuration: Configuration) throws(TLSError) {
        if let level = configuration.securityLevel { unsafe SSL_CTX_set_security_level(context, level) }
        try unsafe ContextSetup.use(ciphers: configuration.ciphers, suites: configuration.cipherSuites, in: context)
        try unsafe ContextSetup.use(configuration.identity, in: context)
        unsafe SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
        if configuration.stapledResponse != nil { unsafe sockeye_ctx_set_status_callback(context, stapleResponse) }
        try unsafe requestClientCertificates(configuration, in: context)
        unsafe offerSessions(configuration, in: context)
    }

    private static func requestClientCertificates(
        _ configuration: Configuration, in context: OpaquePointer
    ) throws(TLSError) {
        switch configuration.clientCertificates {
        case .notRequested: return
        case .optional: unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        case .required: unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        case .afterHandshake:
            let mode = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT | SSL_VERIFY_POST_HANDSHAKE
            unsafe SSL_CTX_set_verify(context, mode, nil)
        }
        guard let roots = configuration.clientRoots else {
            throw TLSError(
                reason: .badConfiguration, message: "client certificates are requested, but no client roots are set")
        }
        let certificates = try unsafe PEMReader.certificates(roots, role: "client roots")
        defer { unsafe certificates.forEach(X509_free) }
        for index in unsafe certificates.indices {
            let certificate = unsafe certificates[index]
            unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate)
            unsafe SSL_CTX_add_client_CA(context, certificate)
        }
        OpenSSLErrors.clear()
    }

    private static func offerSessions(_ configuration: Configuration, in context: OpaquePointer) {
        if configuration.offersSessions {
            // OpenSSL requires a session id context if clients are verified.
            let name = Array("sockeye".utf8)
            unsafe SSL_CTX_set_session_id_context(context, name, UInt32(name.count))
        } else {
            unsafe SSL_CTX_set_options(context, sockeye_op_no_ticket)
            unsafe SSL_CTX_set_num_tickets(context, 0)
            unsafe sockeye_ctx_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        }
    }
}

private func stapleResponse(_ ssl: OpaquePointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    guard let ssl = unsafe ssl, let response = unsafe ConnectionHooks.of(ssl)?.stapledResponse else {
        return SSL_TLSEXT_ERR_NOACK
    }
    return unsafe response.withUnsafeBytes { buffer in
        let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let isTaken = unsafe sockeye_staple_response(ssl, start, Int32(buffer.count)) == 1
        return isTaken ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK
    }
}

private func selectProtocol(
    _ ssl: OpaquePointer?, _ output: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ outputLength: UnsafeMutablePointer<UInt8>?, _ input: UnsafePointer<UInt8>?, _ inputLength: UInt32,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let hooks = unsafe ConnectionHooks.of(ssl), let input = unsafe input else { return SSL_TLSEXT_ERR_NOACK }
    let offered = unsafe UnsafeBufferPointer(start: input, count: Int(inputLength))
    for name in hooks.acceptedProtocols {
        var index = 0
        while index < offered.count {
            let length = unsafe Int(offered[index])
            let range = (index + 1)..<min(index + 1 + length, offered.count)
            if unsafe offered[range].elementsEqual(name) {
                unsafe output?.pointee = unsafe input + range.lowerBound
                unsafe outputLength?.pointee = UInt8(length)
                return SSL_TLSEXT_ERR_OK
            }
            index += 1 + length
        }
    }
    return SSL_TLSEXT_ERR_NOACK
}
