import Dispatch
import Glibc
import SockeyeToolKit
import Synchronization

/// Ctrl-C (SIGINT) and SIGTERM as a call, so that what was begun can be ended in order. The second one ends the process.
final class Interrupts: Sendable {
    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    private let count = Count()
    // Held as long as this is, and not touched any more.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// - Parameter act: Called once, on any thread.
    init(_ act: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { [count] number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard count.value.add(1, ordering: .relaxed).oldValue == 0 else { _exit(ExitStatus.interrupted.code) }
                act()
            }
            source.resume()
            return source
        }
    }

    /// Whether there was one.
    var hasOccurred: Bool { count.value.load(ordering: .relaxed) > 0 }
}
