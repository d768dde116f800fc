import CSockeyeSystem
import Glibc

/// SIGPIPE, which ends a process that does not ignore it, held back in this thread and, if it came by this call, taken
/// before anybody sees it. For the calls that have no flag against it, as `send` has MSG_NOSIGNAL.
enum PipeSignal {
    /// - Parameter body: Makes the call; returns what it returned and errno, and whether the signal may have come: it also
    ///   comes by a call that succeeds in part, when the peer was there for the first pages and gone for the next.
    static func withheld<Outcome>(
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
