import COpenSSL
import SockeyeCore

extension TLSEngine {
    var info: TLSInfo {
        unsafe TLSInfo(
            version: SSL_version(ssl) == TLS1_3_VERSION ? .v1_3 : .v1_2,
            cipher: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { unsafe String(cString: $0) } ?? "",
            applicationProtocol: applicationProtocol,
            isResumed: unsafe SSL_session_reused(ssl) == 1,
            verification: hooks.verifier?.verification ?? .none,
            isPinned: hooks.verifier?.pins != nil,
            peerCertificates: peerCertificates,
            serverName: unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
        )
    }

    private var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &count)
        guard let name = unsafe name, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    private var peerCertificates: [Bytes] {
        guard let own = unsafe SSL_get1_peer_certificate(ssl) else { return [] }
        defer { unsafe X509_free(own) }
        var chain = unsafe [CertificateView(pointer: own).der]
        let list = unsafe SSL_get_peer_cert_chain(ssl)
        // The list of a server begins with its own certificate, that of a client does not.
        let first: Int32 = unsafe SSL_is_server(ssl) == 1 ? 0 : 1
        guard let list = unsafe list, unsafe OPENSSL_sk_num(list) > first else { return chain }
        for index in unsafe first..<OPENSSL_sk_num(list) {
            guard let certificate = unsafe OPENSSL_sk_value(list, index) else { continue }
            unsafe chain.append(CertificateView(pointer: OpaquePointer(certificate)).der)
        }
        return chain
    }
}
