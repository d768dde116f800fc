import COpenSSL
package import SockeyeCore

/// An incremental hash (init, update, finish), implemented by OpenSSL.
// `@unchecked Sendable`: the owner may pass it to another thread, but only one thread at a time uses it.
@safe package final class IncrementalHash: @unchecked Sendable {
    /// The supported hash functions.
    package enum Function: Sendable, Hashable {
        case sha256
        case sha512
        /// Only for the handshake of WebSocket (RFC 6455 4.2.2), where its strength does not matter.
        case sha1
    }

    private let context: OpaquePointer

    /// Nil if there is no memory, or if OpenSSL does not offer the function.
    package init?(_ function: Function) {
        sockeye_keep_until_exit()
        let type =
            switch function {
            case .sha256: unsafe EVP_sha256()
            case .sha512: unsafe EVP_sha512()
            case .sha1: unsafe EVP_sha1()
            }
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        guard unsafe EVP_DigestInit_ex(context, type, nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    /// Adds bytes to the hash.
    package func update(_ bytes: Bytes) {
        unsafe bytes.withUnsafeBytes { _ = unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Returns the hash of all bytes; empty if OpenSSL fails. No bytes can be added afterwards.
    package func finish() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard unsafe EVP_DigestFinal_ex(context, &hash, &count) == 1 else { return [] }
        return Array(hash.prefix(Int(count)))
    }
}
