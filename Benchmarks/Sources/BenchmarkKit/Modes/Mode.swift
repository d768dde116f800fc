/// What a client process does with its client.
package enum Mode: String, Sendable {
    /// Sends requests, one after another in each task, and measures them all.
    case load
    /// The same in turns, each of which begins when it is asked for on standard input (``Sample/turns(_:_:)``).
    case turns
    /// Sends one request and measures the time since the process began.
    case firstRequest = "first-request"
    /// Opens all connections, leaves them idle and measures what they hold.
    case idleConnections = "idle-connections"
    /// Gives requests up before they are answered, and measures what that costs and leaves behind.
    case cancellations
}
