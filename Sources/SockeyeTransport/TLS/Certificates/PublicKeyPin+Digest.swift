import COpenSSL
package import SockeyeCore

extension TLSPinning.PublicKeyPin {
    /// The pin of the key of a certificate in DER form; nil when that is not a certificate.
    package static func digest(ofCertificate der: Bytes) -> String? {
        defer { OpenSSLErrors.clear() }
        return unsafe der.withUnsafeBytes { buffer in
            var next = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let certificate = unsafe d2i_X509(nil, &next, buffer.count) else { return nil }
            defer { unsafe X509_free(certificate) }
            return unsafe CertificateView(pointer: certificate).publicKeyPin
        }
    }
}
