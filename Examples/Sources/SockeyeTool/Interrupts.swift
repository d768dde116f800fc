import Dispatch
import Glibc
import SockeyeToolKit
import Synchronization

/// Calls a function on Ctrl-C (SIGINT) or SIGTERM, so that the command can stop in order. A second signal ends the
/// process.
final class Interrupts: Sendable {
    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    private let count = Count()
    // Accessed only in the initializer and the deinitializer.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// - Parameter act: The function to call; called once, on any thread.
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

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    /// True if a signal has arrived.
    var hasOccurred: Bool { count.value.load(ordering: .relaxed) > 0 }
}
