import COpenSSL

extension TLSEngine {
    var info: TLSInfo {
        unsafe TLSInfo(
            TLSInfo.Storage(
                version: SSL_version(ssl) == TLS1_3_VERSION ? .v1_3 : .v1_2,
                cipher: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { unsafe String(cString: $0) } ?? "",
                applicationProtocol: applicationProtocol, isResumed: SSL_session_reused(ssl) == 1,
                serverName: SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) },
                isEncryptedByKernel: isEncryptedByKernel, isDecryptedByKernel: link.kernel?.isReceiving ?? false,
                evidence: hooks.evidence ?? sessionEvidence))
    }

    /// Whether what is written to the stream below becomes records of TLS there.
    var isEncryptedByKernel: Bool { link.kernel?.isSending ?? false }

    private var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &count)
        guard let name = unsafe name, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// What a session says of a peer that nothing else is known of: a client that showed no certificate, or one whose session
    /// a server has resumed.
    private var sessionEvidence: TLSEvidence {
        let list = unsafe OPENSSL_sk_new_null()
        defer { unsafe OPENSSL_sk_free(list) }
        // Of a client OpenSSL keeps its own certificate and the others apart.
        if let own = unsafe SSL_get0_peer_certificate(ssl) {
            unsafe OPENSSL_sk_push(list, UnsafeRawPointer(own))
            let others = unsafe SSL_get_peer_cert_chain(ssl).map { unsafe TLSEvidence.all($0) } ?? []
            let rest = unsafe SSL_is_server(ssl) == 1 ? others[...] : others.dropFirst()
            for certificate in rest { unsafe OPENSSL_sk_push(list, UnsafeRawPointer(certificate.pointer)) }
        }
        return unsafe TLSEvidence(
            host: hooks.verifier?.name?.description ?? "", verification: hooks.verifier?.verification ?? .none,
            sent: TLSEvidence.keep(list), chain: nil, TLSEvidence.Findings())
    }
}
