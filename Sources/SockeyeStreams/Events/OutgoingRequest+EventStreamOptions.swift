public import SockeyeEngine
import SockeyeHTTP

// Options for calls of `events`. Other calls ignore these options.
extension OutgoingRequest.Options {
    /// Limits of a stream of events, and the rules for reconnecting.
    public var eventStream: HTTPClient.EventStream.Options {
        get { further[EventStreamKey.self] ?? HTTPClient.EventStream.Options() }
        set { further[EventStreamKey.self] = newValue }
    }

    /// Creates options with the given settings of a stream of events.
    ///
    /// ```swift
    /// for try await event in client.events(
    ///     "feed", options: .eventStream(idle: .seconds(30)))
    /// { print(event.data) }
    /// ```
    ///
    /// See ``HTTPClient/EventStream/Options`` for each setting.
    public static func eventStream(
        idle: Duration? = nil, reconnects: Bool? = nil, reconnection: ServerSentEvent.Reconnection? = nil,
        limits: ServerSentEvent.Limits? = nil, lastEventID: String? = nil
    ) -> OutgoingRequest.Options {
        OutgoingRequest.Options().eventStream(
            idle: idle, reconnects: reconnects, reconnection: reconnection, limits: limits, lastEventID: lastEventID)
    }

    /// Returns these options with the given settings of a stream of events; the other settings stay.
    public func eventStream(
        idle: Duration? = nil, reconnects: Bool? = nil, reconnection: ServerSentEvent.Reconnection? = nil,
        limits: ServerSentEvent.Limits? = nil, lastEventID: String? = nil
    ) -> OutgoingRequest.Options {
        with { options in
            if let idle { options.eventStream.idle = idle }
            if let reconnects { options.eventStream.reconnects = reconnects }
            if let reconnection { options.eventStream.reconnection = reconnection }
            if let limits { options.eventStream.limits = limits }
            if let lastEventID { options.eventStream.lastEventID = lastEventID }
        }
    }
}

extension OutgoingRequest.Options {
    /// Creates options with the settings `options` for a stream of events; all other options have their defaults.
    package static func eventStream(_ options: HTTPClient.EventStream.Options) -> OutgoingRequest.Options {
        OutgoingRequest.Options().eventStream(options)
    }

    /// Returns these options with all settings of a stream of events replaced by `options`.
    package func eventStream(_ options: HTTPClient.EventStream.Options) -> OutgoingRequest.Options {
        with { $0.eventStream = options }
    }
}

enum EventStreamKey: OutgoingRequest.ContextKey { typealias Value = HTTPClient.EventStream.Options }
