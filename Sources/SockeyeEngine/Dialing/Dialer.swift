import SockeyeCore
import SockeyeHTTP
package import SockeyeNet
import SockeyePlatform
import Synchronization

/// A function that opens the stream of a connection in memory or over a socket pair. Tests and fuzz targets thus run
/// the whole engine without a network. A stream to an https origin carries HTTP without TLS.
package typealias StreamSource =
    @Sendable (_ target: DialTarget, _ poller: any Poller) async throws(SockeyeError) -> any ByteStream

/// Opens connections: resolve, connect, tunnel, TLS, each with its own deadline and error.
package final class Dialer: Sendable {
    package let id = DialerID()
    package let tls: TLSSettings
    let socket: SocketOptions
    let resolver: ResolverStack
    let addressPolicy: EndpointAddress.Policy
    /// The record of unreachable proxies; nil if no request is proxied.
    let proxies: ProxyChooser?
    private let pollers: PollerSet
    /// If set, opens all connections, and the resolver and sockets are not used. Nil in production.
    private let streams: StreamSource?
    private let sessions = Mutex(TLSSessionCache())

    init(
        tls: TLSSettings, socket: SocketOptions, resolver: ResolverStack, addressPolicy: EndpointAddress.Policy,
        proxies: ProxyChooser? = nil, pollers: PollerSet, streams: StreamSource? = nil
    ) {
        self.proxies = proxies
        self.streams = streams
        self.addressPolicy = addressPolicy
        self.tls = tls
        self.socket = socket
        self.resolver = resolver
        self.pollers = pollers
    }

    /// Opens a connection to the target's origin, ready for a request.
    package func dial(_ target: DialTarget, progress: DialProgress) async throws(SockeyeError) -> OriginConnection {
        let target = target.bounded
        let poller = try nextPoller()
        if let streams {
            let stream = try await streams(target, poller)
            return OriginConnection(stream: stream, tls: nil, remoteAddress: nil, poller: poller)
        }
        var timings = DialTimings()
        var stage = poller.time.now
        /// Returns the time since the last call of this function, or since the start of the dial.
        func lap() -> Duration {
            let now = poller.time.now
            defer { stage = now }
            return now.since(stage)
        }
        let addresses = try await resolve(target, poller: poller, progress: progress)
        if target.unixSocketPath == nil { timings.resolving = lap() }
        progress.enter(.connect)
        let (socket, stream) = try await open(addresses, target, poller)
        timings.connecting = lap()
        guard target.url.scheme == .https else {
            return OriginConnection(
                stream: stream, tls: nil, remoteAddress: socket.peerAddress, poller: poller, timings: timings)
        }
        progress.enter(.tls)
        let secure = try await handshake(over: stream, socket, target, poller)
        timings.handshaking = lap()
        return OriginConnection(
            stream: secure, tls: secure.info, remoteAddress: socket.peerAddress, poller: poller, timings: timings)
    }

    private func nextPoller() throws(SockeyeError) -> EventPoller {
        do throws(TransportError) { return try pollers.next() } catch { throw SockeyeError(error, phase: .connect) }
    }

    var sessionCache: TLSSessionCache { sessions.withLock(\.self) }

    /// Forgets TLS sessions and addresses of names. Open connections keep the previous session cache; new connections
    /// do not use it.
    func reset() {
        sessions.withLock { $0 = TLSSessionCache() }
        resolver.forgetAll()
    }

    func connect(
        to addresses: [EndpointAddress], _ target: DialTarget, _ poller: any Poller
    ) async throws(SockeyeError) -> SocketStream {
        let deadline = poller.time.now.deadline(after: target.limits.connect)
        do throws(ConnectError) {
            return try await Connector.connect(
                to: addresses, options: options(for: target), policy: addressPolicy, poller: poller, until: deadline)
        } catch {
            throw failure(error, target)
        }
    }

    /// Returns the error that the caller gets for a failed connection, and forgets the addresses of the host.
    func failure(_ error: ConnectError, _ target: DialTarget) -> SockeyeError {
        // The next attempt resolves the name again, because the host may have moved.
        resolver.forget(target.connectHost, port: target.connectPort)
        return SockeyeError(error, configured: target.limits.connect).reaching(target.proxy, at: .connect)
            .through(socket.interface, error)
    }

    func resolve(
        _ target: DialTarget, poller: any Poller, progress: DialProgress
    ) async throws(SockeyeError) -> [EndpointAddress] {
        if let path = target.unixSocketPath {
            guard let address = EndpointAddress(unixPath: path) else {
                throw SockeyeError(
                    .init(
                        .invalidRequest, phase: .prepare, blame: .caller,
                        message: "the path of the unix-domain socket is empty, has a NUL that this system does not "
                            + "allow, or is longer than \(SystemAddress.longestPath) bytes"))
            }
            return [address]
        }
        progress.enter(.resolve)
        let deadline = poller.time.now.deadline(after: target.limits.resolve)
        do throws(ResolveError) {
            return try await resolver.resolve(
                target.connectHost, port: target.connectPort, poller: poller, until: deadline)
        } catch {
            throw SockeyeError(error, host: target.connectHost, configured: target.limits.resolve)
                .reaching(target.proxy, at: .resolve)
        }
    }

    private func handshake(
        over stream: any ByteStream, _ socket: SocketStream, _ target: DialTarget, _ poller: any Poller
    ) async throws(SockeyeError) -> TLSStream {
        let connecting = stream === socket ? FastOpenConnect(of: socket, target, poller) : nil
        defer { connecting?.end() }
        do throws(TransportError) {
            return try await TLSStream.connect(
                over: stream, serverName: target.url.host, context: target.tls.context(),
                sessions: sessionCache, sessionKey: target.sessionKey,
                until: (connecting?.deadline ?? poller.time.now).deadline(after: target.limits.tls))
        } catch {
            stream.close()
            if let failed = connecting?.failure(error) { throw failure(failed, target) }
            throw SockeyeError(error, phase: .tls, configured: target.limits.tls)
        }
    }
}

extension SockeyeError {
    /// Adds the name of the interface to the message if connections could not be bound to that interface.
    fileprivate func through(_ interface: String?, _ cause: ConnectError) -> SockeyeError {
        let isRefused = cause.attempts.contains { attempt in
            if case .transport(.system(.bindToInterface, _)) = attempt.failure { true } else { false }
        }
        guard let interface, isRefused else { return self }
        return with { fields in
            fields.blame = .caller
            fields.message = "connections cannot be bound to the interface '\(interface)': \(fields.message)"
        }
    }
}
