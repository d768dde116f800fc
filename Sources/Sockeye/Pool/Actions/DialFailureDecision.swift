extension PoolMachine {
    /// What becomes of a failed dial.
    package struct DialFailureDecision: Sendable {
        /// Gets the error. Nil when nobody waits, or when other dials suffice for all who do.
        package let failed: WaiterID?
        /// A new attempt for those who still wait.
        package let dial: Dial?
    }
}
