public import SockeyeCore

/// Keys or certificates of which one must be in the server's verified chain (RFC 7469 2.6 for the matching).
///
/// A pin comes on top of ``TLSConfiguration/verification`` and replaces no part of it. Where the chain is verified, any
/// certificate of it may match: leaf, intermediate or root. Where it is not, only the leaf counts, since nothing ties
/// the rest to the server. An empty set refuses every server.
public struct TLSPinning: Sendable, Hashable, CustomStringConvertible {
    /// One pinned public key.
    public struct PublicKeyPin: Sendable, Hashable {
        package enum Source: Sendable, Hashable {
            case digest(String)
            case certificate(Bytes)
        }

        package let source: Source

        /// `sha256/` and the Base64 of the SHA-256 of the key's SubjectPublicKeyInfo, as
        /// `openssl x509 -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64` gives it.
        public static func spki(_ pin: String) -> PublicKeyPin { PublicKeyPin(source: .digest(pin)) }

        /// The key of a certificate in DER form, so that reissued certificates with the same key match too.
        public static func certificate(_ der: Bytes) -> PublicKeyPin { PublicKeyPin(source: .certificate(der)) }
    }

    package enum Kind: Sendable, Hashable {
        case publicKeys(Set<PublicKeyPin>)
        case certificates(Set<Bytes>)
    }

    package let kind: Kind

    /// One of these keys must be in the chain. Give at least one backup key, or a lost key locks everybody out.
    public static func publicKey(_ pins: [PublicKeyPin]) -> TLSPinning { TLSPinning(kind: .publicKeys(Set(pins))) }

    /// One of these certificates, in DER form, must be in the chain.
    public static func certificate(_ der: [Bytes]) -> TLSPinning { TLSPinning(kind: .certificates(Set(der))) }

    /// The kind and the number of pins.
    public var description: String {
        switch kind {
        case .publicKeys(let pins): "\(pins.count) public keys"
        case .certificates(let certificates): "\(certificates.count) certificates"
        }
    }
}
