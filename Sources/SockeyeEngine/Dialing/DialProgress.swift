import Synchronization

/// Which phase a dial is in, for the error of a request whose deadline passes meanwhile.
package final class DialProgress: Sendable {
    private let current = Mutex(SockeyeError.Phase.resolve)

    package init() {}

    package var phase: SockeyeError.Phase { current.withLock { $0 } }

    package func enter(_ phase: SockeyeError.Phase) {
        current.withLock { $0 = phase }
    }
}
