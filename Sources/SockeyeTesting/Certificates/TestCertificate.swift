import COpenSSL
public import SockeyeCore
public import SockeyeNet

/// A certificate made for a test, with its private key and the intermediate certificates up to its root.
public struct TestCertificate: Sendable {
    /// The certificate in DER form.
    public let der: Bytes
    /// Its private key.
    public let key: TestKey
    /// The DER forms of the intermediates between this certificate and its root, nearest first.
    public let intermediates: [Bytes]

    /// The certificate in PEM.
    public var pem: String { Self.pem([der]) }

    /// The certificate and its intermediates in PEM, in the order in which a server is configured with them.
    public var chainPEM: String { Self.pem([der] + intermediates) }

    /// The certificate's pin: `sha256/` and the Base64 of the SHA-256 of its SubjectPublicKeyInfo.
    public var publicKeyPin: String {
        (try? TLSOptions.Pinning.PublicKeyPin.certificate(der).description) ?? ""
    }

    /// The certificate with its chain and key, as a client or server presents it.
    public var identity: TLSOptions.Identity {
        .pem(certificateChain: .text(chainPEM), privateKey: .text(key.pem))
    }

    /// The certificate and key without the intermediates, for a server that is misconfigured in this way.
    public var identityWithoutIntermediates: TLSOptions.Identity {
        .pem(certificateChain: .text(pem), privateKey: .text(key.pem))
    }

    static func pem(_ certificates: [Bytes]) -> String {
        let texts = certificates.map { der in
            let text = try? unsafe withCertificate(der) { certificate in
                unsafe OpenSSLCall.memory { unsafe PEM_write_bio_X509($0, certificate) == 1 }
            }
            return text.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return texts.joined()
    }

    static func withCertificate<Result>(
        _ der: Bytes, _ body: (OpaquePointer) -> Result
    ) throws(TestCertificateError) -> Result {
        sockeye_keep_until_exit()
        let certificate = unsafe der.withUnsafeBytes { buffer in
            var next = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe d2i_X509(nil, &next, buffer.count)
        }
        guard let certificate = unsafe certificate else { throw OpenSSLCall.failure("reading a certificate") }
        defer { unsafe X509_free(certificate) }
        return unsafe body(certificate)
    }
}
