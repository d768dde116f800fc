import SockeyeCore
import SockeyeHTTP

/// What is left to do, now that a response is complete, before its connection is given back.
///
/// Nearly always nothing: ``settle(_:lease:pool:)`` gives it back without suspending.
enum ExchangeEnd {
    /// The request's body is not out yet, though the answer is here.
    case awaitUpload
    /// The pool has more to do than to put the connection aside.
    case pool(ConnectionPool.Remainder)

    /// How long the answer to an upload waits for the upload's own task to notice that it is done (as Go).
    private static let uploadGrace = Duration.milliseconds(50)

    /// Decides what becomes of the connection, and tells the pool. Nil: that is all.
    static func settle(
        _ state: inout ExchangeState, lease: ConnectionPool.Lease, pool: ConnectionPool
    ) -> ExchangeEnd? {
        let verdict = state.finishResponse()
        if case .awaitUpload = verdict, state.upload != nil { return .awaitUpload }
        return giveBack(verdict, state, lease: lease, pool: pool).map { .pool($0) }
    }

    /// Does the rest.
    func finish(
        _ state: inout ExchangeState, lease: ConnectionPool.Lease, pool: ConnectionPool, deadlines: Deadlines
    ) async {
        switch self {
        case .pool(let remainder): await pool.finish(remainder)
        case .awaitUpload:
            await state.upload?.waitUntilEnded(deadlines.time.now.advanced(by: Self.uploadGrace))
            let verdict = state.finishResponse()
            guard let remainder = Self.giveBack(verdict, state, lease: lease, pool: pool) else { return }
            await pool.finish(remainder)
        }
    }

    private static func giveBack(
        _ verdict: ConnectionVerdict, _ state: ExchangeState, lease: ConnectionPool.Lease, pool: ConnectionPool
    ) -> ConnectionPool.Remainder? {
        if case .reuse(let timeout, let uses) = verdict {
            return pool.putBack(lease.id, reusable: true, keepAliveTimeout: timeout, remainingUses: uses)
        }
        state.upload?.detach()
        return pool.putBack(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
    }
}
