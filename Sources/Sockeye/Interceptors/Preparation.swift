import SockeyeEngine

/// What a ``QuickInterceptor`` does to a request before it goes on.
package enum Preparation: Sendable {
    /// Nothing, or nothing but adding fields.
    case ready
    /// Another request goes on.
    case replacing(Request)
    /// To say that takes waiting.
    case waiting
}
