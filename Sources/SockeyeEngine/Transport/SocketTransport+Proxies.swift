import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

extension SocketTransport {
    /// Sends a request on the first of its routes that is direct or has a reachable proxy.
    func performRouted(
        _ request: OutgoingRequest, of call: (any CallLink)?, adding added: FieldLineBuffer
    ) async throws(SockeyeError) -> ExchangeOutcome {
        guard let proxies = core.proxies else {
            return try await perform(request, of: call, adding: added, through: .some(nil))
        }
        let start = core.time.now
        // All routes share the deadlines of the call and of the attempt.
        let timeouts = request.parts.timeouts(over: shared.timeouts)
        let end = MonotonicTime.earlier(
            request.parts.deadline(of: call) ?? .distantFuture, start.deadline(after: timeouts.limits.total))
        let call = RoutedCall(
            request.parts.observer(of: call), deadline: end, started: request.parts.start(of: call) ?? start,
            attemptStart: start)
        let deadlines = RequestDeadlines(
            timeouts: timeouts, time: core.time, deadline: end, attemptTimeout: request.parts.options.attemptTimeout,
            attemptStart: start)
        // A graceful shutdown waits for the counted calls. It need not wait for a call that the transport will refuse.
        let counted = admits(call.started) ? core.suspendedCalls : nil
        counted?.begin()
        defer { counted?.end() }
        let routes: [Proxy?]
        do throws(SockeyeError) {
            routes = try await self.routes(to: request.url, of: proxies, at: start, within: deadlines)
        } catch {
            throw error.about(RequestIdentity(method: request.method.rawValue, url: request.url))
        }
        for (index, proxy) in routes.enumerated() {
            do throws(SockeyeError) {
                let outcome = try await perform(request, of: call, adding: added, through: .some(proxy))
                if let proxy { proxies.note(proxy, isReached: true, at: start) }
                return outcome
            } catch {
                guard let proxy, error.isOfMissingProxy else { throw error }
                if error.isOfAbsentProxy { proxies.note(proxy, isReached: false, at: core.time.now) }
                guard index + 1 < routes.count, !Task.isCancelled else { throw error }
            }
        }
        throw SockeyeError(TransportError.cancelled, phase: .pool)
    }

    private func routes(
        to url: HTTPURL, of proxies: ProxyChooser, at now: MonotonicTime, within deadlines: RequestDeadlines
    ) async throws(SockeyeError) -> [Proxy?] {
        do throws(SockeyeError) {
            return try await proxies.routes(
                to: url, at: now, DeadlineRunner(deadline: deadlines.total, poller: try core.poller))
        } catch {
            // Replaces the error by one that names the deadline that has passed.
            guard error.code == .timeout, let exceeded = deadlines.exceeded(in: .prepare) else { throw error }
            throw exceeded
        }
    }
}

/// A call that tries its request on several routes.
private final class RoutedCall: CallLink {
    let exchangeObserver: (any ExchangeObserver)?
    let deadline: MonotonicTime
    let started: MonotonicTime
    let attemptStart: MonotonicTime?

    init(
        _ observer: (any ExchangeObserver)?, deadline: MonotonicTime, started: MonotonicTime,
        attemptStart: MonotonicTime
    ) {
        exchangeObserver = observer
        self.deadline = deadline
        self.started = started
        self.attemptStart = attemptStart
    }
}

extension Proxy {
    /// Returns the proxy as a request needs it: tunnelling if the request is an upgrade, and with the caller's
    /// Proxy-Authorization if the proxy tunnels. Two requests for which this method returns different proxies do not
    /// share connections, because the proxy is part of the pool's key.
    func serving(_ request: OutgoingRequest) -> Proxy {
        guard isHTTP else { return self }
        var proxy = self
        // Upgrade applies to the next hop (RFC 9110 7.8): a forwarding proxy would take the field as meant for itself.
        // So the request goes through a tunnel.
        if request.parts.hasRareOptions, request.parts.options.upgrade != nil, request.url.scheme == .http {
            proxy = tunneling
        }
        // The field of a CONNECT by the caller is for its recipient, and not for the proxy on the way there.
        if !request.parts.isConnect, !proxy.forwards(request.url),
            let field = request.parts.headers[.proxyAuthorization]
        {
            proxy = proxy.authorized(by: field)
        }
        return proxy
    }

    /// Starts the authentication to a proxy that forwards a request; nil if the proxy does not forward it or the caller
    /// set Proxy-Authorization.
    func round(for request: OutgoingRequest) -> ProxyAuthenticationRound? {
        guard forwards(request.url), !request.parts.headers.contains(.proxyAuthorization) else { return nil }
        return ProxyAuthenticationRound(unasked: authenticator.unasked(for: Self.digested(request.parts)))
    }

    /// Answers a 407 of the proxy: returns the next request to send, which has credentials. Nil if the outcome is not a
    /// 407, or if the 407 cannot be answered.
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
            DeadlineRunner(deadline: prepared.deadlines.total, poller: poller))
        guard let answer else { return nil }
        // Releases the connection of this response, because the next request may need it.
        response.discard()
        return PreparedRequest(prepared, proxyAuthorization: answer.authorization)
    }

    /// The parts of a request that a Digest answer to a forwarding proxy covers. The answer's `uri` parameter is the
    /// target in the request line (RFC 7616 3.4): absolute-form, or authority-form if the caller's own request has the
    /// method CONNECT (RFC 9112 3.2).
    private static func digested(_ request: OutgoingRequest.Parts) -> DigestRequest {
        let url = request.url
        return DigestRequest(
            method: request.method.rawValue,
            target: request.isConnect ? url.authorityForm : String(Substring(url.absoluteForm)),
            content: request.body.bytesInMemory)
    }
}
