import SockeyeEngine

/// What becomes of a redirect.
public enum RedirectDecision: Sendable {
    /// It is followed with this request, which may be the proposed one or differ from it in everything.
    case follow(Request)
    /// The call returns the redirect itself.
    case stop
    /// The call fails with ``SockeyeError/Code-swift.struct/redirectRefused``.
    case refuse
}
