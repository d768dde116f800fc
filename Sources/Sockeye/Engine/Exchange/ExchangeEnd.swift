import SockeyeCore
import SockeyeHTTP1

/// Decides what becomes of the connection when a response is complete, and tells the pool.
enum ExchangeEnd {
    /// How long the answer to an upload waits for the upload's own task to notice that it is done (as Go).
    private static let uploadGrace = Duration.milliseconds(50)

    static func settle(
        _ state: inout ExchangeState, lease: ConnectionPool.Lease, pool: ConnectionPool, deadlines: Deadlines
    ) async {
        var verdict = state.finishResponse()
        if verdict == .awaitUpload, let upload = state.upload {
            await upload.waitUntilEnded(deadlines.time.now.advanced(by: uploadGrace))
            verdict = state.finishResponse()
        }
        if case .reuse(let timeout, let uses) = verdict {
            await pool.release(lease.id, reusable: true, keepAliveTimeout: timeout, remainingUses: uses)
        } else {
            state.upload?.detach()
            await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
        }
    }
}
