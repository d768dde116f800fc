public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

/// The identity of the call that an event belongs to.
public struct ObservedCall: Sendable, Hashable, CustomStringConvertible {
    /// The properties of the call. Each event of the call contains a copy of the `ObservedCall`, and a shared object
    /// makes these copies cheap.
    private let identity: Identity

    private final class Identity: Sendable {
        let id: UInt64
        let method: HTTPRequest.Method
        let url: HTTPURL
        let context: OutgoingRequest.Context

        init(_ id: UInt64, _ method: HTTPRequest.Method, _ url: HTTPURL, _ context: OutgoingRequest.Context) {
            (self.id, self.method, self.url, self.context) = (id, method, url, context)
        }
    }

    /// A number that is unique among the calls of the process.
    public var id: UInt64 { identity.id }
    /// The method of the caller's request.
    public var method: HTTPRequest.Method { identity.method }
    /// The URL of the caller's request, without user information.
    public var url: HTTPURL { identity.url }
    /// The values that the caller attached to the call; see ``OutgoingRequest/Options/context``.
    public var context: OutgoingRequest.Context { identity.context }

    init(
        id: UInt64, method: HTTPRequest.Method, url: HTTPURL,
        context: OutgoingRequest.Context = OutgoingRequest.Context()
    ) {
        identity = Identity(id, method, url, context)
    }

    /// True if both values identify the same call.
    public static func == (left: ObservedCall, right: ObservedCall) -> Bool { left.id == right.id }

    /// Hashes the ``id``.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// For example `#7 GET https://example.com/x`.
    public var description: String { "#\(id) \(method) \(url.masked)" }
}
