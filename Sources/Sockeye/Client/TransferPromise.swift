import SockeyeCore
package import SockeyeEngine
import Synchronization

/// The future outcome of a task (`TransferTask` of SockeyeTransfers) or an image download, and the callers that wait
/// for it.
package final class TransferPromise<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, SockeyeError>?>(nil)
    private let fulfilment = OneShotEvent()

    package init() {}

    /// The outcome; nil until ``fulfill(_:conclude:)`` has set it.
    package var result: Result<Value, SockeyeError>? { outcome.withLock { $0 } }

    /// Sets the outcome, calls `conclude` and resumes the waiters. A later call still calls its `conclude`, but its
    /// outcome is ignored.
    package func fulfill(_ result: Result<Value, SockeyeError>, conclude: () -> Void = {}) {
        outcome.withLock { $0 = $0 ?? result }
        conclude()
        fulfilment.happen()
    }

    /// Waits for the outcome. If the waiting Swift task is cancelled first, the wait ends with
    /// ``SockeyeError/Code-swift.struct/cancelled``; the work itself continues.
    package func value() async throws(SockeyeError) -> Value {
        await fulfilment.wait()
        guard let result else { throw SockeyeError(.cancelled, phase: .prepare) }
        return try result.get()
    }
}
