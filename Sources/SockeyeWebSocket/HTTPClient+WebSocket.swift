public import Sockeye
public import SockeyeEngine
public import SockeyeHTTP
import SockeyeNet

extension HTTPClient {
    /// Opens a WebSocket, runs a closure with it, and closes it.
    ///
    /// ```swift
    /// try await client.webSocket("wss://example.com/chat") { socket in
    ///     for try await message in socket.messages { try await socket.send(message) }
    /// }
    /// ```
    ///
    /// The opening handshake (RFC 6455 4.1) is a call of this client: interceptors see it, redirects are followed (also
    /// to ws and wss), cookies and credentials are sent, and challenges are answered. A redirect to another origin is
    /// an error (``/Sockeye/SockeyeError/Code-swift.struct/redirectRefused``) if the options or `headers` offer
    /// subprotocols (Sec-WebSocket-Protocol), because a subprotocol may be a token that another origin must not get.
    /// The client's proxies, TLS options, unix-domain sockets and deadlines apply. ``/Sockeye/Timeouts/total`` limits
    /// only the handshake. While the WebSocket is open, ``/Sockeye/Timeouts/stall`` limits each send, and the WebSocket
    /// counts towards ``/Sockeye/PoolOptions/connectionsPerOrigin``.
    ///
    /// - Parameters:
    ///   - url: A URL with the scheme ws or wss, or relative to the client's base URL. The scheme http means ws, and
    ///     https means wss.
    ///   - headers: Further fields of the handshake, such as Origin.
    ///   - options: Deadlines and policies of the handshake. For subprotocols, compression, limits and keep-alive, see
    ///     ``OutgoingRequest/Options/webSocket``.
    ///   - body: Uses the connection. The connection is closed with the code 1000 when `body` returns. When `body`
    ///     throws, the code is 1011, or 1001 if the task was cancelled.
    /// - Throws: ``/Sockeye/SockeyeError`` if the handshake fails. Its code is `upgradeRefused`, with the server's
    ///   response (``/Sockeye/SockeyeError/response``), if the response is not a valid 101. Also the errors of `body`,
    ///   such as ``WebSocketError``.
    public func webSocket<Result>(
        _ url: some HTTPURL.Convertible, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(),
        _ body: (WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        try await openWebSocket(url, headers, options).run(body)
    }

    private func openWebSocket(
        _ url: some HTTPURL.Convertible, _ headers: Headers, _ options: OutgoingRequest.Options
    ) async throws(SockeyeError) -> WebSocketConnection {
        let url = try scope.resolve(WebSocketURL(base: url))
        guard url.fragment == nil else {
            throw SockeyeError(
                .init(
                    .invalidURL, phase: .prepare, blame: .caller,
                    message: "the URL of a WebSocket must not have a fragment (RFC 6455 3)"))
        }
        let handshake = HandshakeInterceptor(options.webSocket)
        let opening = OutgoingRequest(
            method: .get, url: url, headers: headers, options: options.intercepting(handshake))
        let (response, connection) = try await upgrade(opening, to: "websocket")
        return WebSocketConnection(
            over: connection.stream, early: connection.takeEarlyBytes(), owner: connection, role: .client,
            options: options.webSocket, agreement: handshake.agreement ?? OpeningHandshake.Agreement(),
            response: response,
            stall: connection.stall)
    }
}
