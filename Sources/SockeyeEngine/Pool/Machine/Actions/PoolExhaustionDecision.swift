/// What becomes of a dial for which the system had no descriptor or memory left.
package enum PoolExhaustionDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Close this idle connection, then try the same dial again: it is still under way.
    case retry(after: PoolClosing<Connection>)
    /// The dial is over. This waiter, who had counted on it, waits for a connection that gets free, and now has the
    /// deadline of those who wait for others.
    case wait(WaiterID)
    /// Nothing is open that could make room: a failure like any other.
    case failed(PoolDialFailureDecision<Key>)
}
