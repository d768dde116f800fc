import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The values that all exchanges of a request share.
struct RequestRoute: ~Copyable {
    let core: TransportCore
    /// Nil for a direct connection.
    let proxy: Proxy?
    let key: PoolKey
    /// The attempts to authenticate to a forwarding proxy; nil if no proxy forwards this request, or if the caller set
    /// Proxy-Authorization.
    var round: ProxyAuthenticationRound?

    /// Answers a 407 of the proxy: returns the next request to send, which has credentials. Nil if the outcome is not a
    /// 407, or if the 407 cannot be answered.
    mutating func answer(
        _ outcome: ExchangeOutcome, to prepared: borrowing PreparedRequest
    ) async throws(SockeyeError) -> PreparedRequest? {
        guard let proxy else { return nil }
        // While the app's handler looks for a credential, the connection of the 407 response may already be back in the
        // pool. A graceful shutdown then waits for this call only because it is counted here.
        core.suspendedCalls.begin()
        defer { core.suspendedCalls.end() }
        return try await proxy.answer(outcome, to: prepared, &round, core.poller)
    }
}
