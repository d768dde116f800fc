import CSockeyeSystem
import Glibc

/// Suppresses SIGPIPE (signal(7)), which ends a process that does not ignore it.
///
/// It blocks the signal in this thread and consumes it if the call has raised it. It is for calls without a flag such
/// as `send`'s MSG_NOSIGNAL.
package enum PipeSignal {
    /// - Parameters:
    ///   - body: Makes the call; returns its result and error.
    ///   - mayHaveCome: Returns true if the signal may have been raised. A partly successful call raises it too, if the
    ///     peer accepted the first pages and was gone for the next.
    package static func suppressed<Outcome>(
        from body: () -> Outcome, mayHaveCome: (Outcome) -> Bool
    ) -> Outcome {
        var pipe = sigset_t()
        var previous = sigset_t()
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &previous)
        let wasBlocked = unsafe sigismember(&previous, SIGPIPE) == 1
        let wasPending = wasBlocked && isPending
        let outcome = body()
        if mayHaveCome(outcome), !wasPending {
            var none = timespec()
            unsafe sigtimedwait(&pipe, nil, &none)
        }
        if !wasBlocked { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return outcome
    }

    private static var isPending: Bool {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        return unsafe sigismember(&pending, SIGPIPE) == 1
    }
}
