import CSockeyeSystem

/// Suppresses SIGPIPE (signal(7)), which ends a process that does not ignore it.
///
/// Needed for system calls that lack a flag such as send(2)'s MSG_NOSIGNAL. The signal is blocked in this thread during
/// the call, and consumed afterwards if the call raised it. On systems that send the signal to the process, not to the
/// thread, this type has no effect.
package enum PipeSignal {
    /// - Parameters:
    ///   - body: Makes the call; returns its result and error.
    ///   - mayHaveCome: Returns true if the call may have raised the signal. A call that wrote only some of its bytes
    ///     may have raised it, too: the kernel writes page by page, and the connection can break between two pages.
    package static func suppressed<Outcome>(
        from body: () -> Outcome, mayHaveCome: (Outcome) -> Bool
    ) -> Outcome {
        let state = sockeye_pipe_signal_block()
        let outcome = body()
        sockeye_pipe_signal_restore(state, mayHaveCome(outcome))
        return outcome
    }
}
