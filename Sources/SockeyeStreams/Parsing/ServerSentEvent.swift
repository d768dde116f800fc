import SockeyeCore

/// An event of a `text/event-stream` (HTML Standard, 9.2 Server-sent events).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event, from its field `event`; `message` by default.
    public var name: String
    /// The values of its `data` fields, joined by line feeds. Bytes that are not UTF-8 become U+FFFD.
    public var data: String
    /// The last event ID: the value of the last `id` field in the stream so far, possibly of an earlier event or
    /// connection. Before the first `id` field it is ``Sockeye/HTTPClient/EventStream/Options/lastEventID``, which is
    /// empty by default.
    public var id: String
    /// The reconnection time that this event sets; nil if it sets none.
    public var retry: Duration?

    /// Creates an event from its parts.
    public init(name: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.name = name
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension ServerSentEvent: CustomStringConvertible {
    /// The type and size, for example `message of 12 bytes`. Omits the content, because it may be secret.
    public var description: String { "\(name.start(ofScalars: 40).visible) of \(data.utf8.count) bytes" }
}

extension ServerSentEvent {
    /// Limits on the memory that a peer can make the client use for an event stream.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of bytes of one line, without its line end. Comments count, too. Default 16 MiB.
        public var lineBytes = 16 << 20
        /// The maximum number of bytes of all fields of one event. Unknown fields count, too. Default 16 MiB.
        public var eventBytes = 16 << 20
        /// The maximum number of bytes of an event ID, which must fit into a request field. Default 4 KiB.
        public var idBytes = 4 << 10

        /// Creates limits; every parameter has its default.
        public init(lineBytes: Int = 16 << 20, eventBytes: Int = 16 << 20, idBytes: Int = 4 << 10) {
            self.lineBytes = lineBytes
            self.eventBytes = eventBytes
            self.idBytes = idBytes
        }
    }
}
