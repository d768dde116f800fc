import Sockeye
public import SockeyeEngine

// Options of calls of `webSocket`. Other calls ignore them.
extension OutgoingRequest.Options {
    /// Subprotocols, compression, limits and keep-alive of a WebSocket.
    public var webSocket: WebSocketConnection.Options {
        get { further[WebSocketKey.self] ?? WebSocketConnection.Options() }
        set { further[WebSocketKey.self] = newValue }
    }

    /// Creates options with the given settings of a WebSocket.
    ///
    /// ```swift
    /// let options = OutgoingRequest.Options.webSocket(subprotocols: ["chat.v2"])
    ///     .timeout(total: .seconds(5))
    /// try await client.webSocket(url, options: options) { … }
    /// ```
    ///
    /// See ``WebSocketConnection/Options`` for each setting. A setting that is `nil` here keeps its default. To send no
    /// pings, set the property `webSocket.keepAlive` to `nil`.
    public static func webSocket(
        subprotocols: [String]? = nil, compression: WebSocketConnection.Compression? = nil,
        limits: WebSocketConnection.Limits? = nil, keepAlive: WebSocketConnection.KeepAlive? = nil
    ) -> OutgoingRequest.Options {
        OutgoingRequest.Options().webSocket(
            subprotocols: subprotocols, compression: compression, limits: limits, keepAlive: keepAlive)
    }

    /// Returns these options with the given settings of a WebSocket. A setting that is `nil` here is not changed.
    public func webSocket(
        subprotocols: [String]? = nil, compression: WebSocketConnection.Compression? = nil,
        limits: WebSocketConnection.Limits? = nil, keepAlive: WebSocketConnection.KeepAlive? = nil
    ) -> OutgoingRequest.Options {
        with { options in
            if let subprotocols { options.webSocket.subprotocols = subprotocols }
            if let compression { options.webSocket.compression = compression }
            if let limits { options.webSocket.limits = limits }
            if let keepAlive { options.webSocket.keepAlive = keepAlive }
        }
    }

    /// Creates options with all settings of a WebSocket.
    package static func webSocket(_ settings: WebSocketConnection.Options) -> OutgoingRequest.Options {
        OutgoingRequest.Options().with { $0.webSocket = settings }
    }
}

enum WebSocketKey: OutgoingRequest.ContextKey { typealias Value = WebSocketConnection.Options }
