/// What is known of a connection.
public struct ConnectionFacts: Sendable, Hashable {
    /// Whether it carried an exchange before.
    public let isReused: Bool
    /// The peer's address, such as `192.0.2.1:443`, `[2001:db8::1]:443` or `unix:/run/x.sock`.
    public let remoteAddress: String?
    /// Such as `TLSv1.3`; nil for plain connections.
    public let tlsVersion: String?
    /// OpenSSL's name of the cipher suite, which for TLS 1.3 is the RFC's.
    public let cipherSuite: String?
    /// Whether an earlier TLS session was resumed.
    public let isTLSResumed: Bool
    /// How long the host name took to resolve, when the connection was opened. Nil for an address or a unix-domain socket.
    public let resolving: Duration?
    /// How long the socket took to connect.
    public let connecting: Duration
    /// How long the TLS handshake took; nil for plain connections.
    public let handshaking: Duration?

    init(_ connection: OriginConnection, isReused: Bool) {
        self.isReused = isReused
        remoteAddress = connection.remoteAddress?.description
        tlsVersion = connection.tls?.version.description
        cipherSuite = connection.tls?.cipher
        isTLSResumed = connection.tls?.isResumed ?? false
        resolving = connection.timings.resolving
        connecting = connection.timings.connecting
        handshaking = connection.timings.handshaking
    }
}
