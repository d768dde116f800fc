import CSockeyeSystem

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
        let state = sockeye_pipe_signal_block()
        let outcome = body()
        sockeye_pipe_signal_restore(state, mayHaveCome(outcome))
        return outcome
    }
}
