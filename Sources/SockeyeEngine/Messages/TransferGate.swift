import SockeyeNet
import Synchronization

/// A gate for the bytes of a transfer: shut while the transfer is paused.
package final class TransferGate: Sendable {
    private struct Waiting {
        var isShut = false
        var continuations: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastID = 0
    }

    private let waiting = Mutex(Waiting())
    /// A copy of `isShut` that is read without the lock, for the usual case of an open gate.
    private let isShutNow = Atomic(false)

    package init() {}

    package var isShut: Bool { isShutNow.load(ordering: .acquiring) }

    package func shut() {
        waiting.withLock { waiting in
            waiting.isShut = true
            isShutNow.store(true, ordering: .releasing)
        }
    }

    package func open() {
        let continuations = waiting.withLock { waiting in
            waiting.isShut = false
            isShutNow.store(false, ordering: .releasing)
            defer { waiting.continuations = [:] }
            return Array(waiting.continuations.values)
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Waits while the gate is shut.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/cancelled``.
    package func pass(_ phase: SockeyeError.Phase) async throws(SockeyeError) {
        while isShut {
            if Task.isCancelled { throw SockeyeError(.cancelled, phase: phase) }
            await wait()
        }
    }

    private func wait() async {
        let id = waiting.withLock { waiting in
            waiting.lastID += 1
            return waiting.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = waiting.withLock { waiting in
                    guard waiting.isShut, !Task.isCancelled else { return true }
                    waiting.continuations[id] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            waiting.withLock { $0.continuations.removeValue(forKey: id) }?.resume()
        }
    }
}
