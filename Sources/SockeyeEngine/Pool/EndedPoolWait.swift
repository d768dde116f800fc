/// A wait in the pool's line that is over, and whose task is to be told once the lock is left.
@safe struct EndedPoolWait: Sendable {
    let continuation: PoolState.Continuation
    let outcome: PoolOutcome

    /// To be called once.
    func resume() { unsafe continuation.resume(returning: outcome) }
}
