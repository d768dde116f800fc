/// What a task is for. Clients list their tasks by kind, as AFNetworking's session managers do.
@nonexhaustive public enum TransferKind: String, Sendable, Hashable, CaseIterable {
    /// A call whose response becomes a value.
    case data
    /// A call whose point is the content that it sends.
    case upload
    /// A call whose response becomes a file.
    case download
}

/// Where a task stands.
@nonexhaustive public enum TransferState: String, Sendable, Hashable {
    /// It waits for its turn: for tasks that it depends on, or because as many run as may.
    case waiting
    /// It runs.
    case running
    /// It was paused.
    case paused
    /// It was cancelled, and has not ended yet.
    case cancelling
    /// It has ended, in one way or another.
    case ended
}

/// The state machine of one task. No I/O.
package struct TransferMachine: Sendable {
    /// What is to be done after an event.
    package enum Action: Sendable, Equatable {
        case none
        /// Begin to work.
        case begin
        /// Suspend the work: what moves bytes waits.
        case suspend
        /// Let suspended work go on.
        case resume
        /// Cancel the work.
        case cancel
        /// End a task whose work has not begun.
        case endUnstarted
    }

    package private(set) var state = TransferState.waiting
    private var hasBegun = false

    package init() {}

    /// It is its turn.
    package mutating func turn() -> Action {
        guard state == .waiting || state == .paused, !hasBegun else { return .none }
        hasBegun = true
        if state == .paused { return .begin }
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
