/// The life of one task. Pure.
package struct TransferMachine: Sendable {
    /// What is to be done after an event.
    package enum Action: Sendable, Equatable {
        case none
        /// Begin to work.
        case begin
        /// Let the work rest: what moves bytes waits.
        case rest
        /// Let it go on.
        case goOn
        /// End the work.
        case stop
        /// It ends without ever having begun.
        case endUnbegun
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
        case .waiting:
            state = .paused
            return .rest
        case .running:
            state = .paused
            return .rest
        case .paused, .cancelling, .ended: return .none
        }
    }

    package mutating func resume() -> Action {
        guard state == .paused else { return .none }
        state = hasBegun ? .running : .waiting
        return .goOn
    }

    package mutating func cancel() -> Action {
        switch state {
        case .ended, .cancelling: return .none
        case .waiting, .running, .paused:
            state = .cancelling
            return hasBegun ? .stop : .endUnbegun
        }
    }

    package mutating func end() {
        state = .ended
    }
}
