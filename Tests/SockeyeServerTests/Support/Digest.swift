import COpenSSL
import Sockeye

/// An incremental hash of bytes. Default: SHA-256.
@safe final class Digest {
    /// MD5 and SHA-1 are used in the password files of servers.
    enum Algorithm {
        case sha256, sha1, md5
    }

    private let context: OpaquePointer?

    init(_ algorithm: Algorithm = .sha256) {
        unsafe context = unsafe EVP_MD_CTX_new()
        let method =
            switch algorithm {
            case .sha256: unsafe EVP_sha256()
            case .sha1: unsafe EVP_sha1()
            case .md5: unsafe EVP_md5()
            }
        unsafe EVP_DigestInit_ex(context, method, nil)
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    func update(_ bytes: some Collection<UInt8>) {
        let copied: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            _ = unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
        if copied == nil { update(Array(bytes)) }
    }

    func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        unsafe EVP_DigestFinal_ex(context, &digest, &count)
        return Array(digest.prefix(Int(count)))
    }

    static func of(_ bytes: some Collection<UInt8>, by algorithm: Algorithm = .sha256) -> [UInt8] {
        let digest = Digest(algorithm)
        digest.update(bytes)
        return digest.finish()
    }

    static func hexadecimal(of text: String, by algorithm: Algorithm) -> String {
        of(Bytes(text), by: algorithm).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
