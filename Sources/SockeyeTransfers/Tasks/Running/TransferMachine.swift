/// The state of a task.
@nonexhaustive public enum TransferState: String, Sendable, Hashable {
    /// The task waits until its dependencies have ended and fewer tasks run than
    /// ``/Sockeye/ClientConfiguration/runningTasks`` allows.
    case waiting
    /// The task is running.
    case running
    /// The task is paused.
    case paused
    /// The task was cancelled and has not ended yet.
    case cancelling
    /// The task has ended, with any outcome.
    case ended
}

/// The state machine of one task. No I/O.
package struct TransferMachine: Sendable {
    /// The action to perform after an event.
    package enum Action: Sendable, Equatable {
        case none
        case begin
        /// Suspend the work: reading and writing must wait.
        case suspend
        /// Continue suspended work.
        case resume
        case cancel
        /// End a task before its work has started.
        case endUnstarted
    }

    package private(set) var state = TransferState.waiting
    /// True once the work of the task has begun.
    package private(set) var hasBegun = false

    package init() {}

    /// Starts a waiting task. A paused task does not begin; the caller repeats the call after the pause.
    package mutating func mayStart() -> Action {
        guard state == .waiting else { return .none }
        hasBegun = true
        state = .running
        return .begin
    }

    package mutating func pause() -> Action {
        switch state {
        case .waiting, .running:
            state = .paused
            return .suspend
        case .paused, .cancelling, .ended: return .none
        }
    }

    package mutating func resume() -> Action {
        guard state == .paused else { return .none }
        state = hasBegun ? .running : .waiting
        return .resume
    }

    package mutating func cancel() -> Action {
        switch state {
        case .ended, .cancelling: return .none
        case .waiting, .running, .paused:
            state = .cancelling
            return hasBegun ? .cancel : .endUnstarted
        }
    }

    package mutating func end() {
        state = .ended
    }
}
