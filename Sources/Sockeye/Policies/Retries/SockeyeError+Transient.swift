public import SockeyeEngine
import SockeyeNet

extension SockeyeError {
    /// Whether the request failed before there was an answer, for a reason that may be gone the next time.
    ///
    /// True when the name could not be resolved, no connection could be made, the peer closed or reset it (in the TLS
    /// handshake, too) before the head of the response was complete, or a deadline of these phases has passed. False for
    /// whatever would fail again or was decided here: certificates that are refused, everything that
    /// ``blame-swift.property`` lays at the door of the caller or of a policy (waiting for the pool among it), responses
    /// that break HTTP, limits, cancellation; and for what happened in the body.
    ///
    /// It does not say whether repeating the request is safe: that depends on its method and its body.
    public var isTransient: Bool {
        guard blame != .caller, blame != .policy else { return false }
        switch code {
        case .resolutionFailed, .connectFailed: return true
        case .connectionClosed, .timeout: return phase != .body && phase != .decode
        case .tlsFailed:
            guard case .tls(let failure)? = underlying as? TransportError else { return false }
            return failure.reason == .handshakeClosed
        default: return false
        }
    }
}
