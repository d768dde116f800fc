import COpenSSL

extension TLSEngine {
    /// Sends what `prepare` makes OpenSSL want to send, unless it still has to send what was prepared before.
    func sendMessage(_ prepare: (OpaquePointer) -> Int32) -> Transfer {
        guard unsafe SSL_in_init(ssl) == 1 || prepare(ssl) == 1 else {
            return .failed(.tls(TLSFailure(reason: .other, message: OpenSSLErrors.drain().text)))
        }
        switch attempt({ unsafe SSL_do_handshake(ssl) }) {
        case .done, .end: return .bytes(0)
        case .turnOver: return .wouldBlock(.read)
        case .wouldBlock(let interest): return .wouldBlock(interest)
        case .failed(let error): return .failed(error)
        }
    }
}
