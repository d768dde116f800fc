package import SockeyeCore
import SockeyeNet
import Synchronization

/// A gate for the bytes of a transfer: shut while the transfer is paused.
package final class TransferGate: Sendable {
    private struct State {
        /// The event of the next opening; nil while the gate is open.
        var opening: OneShotEvent?
        /// The time at which the last pause ended; nil if no pause has ended yet.
        var lastOpened: MonotonicTime?
    }

    private let state = Mutex(State())
    /// True if `opening` is not nil. An atomic copy, so that the usual check of an open gate needs no lock.
    private let isShutNow = Atomic(false)
    private let time: TimeSource

    package init(time: TimeSource = .system) {
        self.time = time
    }

    package var isShut: Bool { isShutNow.load(ordering: .acquiring) }

    /// The time at which the last pause ended; the current time while the gate is shut. Nil if it was never shut.
    package var endOfPause: MonotonicTime? {
        isShut ? time.now : state.withLock { $0.lastOpened }
    }

    package func shut() {
        state.withLock { state in
            state.opening = state.opening ?? OneShotEvent()
            isShutNow.store(true, ordering: .releasing)
        }
    }

    package func open() {
        let event = state.withLock { state in
            isShutNow.store(false, ordering: .releasing)
            if state.opening != nil { state.lastOpened = time.now }
            return state.opening.take()
        }
        event?.happen()
    }

    /// Waits while the gate is shut.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/cancelled`` if the task is cancelled meanwhile.
    package func pass(_ phase: SockeyeError.Phase) async throws(SockeyeError) {
        while isShut {
            if Task.isCancelled { throw SockeyeError(.cancelled, phase: phase) }
            await state.withLock { $0.opening }?.wait()
        }
    }
}
