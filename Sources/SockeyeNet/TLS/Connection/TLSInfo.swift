import COpenSSL
package import SockeyeCore

/// What a TLS handshake has agreed on, and what is known of the peer. `tls` of a response.
public struct TLSInfo: Sendable, CustomStringConvertible {
    /// The version of TLS.
    public var version: TLSOptions.Version { storage.version }
    /// OpenSSL's name of the cipher suite, which for TLS 1.3 is the RFC's.
    public var cipher: String { storage.cipher }
    /// The protocol that ALPN chose; nil without an answer.
    public var applicationProtocol: String? { storage.applicationProtocol }
    /// Whether an earlier session was resumed; its certificates were verified then.
    public var isResumed: Bool { storage.isResumed }
    /// The name in SNI: sent by a client, received by a server. None is sent for an address (RFC 6066 3).
    public var serverName: String? { storage.serverName }
    /// Whether the kernel encrypts what is sent, see ``TLSOptions/usesKernelTLS``.
    public var isEncryptedByKernel: Bool { storage.isEncryptedByKernel }
    /// Whether the kernel decrypts what is received.
    public var isDecryptedByKernel: Bool { storage.isDecryptedByKernel }
    /// The server's certificates and what was made of them. Put together when it is asked for.
    public var trust: TLSTrust { TLSTrust(storage.evidence) }

    /// By reference, since each response has one.
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

    /// What was verified of a server. ``TLSTrust/Verification/chainOnly`` for a client's certificate.
    package var verification: TLSOptions.Verification { storage.evidence.verification }
    /// Whether a pin matched.
    package var isPinned: Bool { storage.evidence.pinsMatched == true }
    /// The peer's certificates in DER form, its own first, as it sent them. Empty for a client without one.
    package var peerCertificates: [Bytes] { storage.evidence.sentCertificates }

    /// Such as `TLS 1.3 with TLS_AES_128_GCM_SHA256`.
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
