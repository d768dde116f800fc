/// An event of a `text/event-stream` (HTML Standard, 9.2 Server-sent events).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event, from its field `event`; `message` where it has none.
    public var name: String
    /// The values of its `data` fields, joined by line feeds. Bytes that are no UTF-8 are U+FFFD.
    public var data: String
    /// The last event ID: the value of the last `id` field in the stream up to here, which may belong to an event before. Empty
    /// where there was none.
    public var id: String
    /// The reconnection time that this event sets, if it does.
    public var retry: Duration?

    /// Makes an event from its parts.
    public init(name: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.name = name
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension ServerSentEvent: CustomStringConvertible {
    /// For example `message of 12 bytes`: no content, which may be secret.
    public var description: String { "\(name.prefix(40)) of \(data.utf8.count) bytes" }
}

extension ServerSentEvent {
    /// How much of an event stream a peer may make us hold.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of one line, without its end. Comments count as well. Default 16 MiB.
        public var lineBytes = 16 << 20
        /// The most bytes of all fields of one event, up to the empty line that ends it; unknown fields count as well. Default
        /// 16 MiB.
        public var eventBytes = 16 << 20
        /// The most bytes of an event ID, which has to fit into a field of a request. Default 4 KiB.
        public var idBytes = 4 << 10

        /// Makes limits; what is left out is the default.
        public init(lineBytes: Int = 16 << 20, eventBytes: Int = 16 << 20, idBytes: Int = 4 << 10) {
            self.lineBytes = lineBytes
            self.eventBytes = eventBytes
            self.idBytes = idBytes
        }
    }
}
