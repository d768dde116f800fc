/// Counters of a server's activity.
public struct TestServerActivity: Sendable, Hashable {
    /// Connections accepted, including those that failed in the TLS handshake.
    public internal(set) var connections = 0
    /// Connections that are open now.
    public internal(set) var openConnections = 0
    /// TLS handshakes that failed.
    public internal(set) var failedHandshakes = 0
    /// Requests with a received, well-formed head. Always 0 for a ``RawServer`` or ``FaultProxy``.
    public internal(set) var requests = 0
    /// Responses that handlers have written completely; the server's own 400 and 500 are not counted. Always 0 for a
    /// ``RawServer`` or ``FaultProxy``.
    public internal(set) var responses = 0
    /// Completed scripts of a ``RawServer``. Always 0 for a ``TestServer`` or ``FaultProxy``.
    public internal(set) var finishedScripts = 0

    init() {}
}
