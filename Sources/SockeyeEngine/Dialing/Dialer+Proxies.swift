import SockeyeCore
import SockeyeHTTP
import SockeyeNet

extension Dialer {
    /// Opens a stream to the target, directly or through a tunnel, or to a proxy that forwards requests.
    func open(
        _ addresses: [EndpointAddress], _ target: DialTarget, _ poller: any Poller
    ) async throws(SockeyeError) -> (socket: SocketStream, stream: any ByteStream) {
        guard let proxy = target.proxy else {
            let socket = try await connect(to: addresses, target, poller)
            try await sendProxyHeader(socket, over: socket, target, poller)
            return (socket, socket)
        }
        var ends = try await ends(of: target, behind: proxy, poller)[...]
        let (url, own) = (target.url, proxy.callersAuthorization)
        let request = DigestRequest(method: "CONNECT", target: url.authorityForm, content: nil)
        var round = ProxyAuthenticationRound(unasked: Self.unasked(request, target))
        while true {
            let socket = try await connect(to: addresses, target, poller)
            var stream: any ByteStream = socket
            do throws(SockeyeError) {
                stream = try await secure(socket, to: proxy, target, poller)
                let answer = own ?? round.sent?.authorization
                guard let (head, body) = try await tunnel(over: stream, to: ends.first, target, answer, poller) else {
                    try await sendProxyHeader(socket, over: stream, target, poller)
                    return (socket, stream)
                }
                // Answer a challenge over a new connection. Some proxies cannot reuse a connection after a refusal.
                stream.close()
                let challenges = head.status == 407 && own == nil ? head.values(of: .proxyAuthenticate) : []
                guard !challenges.isEmpty,
                    try await proxy.authenticator.answer(challenges, to: request, &round, runner(target, poller)) != nil
                else {
                    throw SockeyeError(refusalOf: proxy, head, body: body, hasAnswered: answer != nil)
                }
            } catch {
                stream.close()
                guard error.proxyFailure?.reply != nil else { throw error }
                // The reply may concern only this address of the target: the next attempt resolves the name again.
                if proxy.needsResolvedAddress { resolver.forget(url.connectHost, port: url.port) }
                guard ends.count > 1 else { throw error }
                ends.removeFirst()
            }
        }
    }

    /// The credentials that go to a proxy with the first CONNECT, before any challenge. Nil without such credentials,
    /// or if the caller's own Proxy-Authorization field replaces them.
    private static func unasked(_ request: DigestRequest, _ target: DialTarget) -> ChallengeAnswer? {
        guard let proxy = target.tunnelingProxy, proxy.callersAuthorization == nil else { return nil }
        return proxy.authenticator.unasked(for: request)
    }

    private func runner(_ target: DialTarget, _ poller: any Poller) -> DeadlineRunner {
        DeadlineRunner(deadline: poller.time.now.deadline(after: target.limits.connect), poller: poller)
    }

    /// Refuses a target behind a proxy if the address policy allows none of the target's known addresses. Without a
    /// look-up, only the addresses of an IP literal, of `localhost` and of names under it are known. Other names are
    /// resolved by the proxy, or in `ends(of:behind:_:)`.
    private func checkKnownAddresses(of target: DialTarget) throws(SockeyeError) {
        guard let addresses = try? LiteralHost.addresses(of: target.url.connectHost, port: target.url.port),
            !addresses.contains(where: addressPolicy.allows)
        else { return }
        let attempts = addresses.map { ConnectError.Attempt(address: $0, failure: .denied) }
        throw SockeyeError(ConnectError(reason: .allFailed, attempts: attempts), configured: nil)
    }

    /// The maximum number of a target's addresses that the proxy is asked to connect to. A name may have any number of
    /// addresses, and each may cost a new connection to the proxy.
    private static let mostAddresses = 4

    /// Returns the addresses to which the proxy is to connect, in order, if the proxy takes no names; otherwise none.
    private func ends(
        of target: DialTarget, behind proxy: Proxy, _ poller: any Poller
    ) async throws(SockeyeError) -> [EndpointAddress] {
        try checkKnownAddresses(of: target)
        guard proxy.needsResolvedAddress, target.url.hostKind == .name else { return [] }
        let limit = target.limits.resolve
        let addresses: [EndpointAddress]
        do throws(ResolveError) {
            addresses = try await resolver.resolve(
                target.url.connectHost, port: target.url.port, poller: poller,
                until: poller.time.now.deadline(after: limit))
        } catch {
            throw SockeyeError(error, host: target.url.connectHost, configured: limit)
        }
        let reachable = addresses.filter { proxy.kind != .socks4 || $0.family == .ipv4 }
        let ends = Array(reachable.filter(addressPolicy.allows).filter { $0.host != nil }.prefix(Self.mostAddresses))
        guard !ends.isEmpty else {
            let attempts = reachable.map { ConnectError.Attempt(address: $0, failure: .denied) }
            throw SockeyeError(
                ConnectError(reason: attempts.isEmpty ? .noAddresses : .allFailed, attempts: attempts),
                configured: limit)
        }
        return ends
    }

    /// Performs the TLS handshake with the proxy itself, if the proxy uses TLS.
    private func secure(
        _ socket: SocketStream, to proxy: Proxy, _ target: DialTarget, _ poller: any Poller
    ) async throws(SockeyeError) -> any ByteStream {
        guard let tls = proxy.tls else { return socket }
        let limit = target.limits.tls
        let connecting = FastOpenConnect(of: socket, target, poller)
        defer { connecting?.end() }
        do throws(TransportError) {
            return try await TLSStream.connect(
                over: socket, serverName: proxy.host, context: tls.context(), sessions: sessionCache,
                sessionKey: "the proxy \(proxy.sessionKey)",
                until: (connecting?.deadline ?? poller.time.now).deadline(after: limit))
        } catch {
            if let failed = connecting?.failure(error) { throw failure(failed, target) }
            throw SockeyeError(error, phase: .tls, configured: limit).reaching(proxy, at: .tls)
        }
    }

    /// Asks the proxy for a tunnel. Returns the refusal of an HTTP proxy, but throws the refusal of a SOCKS proxy.
    /// Returns nil if the stream now leads to the target, or to a proxy that forwards requests.
    private func tunnel(
        over stream: any ByteStream, to end: EndpointAddress?, _ target: DialTarget, _ authorization: String?,
        _ poller: any Poller
    ) async throws(SockeyeError) -> (head: ResponseHead, body: Bytes)? {
        guard let proxy = target.tunnelingProxy else { return nil }
        let limit = target.limits.connect
        let opener = TunnelOpener(
            proxy: proxy, url: target.url, address: end, stream: stream,
            deadline: poller.time.now.deadline(after: limit), configured: limit)
        guard case .refused(let head, let body) = try await opener.open(authorization: authorization) else {
            return nil
        }
        return (head, body)
    }

    /// Sends the header of the PROXY protocol if the socket options ask for it. The target, or a proxy that forwards
    /// requests, receives the header before any other data of this stream.
    private func sendProxyHeader(
        _ socket: SocketStream, over stream: any ByteStream, _ target: DialTarget, _ poller: any Poller
    ) async throws(SockeyeError) {
        guard let header = self.socket.proxyProtocol?.header(of: socket) else { return }
        let limit = target.limits.connect
        do throws(TransportError) {
            try await stream.writeAll(header, until: poller.time.now.deadline(after: limit))
        } catch {
            stream.close()
            throw SockeyeError(error, phase: .connect, configured: limit)
        }
    }
}
