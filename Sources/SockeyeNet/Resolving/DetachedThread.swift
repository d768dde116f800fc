import CSockeyeSystem
import Glibc

/// A thread that nobody joins. Every signal is blocked on it: signals are the application's business.
enum DetachedThread {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts the thread; returns 0 or the error of `pthread_create`.
    ///
    /// - Parameter name: At most 15 bytes, which is what the kernel keeps.
    static func start(named name: String, _ run: @escaping @Sendable () -> Void) -> Int32 {
        var all = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let argument = unsafe Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                let body = unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                unsafe sockeye_name_this_thread(body.name)
                body.run()
                return nil
            }, unsafe argument.toOpaque())
        guard code == 0 else {
            unsafe argument.release()
            return code
        }
        return pthread_detach(thread)
    }
}
