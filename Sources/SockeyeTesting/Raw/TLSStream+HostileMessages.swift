import COpenSSL
package import SockeyeNet

/// TLS messages that a hostile peer may repeat without limit. Each method sends a message after the handshake, and
/// returns `.bytes(0)` once the message is sent.
extension TLSStream {
    /// Sends a KeyUpdate (RFC 8446 4.6.3), over TLS 1.3 only.
    ///
    /// - Parameter wantsAnswer: True to request that the other side updates its keys as well.
    package func sendKeyUpdate(wantsAnswer: Bool = false) -> Transfer {
        let kind = wantsAnswer ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED
        return unsafe sendMessage { unsafe SSL_key_update($0, kind) }
    }

    /// Sends a HelloRequest (RFC 5246 7.4.1.1) after the handshake, over TLS 1.2 only.
    package func askToRenegotiate() -> Transfer {
        unsafe sendMessage { ssl in
            unsafe SSL_clear_options(ssl, sockeye_op_no_renegotiation)
            return unsafe SSL_renegotiate(ssl)
        }
    }

    /// Sends a CertificateRequest after the handshake (RFC 8446 4.6.2), over TLS 1.3 only, to a client that offers
    /// post-handshake authentication. This side processes the client's answer when it next reads application data.
    package func askForCertificate() -> Transfer {
        unsafe sendMessage { unsafe SSL_verify_client_post_handshake($0) }
    }

    /// A record with an unencrypted HelloRequest. During a handshake, OpenSSL as a client ignores every such record,
    /// so it would read any number of them.
    package static let plainHelloRequest: [UInt8] = [22, 3, 3, 0, 4, 0, 0, 0, 0]
}
