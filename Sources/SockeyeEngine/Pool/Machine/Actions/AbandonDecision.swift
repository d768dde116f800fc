/// What became of a waiter that gives up.
package enum AbandonDecision: Sendable, Hashable {
    /// It left the queue; no action will name it.
    case removed
    /// An action named it before: the shell holds its connection or its error, and must release the connection.
    case alreadyServed
}
