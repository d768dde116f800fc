package import SockeyeCore
import Synchronization

/// A channel for a transfer's progress that holds only the latest value, never a queue.
///
/// After each value, a waiter has a pause in which updates do not resume it. So a thousand fast transfers do not spend
/// their time on notifications. The ``ProgressTimer`` ends the pauses.
package final class ProgressChannel: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, Never>
        /// The ``State/version`` of the latest value that the waiter has read.
        let seen: Int
        /// True during the waiter's pause, in which updates do not resume the waiter.
        var isResting: Bool
    }

    private struct State {
        var completed = 0
        var total: Int?
        var resumedAt: Int?
        /// Increases with each change.
        var version = 1
        var hasEnded = false
        var meter = ThroughputMeter()
        /// The tasks that wait for a change, usually only a few.
        var waiters: [Waiter] = []
        var lastWaiter = 0
        /// True if the pause of a waiter is over, so that the next change must resume this waiter.
        var isAwaited = false

        /// Removes and returns the waiters that a change resumes.
        mutating func takeAwake() -> [Waiter] {
            guard isAwaited || hasEnded, !waiters.isEmpty else { return [] }
            let split = waiters.partition { hasEnded || !$0.isResting }
            let awake = Array(waiters[split...])
            waiters.removeSubrange(split...)
            isAwaited = false
            return awake
        }

        mutating func take(_ id: Int) -> Waiter? {
            waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0) }
        }
    }

    /// The progress of a transfer at a point in time.
    package struct Snapshot: Sendable {
        package let progress: TransferProgress
        package let time: MonotonicTime
        let version: Int
        let hasEnded: Bool
    }

    private let state = Mutex(State())
    private let timer: ProgressTimer

    package init(timer: ProgressTimer) {
        self.timer = timer
    }

    // MARK: The transfer

    package func update(_ completed: Int, of total: Int?) {
        change { state in
            state.completed = completed
            state.total = total
        }
    }

    /// Records that the transfer continues at an offset, after bytes received earlier.
    package func resume(at offset: Int, of total: Int?) {
        skip(to: offset, of: total)
        change { $0.resumedAt = offset }
    }

    /// Records that the transfer starts over and discards earlier bytes.
    package func startOver() {
        change { state in
            state.completed = 0
            state.total = nil
            state.resumedAt = nil
        }
    }

    /// Counts bytes received earlier, without counting them as throughput.
    package func skip(to completed: Int, of total: Int?) {
        change { state in
            state.meter.skip(completed - state.completed)
            state.completed = completed
            state.total = total
        }
    }

    package func add(_ count: Int) {
        change { $0.completed += count }
    }

    package func end() {
        change { $0.hasEnded = true }
    }

    private func change(_ body: (inout State) -> Void) {
        let awake = state.withLock { state in
            body(&state)
            state.version += 1
            return state.takeAwake()
        }
        for waiter in awake { waiter.continuation.resume() }
    }

    // MARK: Readers

    package var current: TransferProgress { snapshot().progress }

    package func snapshot() -> Snapshot {
        let now = timer.now
        return state.withLock { state in
            state.meter.read(state.completed, at: now)
            let progress = TransferProgress(
                completed: state.completed, total: state.total, throughput: state.meter.throughput,
                resumedAt: state.resumedAt)
            return Snapshot(progress: progress, time: now, version: state.version, hasEnded: state.hasEnded)
        }
    }

    /// Waits until the progress has changed after `snapshot`, and at least `rest` has passed since the snapshot. The
    /// end of the transfer or a cancellation ends the wait at once.
    package func waitForChange(since snapshot: Snapshot, resting rest: Duration) async {
        let due = snapshot.time.advanced(by: rest)
        let rests = timer.now < due
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(
                    id: id, continuation: continuation, seen: snapshot.version, isResting: rests)
                guard add(waiter) else { return continuation.resume() }
                if rests { timer.schedule(until: due) { self.endRest(of: id) } }
            }
        } onCancel: {
            state.withLock { $0.take(id) }?.continuation.resume()
        }
    }

    /// Adds a waiter. Returns false if the waiter need not wait.
    private func add(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard !state.hasEnded, !Task.isCancelled else { return false }
            guard waiter.isResting || waiter.seen == state.version else { return false }
            state.waiters.append(waiter)
            if !waiter.isResting { state.isAwaited = true }
            return true
        }
    }

    /// Ends the pause of a waiter. If the value has changed meanwhile, the waiter is resumed; otherwise the next change
    /// resumes it.
    private func endRest(of id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            guard state.waiters[index].seen == state.version else { return state.waiters.remove(at: index) }
            state.waiters[index].isResting = false
            state.isAwaited = true
            return nil
        }
        waiter?.continuation.resume()
    }
}
