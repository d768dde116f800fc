package import SockeyeHTTP1

/// What a ``QuickInterceptor`` does to a request before it goes on.
package enum Preparation: Sendable {
    /// Nothing.
    case ready
    /// Adds a field, which costs less than another request does.
    case adding(EncodedField)
    /// Another request goes on.
    case replacing(Request)
    /// To say that takes waiting.
    case waiting
}
