import COpenSSL
import SockeyeCore

/// Pins in the form in which they are compared.
struct PinSet: Sendable {
    private let publicKeys: Set<String>
    private let certificates: Set<Bytes>

    /// Throws `.badConfiguration` for a pin that is not one: a typing error must not silently refuse, or allow, a server.
    init(_ pinning: TLSPinning) throws(TLSFailure) {
        switch pinning.kind {
        case .publicKeys(let pins):
            var keys: Set<String> = []
            for pin in pins { keys.insert(try Self.digest(of: pin)) }
            publicKeys = keys
            certificates = []
        case .certificates(let list):
            for certificate in list { _ = try Self.digest(of: .certificate(certificate)) }
            certificates = list
            publicKeys = []
        }
    }

    private static func digest(of pin: TLSPinning.PublicKeyPin) throws(TLSFailure) -> String {
        switch pin.source {
        case .digest(let text):
            let base64 = text.utf8.dropFirst(7)
            let isDigest = text.hasPrefix("sha256/") && base64.count == 44 && base64.last == UInt8(ascii: "=")
            guard isDigest, base64.dropLast().allSatisfy(isBase64) else {
                throw TLSFailure(
                    reason: .badConfiguration, message: "'\(text)' is not a pin: sha256/ and 44 Base64 characters")
            }
            return text
        case .certificate(let der):
            guard let key = TLSPinning.PublicKeyPin.digest(ofCertificate: der) else {
                throw TLSFailure(reason: .badConfiguration, message: "a pinned certificate is not X.509 in DER form")
            }
            return key
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }

    func matches(_ certificate: CertificateView) -> Bool {
        if !certificates.isEmpty { return certificates.contains(certificate.der) }
        guard let pin = certificate.publicKeyPin else { return false }
        return publicKeys.contains(pin)
    }
}
