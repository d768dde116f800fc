import COpenSSL
import SockeyeCore

/// A private key for test certificates.
///
/// The key is not protected in memory, so never use it outside tests.
public struct TestKey: Sendable {
    /// The kind and the strength of a key.
    @nonexhaustive public enum Algorithm: Sendable, Hashable {
        /// ECDSA on P-256, made in well under a millisecond. The default.
        case p256
        /// RSA with `bits` bits. With 1024 bits you can test that a client refuses weak keys.
        case rsa(bits: Int)
    }

    /// The key in unencrypted PKCS #8 DER.
    let der: Bytes

    /// Makes a new key.
    public init(_ algorithm: Algorithm = .p256) throws(TestCertificateError) {
        sockeye_keep_until_exit()
        let key =
            switch algorithm {
            case .p256: unsafe sockeye_new_ec_key("P-256")
            case .rsa(let bits): unsafe sockeye_new_rsa_key(bits)
            }
        guard let key = unsafe key else { throw OpenSSLCall.failure("making a key") }
        defer { unsafe EVP_PKEY_free(key) }
        guard
            let der = unsafe OpenSSLCall.memory({ unsafe i2d_PKCS8PrivateKey_bio($0, key, nil, nil, 0, nil, nil) == 1 })
        else {
            throw OpenSSLCall.failure("writing a key")
        }
        self.der = der
    }

    /// The key in PEM, unencrypted.
    public var pem: String {
        let text = try? unsafe withKey { key throws(TestCertificateError) in
            unsafe OpenSSLCall.memory { unsafe PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) == 1 }
        }
        return text.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The key in PEM, encrypted with AES-256 under `passphrase`.
    public func pem(passphrase: String) throws(TestCertificateError) -> String {
        let text = try unsafe withKey { key throws(TestCertificateError) in
            unsafe OpenSSLCall.memory { bio in
                unsafe passphrase.withCString { phrase in
                    unsafe PEM_write_bio_PKCS8PrivateKey(
                        bio, key, EVP_aes_256_cbc(), phrase, Int32(passphrase.utf8.count), nil, nil) == 1
                }
            }
        }
        guard let text else { throw OpenSSLCall.failure("encrypting a key") }
        return String(decoding: text, as: UTF8.self)
    }

    func withKey<Result>(
        _ body: (OpaquePointer) throws(TestCertificateError) -> Result
    ) throws(TestCertificateError) -> Result {
        let key = unsafe der.withUnsafeBytes { buffer in
            var next = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe d2i_AutoPrivateKey(nil, &next, buffer.count)
        }
        guard let key = unsafe key else { throw OpenSSLCall.failure("reading a key") }
        defer { unsafe EVP_PKEY_free(key) }
        return try unsafe body(key)
    }
}
