import COpenSSL
package import SockeyeCore

extension TLSOptions {
    /// Keys or certificates, at least one of which must be in the server's chain (matching as in RFC 7469 2.6).
    ///
    /// Pinning adds to ``TLSOptions/verification`` and replaces no part of it:
    ///
    /// - If ``TLSOptions/verification`` includes the chain (`full` or `chainOnly`) and the chain passes, any
    ///   certificate of the verified chain may match: leaf, intermediate or root.
    /// - If the verification excludes the chain (`hostNameOnly` or `none`), pinned certificates are the only anchors:
    ///   the chain must lead to one of them, and no certificate of the chain may have expired. With pinned keys, a
    ///   chain of signatures must lead to one of the keys, and expiry is not checked. A server with a self-signed
    ///   certificate can thus be identified by its key. With either kind of pin, the chain may consist of the pinned
    ///   leaf alone. OpenSSL's security level, which ``TLSOptions/ciphers`` can set, applies to the chain.
    /// - If the verification includes the chain and the chain fails, the server is refused even if a pin matches. Only
    ///   ``TLSOptions/evaluate`` can accept it. For that closure, a pin matches (``TLSTrust/pinsMatched``) by the rules
    ///   of the case before this one.
    ///
    /// One match is enough, so add a backup pin of a key that is stored elsewhere. An empty set refuses every server. A
    /// request over plain http to a host with pins fails before anything is sent.
    ///
    /// The counterpart of AFNetworking's `AFSSLPinningModePublicKey` and `AFSSLPinningModeCertificate`.
    ///
    /// ```swift
    /// let keys = try TLSOptions.Pinning.publicKey([
    ///     .spki("sha256/47DEQ…"), .spki("sha256/y6Tm…")
    /// ])
    /// let certificates = try TLSOptions.Pinning.certificate(
    ///     folder: "/etc/service/pins")
    /// ```
    public struct Pinning: Sendable, Hashable, CustomStringConvertible {
        /// A pinned public key.
        public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
            /// `sha256/` and the Base64 of the digest, even if the pin was given in another form.
            public let description: String

            /// Pins a key by the SHA-256 of its SubjectPublicKeyInfo.
            ///
            /// `openssl x509 -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64` prints
            /// it for a certificate on standard input.
            ///
            /// - Parameter digest: 44 characters of Base64 or 64 hexadecimal digits, optionally after `sha256/` (or
            ///   curl's `sha256//`).
            public static func spki(_ digest: String) throws(TLSOptions.Fault) -> PublicKeyPin {
                PublicKeyPin(description: try PinDigest.parse(digest))
            }
        }

        /// A pinned certificate.
        public struct CertificatePin: Sendable, Hashable, CustomStringConvertible {
            /// `sha256/` and the Base64 of the certificate's digest, even if the pin was given in another form.
            public let description: String
            /// The certificate, which is an anchor even if the server does not send it; nil if the pin was made from a
            /// digest.
            package let der: Bytes?

            /// Pins a certificate by the SHA-256 of its DER form, as `openssl x509 -fingerprint -sha256` prints it.
            ///
            /// - Parameter digest: 44 characters of Base64 or 64 hexadecimal digits, with or without colons, optionally
            ///   after `sha256/`.
            public static func sha256(_ digest: String) throws(TLSOptions.Fault) -> CertificatePin {
                CertificatePin(description: try PinDigest.parse(digest), der: nil)
            }
        }

        package enum Kind: Sendable, Hashable {
            case publicKeys(Set<PublicKeyPin>)
            case certificates(Set<CertificatePin>)
        }

        package let kind: Kind

        /// Requires one of these keys in the chain. If the only pinned key is lost, all clients are locked out.
        public static func publicKey(_ pins: [PublicKeyPin]) -> TLSOptions.Pinning {
            TLSOptions.Pinning(kind: .publicKeys(Set(pins)))
        }

        /// Requires one of these certificates in the chain.
        public static func certificate(_ pins: [CertificatePin]) -> TLSOptions.Pinning {
            TLSOptions.Pinning(kind: .certificates(Set(pins)))
        }

        package var isEmpty: Bool {
            switch kind {
            case .publicKeys(let pins): pins.isEmpty
            case .certificates(let pins): pins.isEmpty
            }
        }

        /// The kind and the number of pins.
        public var description: String {
            switch kind {
            case .publicKeys(let pins): "\(pins.count) public key\(pins.count == 1 ? "" : "s")"
            case .certificates(let pins): "\(pins.count) certificate\(pins.count == 1 ? "" : "s")"
            }
        }
    }
}

/// Parses the text of a pin: a SHA-256 in one of the common notations.
enum PinDigest {
    /// Returns the digest as `sha256/` and Base64.
    static func parse(_ text: String) throws(TLSOptions.Fault) -> String {
        // A second slash may end curl's prefix or begin the Base64. Only one prefix leaves a digest of valid length.
        for prefix in ["", "sha256/", "sha256//"] where text.hasPrefix(prefix) {
            let rest = text.dropFirst(prefix.count)
            if let digest = bytes(hexadecimal: rest) ?? bytes(base64: rest) { return CertificateView.pinText(digest) }
        }
        throw TLSOptions.Fault(
            "a pin is a SHA-256 in 44 characters of Base64 or 64 hexadecimal digits, unlike '\(text.prefix(100))'")
    }

    private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }.map(value(ofDigit:))
        let colons = text.utf8.count - digits.count
        guard digits.count == 64, colons == 0 || colons == 31, !digits.contains(nil) else { return nil }
        return (0..<32).map { index in
            let (high, low) = (digits[2 * index] ?? 0, digits[2 * index + 1] ?? 0)
            return high << 4 | low
        }
    }

    private static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func bytes(base64 text: Substring) -> [UInt8]? {
        let characters = Array(text.utf8)
        // OpenSSL's decoder skips blanks and ignores stray bits in the last character; encoding again finds both.
        guard characters.count == 44, characters.last == UInt8(ascii: "=") else { return nil }
        var decoded = [UInt8](repeating: 0, count: 33)
        guard unsafe EVP_DecodeBlock(&decoded, characters, 44) == 33 else { return nil }
        let digest = Array(decoded.dropLast())
        return CertificateView.pinText(digest).utf8.dropFirst(7).elementsEqual(characters) ? digest : nil
    }
}

extension TLSOptions {
    /// The error that is thrown when a pin is created from a malformed digest, or from certificates that are missing,
    /// malformed or unreadable.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// The problem; if known, with the malformed text or the path of the file.
        public let description: String

        package init(_ description: String) {
            self.description = description
        }
    }
}
