import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

extension SocketTransport {
    /// Sends a request on the first of several ways that leads somewhere.
    func performRouted(
        _ request: OutgoingRequest, adding added: FieldLineBuffer
    ) async throws(SockeyeError) -> ExchangeOutcome {
        guard let proxies = core.proxies else { return try await perform(request, adding: added, through: .some(nil)) }
        var request = request
        let start = core.time.now
        // The deadline is that of all ways together.
        let limit = request.parts.timeouts(over: shared.timeouts).limits.total
        let end = MonotonicTime.earlier(request.options.deadline ?? .distantFuture, start.deadline(after: limit))
        request.options.deadline = end
        let routes = try await proxies.routes(
            to: request.url, at: start, BoundedAnswer(deadline: end, poller: try core.poller))
        for (index, proxy) in routes.enumerated() {
            do throws(SockeyeError) {
                let outcome = try await perform(request, adding: added, through: .some(proxy))
                if let proxy { proxies.note(proxy, isReached: true, at: start) }
                return outcome
            } catch {
                guard let proxy, error.isOfMissingProxy else { throw error }
                proxies.note(proxy, isReached: false, at: core.time.now)
                guard index + 1 < routes.count, !Task.isCancelled else { throw error }
            }
        }
        throw SockeyeError(TransportError.cancelled, phase: .pool)
    }
}

extension Proxy {
    /// The proxy as the connections of a request have it.
    func serving(_ request: OutgoingRequest) -> Proxy {
        guard isHTTP else { return self }
        var proxy = self
        // Upgrade is for the next hop (RFC 9110 7.8): a proxy that forwards would take it as meant for itself.
        if request.parts.hasRareOptions, request.parts.options.upgrade != nil, request.url.scheme == .http {
            proxy = tunneling
        }
        if !proxy.forwards(request.url), let field = request.parts.headers[.proxyAuthorization] {
            proxy = proxy.authorized(by: field)
        }
        return proxy
    }

    /// What a request takes along for a proxy that forwards it; nil where that is no concern of ours.
    func round(for request: OutgoingRequest) -> ProxyAuthenticationRound? {
        guard forwards(request.url), !request.parts.headers.contains(.proxyAuthorization) else { return nil }
        return ProxyAuthenticationRound(unasked: authenticator.unasked(for: Self.digested(request.parts)))
    }

    /// The request once more with the answer to a 407 of the proxy's; nil where the outcome is the caller's.
    func answer(
        _ outcome: ExchangeOutcome, to prepared: borrowing PreparedRequest, _ round: inout ProxyAuthenticationRound?,
        _ poller: any Poller
    ) async throws(SockeyeError) -> PreparedRequest? {
        guard case .response(let response) = outcome, var tried = round else { return nil }
        guard response.statusCode == 407 else {
            if let sent = tried.sent, let info = response.values(of: .proxyAuthenticationInfo).first {
                authenticator.note(info, to: sent)
            }
            return nil
        }
        guard prepared.body.canBeSent else { return nil }
        defer { round = tried }
        let answer = try await authenticator.answer(
            response.values(of: .proxyAuthenticate), to: Self.digested(prepared.request), &tried,
            BoundedAnswer(deadline: prepared.deadlines.total, poller: poller))
        guard let answer else { return nil }
        // Its connection may be the one that the next request needs.
        response.discard()
        return PreparedRequest(prepared, proxyAuthorization: answer.authorization)
    }

    private static func digested(_ request: OutgoingRequest.Parts) -> DigestRequest {
        DigestRequest(
            method: request.method.rawValue, target: String(Substring(request.url.absoluteForm)),
            content: request.body.bytesInMemory)
    }
}
