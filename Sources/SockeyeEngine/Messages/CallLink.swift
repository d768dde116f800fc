package import SockeyeCore
import SockeyeHTTP

/// The link of a request to the call that it is part of.
///
/// A client passes it along with the request. Setting both values as options of the request would copy the request,
/// which costs two allocations and dozens of reference counts.
package protocol CallLink: AnyObject, Sendable {
    var exchangeObserver: (any ExchangeObserver)? { get }
    /// The deadline of the whole call; `.distantFuture` if it has none.
    var deadline: MonotonicTime { get }
    /// The start of the call, which may have made other requests before this one.
    var started: MonotonicTime { get }
    /// The start of the present attempt; nil if it starts with the next request.
    var attemptStart: MonotonicTime? { get }
}

extension CallLink {
    package var attemptStart: MonotonicTime? { nil }
}

extension OutgoingRequest.Parts {
    /// Returns the observer of the call; the one in the options of the request if the call has none.
    @inline(__always)
    func observer(of call: (any CallLink)?) -> (any ExchangeObserver)? {
        if let observer = call?.exchangeObserver { return observer }
        return hasRareOptions ? options.observer : nil
    }

    /// Returns the deadline of the call, or else the one in the options of the request; nil if the call begins with
    /// this request.
    @inline(__always)
    func deadline(of call: (any CallLink)?) -> MonotonicTime? {
        if let deadline = call?.deadline, deadline != .distantFuture { return deadline }
        return hasRareOptions ? options.deadline : nil
    }

    /// Returns the start of the call, or else the one in the options of the request; nil if the call begins with this
    /// request.
    func start(of call: (any CallLink)?) -> MonotonicTime? {
        call?.started ?? (hasRareOptions ? options.callStarted : nil)
    }
}
