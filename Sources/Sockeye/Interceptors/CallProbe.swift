package import SockeyeEngine

/// A listener to calls for products of their own, such as logs, metrics and traces: hears less than an ``EventMonitor``, so that
/// nothing is made for it, such as the fields of a head, and may be one for all calls or have a state for each.
package protocol CallProbe: AnyObject, Sendable {
    /// The events of exchanges that it hears.
    var events: ProbedEvents { get }

    /// A request is about to look for a connection.
    func exchangeDidStart(_ call: ObservedCall, _ exchange: ExchangeMetrics)

    /// The head of the final response of an exchange has arrived.
    func exchangeDidReceiveHead(_ call: ObservedCall, _ exchange: ExchangeMetrics)

    /// An exchange is over: its content read to the end or given up, or it failed. May be after the call has returned.
    func exchangeDidEnd(_ call: ObservedCall, _ exchange: ExchangeMetrics)

    /// The outcome of an exchange was not the call's.
    func callWillGoOn(_ call: ObservedCall, after exchange: PriorExchange)

    /// The call has returned a response, whose content may still be to read, or failed.
    ///
    /// - Parameter duration: The time since the call began.
    func callDidReturn(
        _ call: ObservedCall, _ outcome: Result<IncomingResponse, SockeyeError>, at duration: Duration)
}

/// Events of exchanges. The figures of an exchange are copied for those events alone that somebody hears.
package struct ProbedEvents: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let start = ProbedEvents(rawValue: 1)
    package static let head = ProbedEvents(rawValue: 2)
    package static let end = ProbedEvents(rawValue: 4)
    /// The end of an exchange that failed.
    package static let failure = ProbedEvents(rawValue: 8)
}

extension CallProbe {
    package func exchangeDidStart(_ call: ObservedCall, _ exchange: ExchangeMetrics) {}
    package func exchangeDidReceiveHead(_ call: ObservedCall, _ exchange: ExchangeMetrics) {}
    package func exchangeDidEnd(_ call: ObservedCall, _ exchange: ExchangeMetrics) {}
    package func callWillGoOn(_ call: ObservedCall, after exchange: PriorExchange) {}
}

/// An interceptor that listens to the calls which it is part of. Of several of one type in a chain the last one counts.
package protocol ProbingInterceptor: SynchronousInterceptor {
    /// What listens to a call that begins now, in the caller's task; nil: nothing.
    func probe(_ call: ObservedCall) -> (any CallProbe)?
}
