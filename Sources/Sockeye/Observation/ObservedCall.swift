public import HTTPTypes
public import SockeyeHTTP

/// Which call something happened to.
public struct ObservedCall: Sendable, Hashable, CustomStringConvertible {
    /// Different for each call of the process.
    public let id: UInt64
    /// The method that the caller asked for.
    public let method: HTTPRequest.Method
    /// The URL that the caller asked for, without user information.
    public let url: HTTPURL

    /// For example `#7 GET https://example.com/x`.
    public var description: String { "#\(id) \(method) \(url)" }
}
