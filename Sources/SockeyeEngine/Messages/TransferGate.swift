import SockeyeCore
import SockeyeNet
import Synchronization

/// A gate for the bytes of a transfer: shut while the transfer is paused.
package final class TransferGate: Sendable {
    /// The next opening; nil while the gate is open.
    private let opening = Mutex<OneShotEvent?>(nil)
    /// True if `opening` is not nil, for the usual case of an open gate without the lock.
    private let isShutNow = Atomic(false)

    package init() {}

    package var isShut: Bool { isShutNow.load(ordering: .acquiring) }

    package func shut() {
        opening.withLock { opening in
            opening = opening ?? OneShotEvent()
            isShutNow.store(true, ordering: .releasing)
        }
    }

    package func open() {
        let event = opening.withLock { opening in
            isShutNow.store(false, ordering: .releasing)
            return opening.take()
        }
        event?.happen()
    }

    /// Waits while the gate is shut.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/cancelled``.
    package func pass(_ phase: SockeyeError.Phase) async throws(SockeyeError) {
        while isShut {
            if Task.isCancelled { throw SockeyeError(.cancelled, phase: phase) }
            await opening.withLock { $0 }?.wait()
        }
    }
}
