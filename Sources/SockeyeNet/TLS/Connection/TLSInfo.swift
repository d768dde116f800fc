import COpenSSL
package import SockeyeCore

/// The result of a TLS handshake: the negotiated parameters and the peer's certificates. It is the property `tls` of a
/// response.
public struct TLSInfo: Sendable, CustomStringConvertible {
    /// The version of TLS.
    public var version: TLSOptions.Version { storage.version }
    /// The cipher suite by OpenSSL's name. For TLS 1.3 this is the name in RFC 8446.
    public var cipher: String { storage.cipher }
    /// The protocol that ALPN selected; nil if the peer selected none.
    public var applicationProtocol: String? { storage.applicationProtocol }
    /// True if an earlier session was resumed. The server's certificates were then verified only in the first handshake
    /// of that session.
    public var isResumed: Bool { storage.isResumed }
    /// The name in SNI: sent by a client, received by a server. Nil for an IP address, which SNI excludes (RFC 6066 3).
    public var serverName: String? { storage.serverName }
    /// True if the kernel encrypts sent data; see ``TLSOptions/usesKernelTLS``.
    public var isEncryptedByKernel: Bool { storage.isEncryptedByKernel }
    /// True if the kernel decrypts received data.
    public var isDecryptedByKernel: Bool { storage.isDecryptedByKernel }
    /// The server's certificates and the result of their verification. Assembled on each access.
    public var trust: TLSTrust { TLSTrust(storage.evidence) }

    /// A reference, since each response has a copy of this value.
    private let storage: Storage

    final class Storage: Sendable {
        let version: TLSOptions.Version
        let cipher: String
        let applicationProtocol: String?
        let isResumed: Bool
        let serverName: String?
        let isEncryptedByKernel: Bool
        let isDecryptedByKernel: Bool
        let evidence: TLSEvidence

        init(
            version: TLSOptions.Version, cipher: String, applicationProtocol: String?, isResumed: Bool,
            serverName: String?, isEncryptedByKernel: Bool, isDecryptedByKernel: Bool, evidence: TLSEvidence
        ) {
            self.version = version
            self.cipher = cipher
            self.applicationProtocol = applicationProtocol
            self.isResumed = isResumed
            self.serverName = serverName
            self.isEncryptedByKernel = isEncryptedByKernel
            self.isDecryptedByKernel = isDecryptedByKernel
            self.evidence = evidence
        }
    }

    init(_ storage: Storage) {
        self.storage = storage
    }

    /// On a client, the configured verification of the server's certificate. On a server, always `.chainOnly`, the only
    /// verification of client certificates.
    package var verification: TLSOptions.Verification { storage.evidence.verification }
    /// True if a pin matched.
    package var isPinned: Bool { storage.evidence.pinsMatched == true }
    /// The certificates that the peer sent, in DER form, its own first. Empty for a client without a certificate.
    package var peerCertificates: [Bytes] { storage.evidence.sentCertificates }

    /// Version and cipher, such as `TLS 1.3 with TLS_AES_128_GCM_SHA256`.
    public var description: String { "\(version) with \(cipher)" }
}

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

    var isEncryptedByKernel: Bool { link.kernel?.isSending ?? false }

    private var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &count)
        guard let name = unsafe name, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// The evidence from the session alone. Used if the peer was not verified in this handshake, because the session
    /// was resumed or the client sent no certificate.
    private var sessionEvidence: TLSEvidence {
        let list = unsafe OPENSSL_sk_new_null()
        defer { unsafe OPENSSL_sk_free(list) }
        // On a server, SSL_get_peer_cert_chain(3) does not include the client's own certificate.
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
