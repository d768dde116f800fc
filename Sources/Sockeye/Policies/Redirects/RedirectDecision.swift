import SockeyeEngine

extension RedirectPolicy {
    /// What becomes of a redirect.
    public enum Decision: Sendable {
        /// It is followed with this request, which may be the proposed one or differ from it in everything.
        case follow(OutgoingRequest)
        /// The call returns the redirect itself.
        case stop
        /// The call fails with ``SockeyeError/Code-swift.struct/redirectRefused``.
        case refuse
    }
}
