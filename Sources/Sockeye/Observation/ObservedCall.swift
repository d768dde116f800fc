public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

/// The identity of the call that an event belongs to.
public struct ObservedCall: Sendable, Hashable, CustomStringConvertible {
    /// A number that is unique among the calls of the process.
    public let id: UInt64
    /// The method of the caller's request.
    public let method: HTTPRequest.Method
    /// The URL of the caller's request, without user information.
    public let url: HTTPURL
    /// The values that the caller attached to the call; see ``OutgoingRequest/Options/context``.
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

    /// True if both values identify the same call.
    public static func == (left: ObservedCall, right: ObservedCall) -> Bool { left.id == right.id }

    /// Hashes the ``id``.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// For example `#7 GET https://example.com/x`.
    public var description: String { "#\(id) \(method) \(url.masked)" }
}
