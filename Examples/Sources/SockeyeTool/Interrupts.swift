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

    /// Waits until the signals are watched. Before that, a signal ends the process, as by default: if it were ignored,
    /// it would be lost.
    ///
    /// - Parameter act: The function to call; called once, on any thread.
    init(_ act: @escaping @Sendable () -> Void) {
        let registrations = DispatchGroup()
        sources = [SIGINT, SIGTERM].map { [count] number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard count.value.add(1, ordering: .relaxed).oldValue == 0 else { _exit(ExitStatus.interrupted.code) }
                act()
            }
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            // Dispatch installs the signal's handler on another thread, on a busy machine some time after this call.
            source.resume()
            return source
        }
        registrations.wait()
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    /// True if a signal has arrived.
    var hasOccurred: Bool { count.value.load(ordering: .relaxed) > 0 }
}
