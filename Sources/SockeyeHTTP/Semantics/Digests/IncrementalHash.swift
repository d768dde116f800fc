import COpenSSL
package import SockeyeCore

/// An incremental hash (init, update, finish), by OpenSSL.
// `@unchecked Sendable`: whoever has it may hand it over to another thread, but only one at a time uses it.
@safe package final class IncrementalHash: @unchecked Sendable {
    /// The hash functions that are needed here.
    package enum Function: Sendable, Hashable {
        case sha256
        case sha512
        /// For the handshake of WebSocket alone (RFC 6455 4.2.2), where nothing depends on its strength.
        case sha1
    }

    private let context: OpaquePointer

    /// Nil when the library has no memory, or was built without the function.
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

    /// Takes further bytes.
    package func update(_ bytes: Bytes) {
        unsafe bytes.withUnsafeBytes { _ = unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The hash of all bytes so far. Nothing can be added afterwards.
    package func finish() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard unsafe EVP_DigestFinal_ex(context, &hash, &count) == 1 else { return [] }
        return Array(hash.prefix(Int(count)))
    }
}
