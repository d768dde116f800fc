import Synchronization

/// A task of the cooperative pool that resumes a batch of others: all whose descriptors one wait has found ready.
///
/// A pool that is given its work one by one by another thread, the poller's, is woken by the first piece. Where both
/// share a core, it takes the core over at once, is done before the second piece comes, and asleep again: two context
/// switches and two system calls for each request, which is more than everything else that a client does for it. What the
/// pool gives to itself costs neither.
///
/// Where the pool has much to do, the resumer would wait in line like any other task, and those that it is to resume behind it
/// once more, whatever their priority. So what it has not taken within a millisecond is taken back (``takeBack(_:)``): a busy
/// pool need not be woken for each piece.
final class BatchResumer: Sendable {
    @safe private struct State {
        var batch: [Resumption] = []
        var idle: UnsafeContinuation<Void, Never>?
        var isStarted = false
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Has the tasks resumed, and takes them out of the list. Called by one thread at a time, with nothing pending.
    func resume(_ waits: inout [Resumption]) {
        let (idle, isStarted) = unsafe state.withLock { state in
            // The list that was there has room for the next batch.
            swap(&state.batch, &waits)
            defer {
                unsafe state.idle = nil
                state.isStarted = true
            }
            return unsafe (state.idle, state.isStarted)
        }
        waits.removeAll(keepingCapacity: true)
        unsafe idle?.resume()
        // With the priority of most of those that it resumes.
        if !isStarted { Task.detached { await self.run() } }
    }

    /// Whether there is a batch that it has not taken yet.
    var isPending: Bool { state.withLock { !$0.batch.isEmpty } }

    /// Gives back what the task has not taken yet, into a list that is empty; false if there is nothing. Called by the one
    /// who calls ``resume(_:)``.
    func takeBack(_ waits: inout [Resumption]) -> Bool {
        state.withLock { state in
            guard !state.batch.isEmpty else { return false }
            swap(&state.batch, &waits)
            return true
        }
    }

    /// Ends the task.
    func stop() {
        let idle = unsafe state.withLock { state in
            state.isStopped = true
            defer { unsafe state.idle = nil }
            return unsafe state.idle
        }
        unsafe idle?.resume()
    }

    private func run() async {
        var batch: [Resumption] = []
        while await take(&batch) {
            for wait in batch { wait.resume() }
            batch.removeAll(keepingCapacity: true)
        }
    }

    /// Waits for a batch; false once there are no more.
    private func take(_ batch: inout [Resumption]) async -> Bool {
        while true {
            let isStopped = state.withLock { state in
                swap(&batch, &state.batch)
                return state.isStopped
            }
            if !batch.isEmpty { return true }
            if isStopped { return false }
            unsafe await withUnsafeContinuation { idle in
                let isNeeded = state.withLock { state in
                    guard state.batch.isEmpty, !state.isStopped else { return false }
                    unsafe state.idle = unsafe idle
                    return true
                }
                if !isNeeded { unsafe idle.resume() }
            }
        }
    }
}
