import SockeyeCore
import Synchronization

/// Where a transfer notes how far it has come, and whoever wants to know looks: the latest value, never a queue of them.
///
/// Noting is a store under a lock, and wakes nobody but those who wait for it. They in turn come at most ten times a
/// second, so that a thousand fast transfers do not spend their time on telling.
final class ProgressBoard: Sendable {
    private struct State {
        var completed = 0
        var total: Int?
        var version = 1
        var hasEnded = false
        var meter = ThroughputMeter()
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())
    private let clock: CallClock

    init(clock: CallClock) {
        self.clock = clock
    }

    // MARK: The transfer

    func update(_ completed: Int, of total: Int?) {
        change { state in
            state.completed = completed
            state.total = total
        }
    }

    func add(_ count: Int) {
        change { $0.completed += count }
    }

    func end() {
        change { $0.hasEnded = true }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            state.version += 1
            guard !state.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: Those who look

    var current: TransferProgress { snapshot().progress }

    func snapshot() -> (progress: TransferProgress, version: Int, hasEnded: Bool) {
        let now = clock.time.now
        return state.withLock { state in
            state.meter.read(state.completed, at: now)
            let progress = TransferProgress(
                completed: state.completed, total: state.total, throughput: state.meter.throughput)
            return (progress, state.version, state.hasEnded)
        }
    }

    /// Waits for a version other than `seen`. Returns at once when the task is cancelled.
    func waitForChange(since seen: Int) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.version == seen, !state.hasEnded, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }

    func rest(_ duration: Duration) async {
        try? await clock.sleep(until: clock.time.now.advanced(by: duration))
    }
}
