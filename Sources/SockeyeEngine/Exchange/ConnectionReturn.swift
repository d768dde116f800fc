import SockeyeCore
import SockeyeHTTP

/// The remaining steps between the end of a response and the return of its connection to the pool.
///
/// Usually there are no such steps: ``settle(_:_:to:)`` returns the connection without suspending.
enum ConnectionReturn {
    /// The response is complete, but the request's body is still being sent.
    case awaitUpload
    /// The pool has more to do than to keep the connection.
    case pool(ConnectionPool.ActorWork)

    /// The time that the upload's task gets to end after the response, before the connection is closed (as in Go).
    private static let uploadGrace = Duration.milliseconds(50)

    /// Informs the pool of the verdict on the connection. Nil if nothing remains to be done.
    @inline(__always)
    static func settle(
        _ verdict: ConnectionVerdict, _ state: ExchangeState, to pool: ConnectionPool
    ) -> ConnectionReturn? {
        if case .awaitUpload = verdict, state.sender.upload != nil { return .awaitUpload }
        return giveBack(verdict, state, to: pool).map { .pool($0) }
    }

    /// Carries out the remaining steps.
    func finish(_ state: inout ExchangeState, to pool: ConnectionPool, deadlines: RequestDeadlines) async {
        switch self {
        case .pool(let remainder): await pool.perform(remainder)
        case .awaitUpload:
            await state.sender.waitUntilEnded(deadlines.time.now.advanced(by: Self.uploadGrace))
            let verdict = state.receiver.finishResponse(state.sender)
            guard let remainder = Self.giveBack(verdict, state, to: pool) else { return }
            await pool.perform(remainder)
        }
    }

    private static func giveBack(
        _ verdict: ConnectionVerdict, _ state: ExchangeState, to pool: ConnectionPool
    ) -> ConnectionPool.ActorWork? {
        if case .reuse(let timeout, let uses) = verdict {
            return pool.releaseWithoutActor(
                state.lease.id, reusable: true, keepAliveTimeout: timeout, remainingUses: uses)
        }
        state.sender.detach()
        return pool.releaseWithoutActor(state.lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
    }
}
