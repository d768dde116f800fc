import SockeyeEngine

/// A record of the calls in flight. A call is in flight from its start until it fails or the content of its response is
/// read or discarded. If no exchange is running when a call returns, as with a cached response, the call ends at its
/// return.
///
/// A task is here a `TransferTask` of SockeyeTransfers. Calls of paused tasks do not count.
struct CallsInFlight {
    private struct Call {
        /// The `id` of the task that made the call; nil for a call outside of tasks.
        let task: UInt64?
        /// True while an exchange is running, including the time in which the caller reads the content.
        var hasExchange = false
        /// True if the caller has the response.
        var hasReturned = false
    }

    private var calls: [UInt64: Call] = [:]
    /// The number of calls in flight of each task.
    private var callsByTask: [UInt64: Int] = [:]
    private var pausedTasks: Set<UInt64> = []
    private var pausedCallCount = 0

    /// The number of calls in flight, without those of paused tasks.
    var count: Int { calls.count - pausedCallCount }

    mutating func callDidStart(_ id: UInt64, of task: UInt64?) {
        calls[id] = Call(task: task)
        guard let task else { return }
        callsByTask[task, default: 0] += 1
        if pausedTasks.contains(task) { pausedCallCount += 1 }
    }

    /// Records the start of an exchange, unless the call has already returned. After the return, an exchange serves
    /// another purpose, such as a background revalidation.
    mutating func exchangeDidStart(_ id: UInt64) {
        if calls[id]?.hasReturned == false { calls[id]?.hasExchange = true }
    }

    mutating func exchangeDidEnd(_ id: UInt64) {
        calls[id]?.hasExchange = false
        if calls[id]?.hasReturned == true { remove(id) }
    }

    /// Records the end of a call.
    ///
    /// - Parameter isAnswered: True if the call returned a response, and not an error.
    mutating func callDidReturn(_ id: UInt64, isAnswered: Bool) {
        calls[id]?.hasReturned = true
        if calls[id]?.hasExchange == false || !isAnswered { remove(id) }
    }

    mutating func taskDidPause(_ task: UInt64) {
        if pausedTasks.insert(task).inserted { pausedCallCount += callsByTask[task] ?? 0 }
    }

    /// Records that a task was resumed or has ended, and thus is no longer paused. Its calls that are still in flight
    /// count again.
    mutating func taskDidResume(_ task: UInt64) {
        if pausedTasks.remove(task) != nil { pausedCallCount -= callsByTask[task] ?? 0 }
    }

    private mutating func remove(_ id: UInt64) {
        guard let call = calls.removeValue(forKey: id), let task = call.task else { return }
        if pausedTasks.contains(task) { pausedCallCount -= 1 }
        let rest = (callsByTask[task] ?? 1) - 1
        callsByTask[task] = rest > 0 ? rest : nil
    }
}
