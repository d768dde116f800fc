public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

/// Identifies the call that an event belongs to.
public struct ObservedCall: Sendable, Hashable, CustomStringConvertible {
    /// Different for each call of the process.
    public let id: UInt64
    /// The method that the caller asked for.
    public let method: HTTPRequest.Method
    /// The URL that the caller asked for, without user information.
    public let url: HTTPURL
    /// The values that the caller has given the call; see ``OutgoingRequest/Options/context``.
    public let context: OutgoingRequest.Context

    init(
        id: UInt64, method: HTTPRequest.Method, url: HTTPURL,
        context: OutgoingRequest.Context = OutgoingRequest.Context()
    ) {
        self.id = id
        self.method = method
        self.url = url
        self.context = context
    }

    /// Whether both are of the same call.
    public static func == (left: ObservedCall, right: ObservedCall) -> Bool { left.id == right.id }

    /// Hashes the ``id``.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// For example `#7 GET https://example.com/x`.
    public var description: String { "#\(id) \(method) \(url.masked)" }
}
