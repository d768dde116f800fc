/// The measurement that a client process makes.
package enum Mode: String, Sendable {
    /// Sends requests, one after another in each task, and measures all of them.
    case load
    /// The same in turns, each of which begins with a line on standard input (``Sample/turns(_:_:)``).
    case turns
    /// Sends one request and measures the time since the process began.
    case firstRequest = "first-request"
    /// Opens all connections, leaves them idle and measures their memory.
    case idleConnections = "idle-connections"
    /// Cancels requests before they are answered, and measures the cost and the resources left behind.
    case cancellations
}
