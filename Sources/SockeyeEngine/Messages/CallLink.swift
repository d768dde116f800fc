package import SockeyeCore

/// The link of a request to the call that it is part of.
///
/// A client passes the link along with the request. Setting the link's values in ``OutgoingRequest/Options`` instead
/// would copy the request, which costs two allocations and dozens of updates of reference counts.
package protocol CallLink: AnyObject, Sendable {
    /// The observer of the call's exchanges.
    var exchangeObserver: (any ExchangeObserver)? { get }
    /// The deadline of the whole call; `.distantFuture` if it has none.
    var deadline: MonotonicTime { get }
    /// The start of the call, which may have made other requests before this one.
    var started: MonotonicTime { get }
    /// The time from which ``OutgoingRequest/Options/attemptTimeout`` counts; nil if it counts from the start of this
    /// request. Not nil if the transport tries several proxies: the timeout then covers all tries together.
    var attemptStart: MonotonicTime? { get }
}

extension CallLink {
    package var attemptStart: MonotonicTime? { nil }
}
