public import SockeyeEngine

/// What one request of a batch came to.
public struct BatchItem<Value: Sendable>: Sendable {
    /// The position of the request.
    public let index: Int
    /// Its value, or why there is none.
    public let outcome: Result<Value, SockeyeError>
}
