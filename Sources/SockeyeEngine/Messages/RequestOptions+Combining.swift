// Options combine: `.timeout(total: .seconds(2)).limit(body: 1 << 20)`. What a part says replaces what was said of the
// same, and nothing else.

extension OutgoingRequest.Options {
    /// These options with one of them changed.
    package func with(_ change: (inout OutgoingRequest.Options) -> Void) -> OutgoingRequest.Options {
        var options = self
        change(&options)
        return options
    }

    /// Options with deadlines of their own: those that are set in `timeouts`.
    public static func timeouts(_ timeouts: Timeouts) -> OutgoingRequest.Options {
        OutgoingRequest.Options().timeouts(timeouts)
    }

    /// These options with further deadlines, which replace those of the same name.
    public func timeouts(_ timeouts: Timeouts) -> OutgoingRequest.Options {
        with { options in options.timeouts = options.timeouts.map { timeouts.over($0) } ?? timeouts }
    }

    /// Options with some deadlines: those that are given. Nil is none, whatever the client has. See ``Timeouts``.
    public static func timeout(
        total: Duration? = Timeouts.unset, connect: Duration? = Timeouts.unset, head: Duration? = Timeouts.unset,
        stall: Duration? = Timeouts.unset
    ) -> OutgoingRequest.Options {
        .timeouts(Timeouts(total: total, connect: connect, head: head, stall: stall))
    }

    /// These options with further deadlines: those that are given. Nil is none, whatever the client has.
    public func timeout(
        total: Duration? = Timeouts.unset, connect: Duration? = Timeouts.unset, head: Duration? = Timeouts.unset,
        stall: Duration? = Timeouts.unset
    ) -> OutgoingRequest.Options {
        timeouts(Timeouts(total: total, connect: connect, head: head, stall: stall))
    }

    /// Options with a limit for the body of the response, in bytes after decoding; see ``bodyLimit``.
    public static func limit(body bytes: Int) -> OutgoingRequest.Options {
        OutgoingRequest.Options().limit(body: bytes)
    }

    /// These options with a limit for the body of the response, in bytes after decoding; see ``bodyLimit``.
    public func limit(body bytes: Int) -> OutgoingRequest.Options { with { $0.bodyLimit = bytes } }

    /// Options with a closure that is called with the number of body bytes sent so far.
    public static func reportingProgress(_ report: @escaping @Sendable (Int) -> Void) -> OutgoingRequest.Options {
        OutgoingRequest.Options().reportingProgress(report)
    }

    /// These options with a closure that is called with the number of body bytes sent so far.
    public func reportingProgress(_ report: @escaping @Sendable (Int) -> Void) -> OutgoingRequest.Options {
        with { $0.onBodyProgress = report }
    }
}
