import COpenSSL
package import SockeyeNet

/// Messages of TLS that a peer may send after the handshake; a hostile one repeats them at will.
extension TLSStream {
    /// A KeyUpdate (RFC 8446 4.6.3), over TLS 1.3 only.
    ///
    /// - Parameter wantsAnswer: Whether the other side is to change its keys as well, and say so.
    package func sendKeyUpdate(wantsAnswer: Bool = false) -> Transfer {
        let kind = wantsAnswer ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED
        return unsafe sendMessage { unsafe SSL_key_update($0, kind) }
    }

    /// A HelloRequest (RFC 5246 7.4.1.1) after the handshake, over TLS 1.2 only: a server's wish to negotiate anew.
    package func askToRenegotiate() -> Transfer {
        unsafe sendMessage { ssl in
            unsafe SSL_clear_options(ssl, sockeye_op_no_renegotiation)
            return unsafe SSL_renegotiate(ssl)
        }
    }

    /// A CertificateRequest after the handshake (RFC 8446 4.6.2), over TLS 1.3 only, to a client that offers to answer it. The
    /// answer is read with the next content.
    package func askForCertificate() -> Transfer {
        unsafe sendMessage { unsafe SSL_verify_client_post_handshake($0) }
    }

    /// The record of a HelloRequest before there are keys. A client ignores any number of them in a handshake.
    package static let plainHelloRequest: [UInt8] = [22, 3, 3, 0, 4, 0, 0, 0, 0]
}
