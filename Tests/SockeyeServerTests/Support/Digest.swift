import COpenSSL
import Sockeye

/// SHA-256 of bytes that come piece by piece.
final class Digest {
    private let context: OpaquePointer?

    init() {
        context = EVP_MD_CTX_new()
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    func update(_ bytes: some Collection<UInt8>) {
        let copied: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            _ = EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
        if copied == nil { update(Array(bytes)) }
    }

    func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }

    static func of(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digest = Digest()
        digest.update(bytes)
        return digest.finish()
    }
}
