import Synchronization

/// The files that nobody uses any more but that a disk thread still has open: a call that was abandoned by a pause or a
/// cancellation keeps its lock until it returns. Who opens such a file again waits for that instead of failing.
package enum LeavingFiles {
    private struct Entry {
        var handles = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var lastWaiter = 0
    }

    private static let state = Mutex(State())

    static func begin(_ path: String) {
        state.withLock { $0.entries[path, default: Entry()].handles += 1 }
    }

    static func end(_ path: String) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard var entry = state.entries[path] else { return [] }
            entry.handles -= 1
            state.entries[path] = entry.handles > 0 ? entry : nil
            return entry.handles > 0 ? [] : Array(entry.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the file is closed, or the task is cancelled; false, at once, where nobody is about to leave it.
    package static func wait(for path: String) async -> Bool {
        let id = state.withLock { state -> Int? in
            guard state.entries[path] != nil else { return nil }
            state.lastWaiter += 1
            return state.lastWaiter
        }
        guard let id else { return false }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.entries[path] != nil, !Task.isCancelled else { return true }
                    state.entries[path]?.waiters[id] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.entries[path]?.waiters.removeValue(forKey: id) }?.resume()
        }
        return true
    }
}
