/// What becomes of a failed dial.
package struct PoolDialFailureDecision<Key: Hashable & Sendable>: Sendable {
    /// Gets the error. Nil when nobody waits, or when other dials suffice for all who do.
    package let failed: WaiterID?
    /// A new attempt for those who still wait, of whatever key.
    package let dial: PoolDial<Key>?
}
