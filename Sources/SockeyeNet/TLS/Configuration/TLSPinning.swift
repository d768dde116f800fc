package import SockeyeCore

extension TLSOptions {
    /// Keys or certificates of which one must be in the server's chain (RFC 7469 2.6 for the matching).
    ///
    /// A pin comes on top of ``TLSOptions/verification`` and replaces no part of it:
    ///
    /// - Where the chain is verified, any certificate of it may match: leaf, intermediate or root.
    /// - Where it is not, pinned certificates are the only anchors: the chain must lead to one of them and must not have
    ///   expired. Pinned keys ask for less: that a chain of signatures leads to one of them, expired or not, so that a
    ///   self-signed server can be known by its key. A pin of the leaf itself fulfils both.
    ///
    /// One match is enough, so give a backup: a key that is kept elsewhere. An empty set refuses every server. Malformed pins
    /// throw where they are made. A request over plain http to a host with pins fails before anything is sent.
    ///
    /// AFNetworking's `AFSSLPinningModePublicKey` and `AFSSLPinningModeCertificate`.
    ///
    /// ```swift
    /// let keys = try TLSOptions.Pinning.publicKey([.spki("sha256/47DEQ…"), .spki("sha256/y6Tm…")])
    /// let certificates = try TLSOptions.Pinning.certificate(folder: "/etc/service/pins")
    /// ```
    public struct Pinning: Sendable, Hashable, CustomStringConvertible {
        /// One pinned public key.
        public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
            /// `sha256/` and the Base64 of the digest, however the pin was given.
            public let description: String

            /// The SHA-256 of the key's SubjectPublicKeyInfo, as
            /// `openssl x509 -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64` gives it.
            ///
            /// - Parameter digest: 44 characters of Base64 or 64 hexadecimal digits, after `sha256/` (or curl's `sha256//`)
            ///   if you like.
            public static func spki(_ digest: String) throws(TLSOptions.Fault) -> PublicKeyPin {
                PublicKeyPin(description: try PinDigest.parse(digest))
            }
        }

        /// One pinned certificate.
        public struct CertificatePin: Sendable, Hashable, CustomStringConvertible {
            /// `sha256/` and the Base64 of the certificate's digest, however the pin was given.
            public let description: String
            /// The certificate, where it was given and not only its digest: then it need not be sent to be an anchor.
            package let der: Bytes?

            /// The SHA-256 of a certificate in DER form, as `openssl x509 -fingerprint -sha256` gives it.
            ///
            /// - Parameter digest: 44 characters of Base64 or 64 hexadecimal digits, with or without colons, after `sha256/`
            ///   if you like.
            public static func sha256(_ digest: String) throws(TLSOptions.Fault) -> CertificatePin {
                CertificatePin(description: try PinDigest.parse(digest), der: nil)
            }
        }

        package enum Kind: Sendable, Hashable {
            case publicKeys(Set<PublicKeyPin>)
            case certificates(Set<CertificatePin>)
        }

        package let kind: Kind

        /// One of these keys must be in the chain. Give at least one backup key, or a lost key locks everybody out.
        public static func publicKey(_ pins: [PublicKeyPin]) -> TLSOptions.Pinning {
            TLSOptions.Pinning(kind: .publicKeys(Set(pins)))
        }

        /// One of these certificates must be in the chain.
        public static func certificate(_ pins: [CertificatePin]) -> TLSOptions.Pinning {
            TLSOptions.Pinning(kind: .certificates(Set(pins)))
        }

        /// Whether nothing can match.
        package var isEmpty: Bool {
            switch kind {
            case .publicKeys(let pins): pins.isEmpty
            case .certificates(let pins): pins.isEmpty
            }
        }

        /// The kind and the number of pins.
        public var description: String {
            switch kind {
            case .publicKeys(let pins): "\(pins.count) public keys"
            case .certificates(let certificates): "\(certificates.count) certificates"
            }
        }
    }
}
