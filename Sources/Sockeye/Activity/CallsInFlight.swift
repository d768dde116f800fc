import SockeyeEngine

/// The set of calls that have begun and whose content has not been read to the end, without those of paused tasks. No I/O.
struct CallsInFlight {
    private struct Call {
        /// The task that made it.
        let task: UInt64?
        /// Whether an exchange goes on, be it that only its content is missing.
        var hasExchange = false
        /// Whether the caller has the response.
        var hasReturned = false
    }

    private var calls: [UInt64: Call] = [:]
    /// How many of them each task has made; most have one.
    private var callsByTask: [UInt64: Int] = [:]
    private var pausedTasks: Set<UInt64> = []
    /// Calls of paused tasks.
    private var resting = 0

    var count: Int { calls.count - resting }

    mutating func callDidStart(_ id: UInt64, of task: UInt64?) {
        calls[id] = Call(task: task)
        guard let task else { return }
        callsByTask[task, default: 0] += 1
        if pausedTasks.contains(task) { resting += 1 }
    }

    /// An exchange of a call that has returned is none of the caller's, such as a revalidation in the background.
    mutating func exchangeDidStart(_ id: UInt64) {
        if calls[id]?.hasReturned == false { calls[id]?.hasExchange = true }
    }

    mutating func exchangeDidEnd(_ id: UInt64) {
        calls[id]?.hasExchange = false
        if calls[id]?.hasReturned == true { remove(id) }
    }

    /// - Parameter isAnswered: Whether there is a response, whose content may still be to read.
    mutating func callDidReturn(_ id: UInt64, isAnswered: Bool) {
        calls[id]?.hasReturned = true
        if calls[id]?.hasExchange == false || !isAnswered { remove(id) }
    }

    mutating func taskDidPause(_ task: UInt64) {
        if pausedTasks.insert(task).inserted { resting += callsByTask[task] ?? 0 }
    }

    /// A task goes on, or has ended.
    mutating func taskDidGoOn(_ task: UInt64) {
        if pausedTasks.remove(task) != nil { resting -= callsByTask[task] ?? 0 }
    }

    private mutating func remove(_ id: UInt64) {
        guard let call = calls.removeValue(forKey: id), let task = call.task else { return }
        if pausedTasks.contains(task) { resting -= 1 }
        let rest = (callsByTask[task] ?? 1) - 1
        callsByTask[task] = rest > 0 ? rest : nil
    }
}
