package import SockeyeCore

/// What a handshake has agreed on.
package struct TLSInfo: Sendable, Hashable {
    package var version: TLSConfiguration.Version
    /// OpenSSL's name of the cipher, which for TLS 1.3 is the RFC's.
    package var cipher: String
    /// The protocol that ALPN chose; nil without an answer.
    package var applicationProtocol: String?
    /// Whether an earlier session was resumed; its certificates were verified then.
    package var isResumed: Bool
    /// What was verified of a server. ``TLSConfiguration/Verification/chainOnly`` for a client's certificate.
    package var verification: TLSConfiguration.Verification
    /// Whether a pin matched.
    package var isPinned: Bool
    /// The peer's certificates in DER form, its own first, as it sent them. Empty for a client without one.
    package var peerCertificates: [Bytes]
    /// The name in SNI: sent by a client, received by a server.
    package var serverName: String?
}
