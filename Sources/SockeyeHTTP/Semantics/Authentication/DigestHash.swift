import COpenSSL
package import SockeyeCore

/// The hash functions of Digest (RFC 7616 3.2), implemented by OpenSSL, in order of strength. `sha512` is SHA-512/256,
/// which the parameter `algorithm` of a challenge names SHA-512-256.
package enum DigestHash: Int, Sendable, Hashable, Comparable {
    case md5, sha256, sha512

    package static func < (left: DigestHash, right: DigestHash) -> Bool { left.rawValue < right.rawValue }

    /// Returns the hash in lower-case hexadecimal; nil if OpenSSL refuses the function, as it does for MD5 in FIPS
    /// mode.
    package func hexadecimal(of text: String) -> String? {
        var text = text
        return text.withUTF8 { unsafe hexadecimal(of: UnsafeRawBufferPointer($0)) }
    }

    /// Returns the hash of bytes.
    package func hexadecimal(of bytes: Bytes) -> String? {
        unsafe bytes.withUnsafeBytes { unsafe hexadecimal(of: $0) }
    }

    private func hexadecimal(of bytes: UnsafeRawBufferPointer) -> String? {
        sockeye_keep_until_exit()
        var digest = [UInt8](repeating: 0, count: 32)
        // All three digests fit. The pointer to the hash function is valid as long as the library is loaded.
        guard unsafe EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, function, nil) == 1 else {
            ERR_clear_error()
            return nil
        }
        return String(hexadecimal: digest.prefix(self == .md5 ? 16 : 32))
    }

    private var function: OpaquePointer? {
        switch self {
        case .md5: unsafe EVP_md5()
        case .sha256: unsafe EVP_sha256()
        case .sha512: unsafe EVP_sha512_256()
        }
    }
}
