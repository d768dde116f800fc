import SockeyeCore
public import SockeyeHTTP
public import SockeyeNet
import Synchronization

/// A TCP relay that simulates network faults between a client and a real server: latency, limited bandwidth, damaged
/// bytes, and connections that are cut, reset or silent.
///
/// ```swift
/// let proxy = try FaultProxy(to: server)
/// proxy.responses = [
///     .latency(.milliseconds(20), jitter: .milliseconds(5)),
///     .bandwidth(bytesPerSecond: 50_000)
/// ]
/// let response = try await client.get(proxy.url("/report"))
///
/// proxy.responses = [.cut(after: 100)]
/// await #expect(throws: SockeyeError.self) {
///     try await client.get(proxy.url("/report")).bytes()
/// }
/// ```
///
/// It relays bytes without parsing them, so TLS passes through. Faults that are set while connections are open apply to
/// bytes that arrive afterwards. For the error that each fault causes at the client, see the table in the article
/// Testing.
///
/// Each proxy runs on a separate thread. Stopping the proxy, or releasing the last reference to it, closes its
/// connections.
public final class FaultProxy: Sendable {
    /// The treatment of new connections.
    @nonexhaustive public enum Mode: Sendable, Hashable {
        /// New connections are relayed. The default.
        case relaying
        /// New connections are reset when their first bytes arrive, as if the server had crashed.
        case resetting
        /// New connections are accepted, but nothing is ever sent to them (a black hole).
        case silent
    }

    private struct State {
        var requests: [Fault] = []
        var responses: [Fault] = []
        var mode = Mode.relaying
        var requestBytes = 0
        var responseBytes = 0
        var open: [Int: [TestConnection]] = [:]
    }

    /// The state that connections share. Connections hold no reference to the proxy itself, so it is freed when the
    /// test releases it.
    private final class Shared: Sendable {
        let target: EndpointAddress
        let clock: ManualClock?
        let seed: UInt64
        let state = Mutex(State())

        init(target: EndpointAddress, clock: ManualClock?, seed: UInt64) {
            self.target = target
            self.clock = clock
            self.seed = seed
        }
    }

    private let acceptor: Acceptor
    private let shared: Shared
    private let scheme: HTTPURL.Scheme
    private let task: Task<Void, Never>
    /// The target, if it is a test server. The reference keeps that server running.
    private let server: TestServer?

    /// Starts a relay to an address.
    ///
    /// - Parameters:
    ///   - target: The address of the server. Each client connection causes one connection to the server. If connecting
    ///     fails or takes more than 10 s, the client connection is reset when its first byte arrives.
    ///   - scheme: The scheme of the URLs that ``url(_:host:)`` returns.
    ///   - address: The address to listen on. Default: 127.0.0.1 and a port that the kernel chooses.
    ///   - clock: The clock for the delays that faults cause. Default nil: the system's clock.
    ///   - seed: The seed for jitter, for garbage, and for the decisions of ``Fault/inShare(_:)``. The same seed gives
    ///     the same choices.
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public convenience init(
        to target: EndpointAddress, scheme: HTTPURL.Scheme = .http, on address: ListenAddress = .loopback,
        clock: ManualClock? = nil, seed: UInt64 = 0
    ) throws {
        try self.init(to: target, scheme: scheme, on: address, clock: clock, seed: seed, keeping: nil)
    }

    /// Starts a relay to a test server, and keeps a reference to that server; otherwise like
    /// ``init(to:scheme:on:clock:seed:)``.
    public convenience init(
        to server: TestServer, on address: ListenAddress = .loopback, clock: ManualClock? = nil, seed: UInt64 = 0
    ) throws {
        let scheme: HTTPURL.Scheme = server.url().hasPrefix("https:") ? .https : .http
        try self.init(to: server.address, scheme: scheme, on: address, clock: clock, seed: seed, keeping: server)
    }

    private init(
        to target: EndpointAddress, scheme: HTTPURL.Scheme, on address: ListenAddress, clock: ManualClock?,
        seed: UInt64, keeping server: TestServer?
    ) throws {
        let shared = Shared(target: target, clock: clock, seed: seed)
        let activity = ConditionVariable(TestServerActivity())
        acceptor = try Acceptor(on: address, tls: nil, activity: activity) { await Self.serve($0, shared) }
        self.shared = shared
        self.scheme = scheme
        self.server = server
        task = acceptor.start()
    }

    deinit {
        task.cancel()
    }

    // MARK: Faults

    /// The faults applied to bytes from clients to the server. Default: none.
    public var requests: [Fault] {
        get { shared.state.withLock { $0.requests } }
        set { shared.state.withLock { $0.requests = newValue } }
    }

    /// The faults applied to bytes from the server to clients. Default: none.
    public var responses: [Fault] {
        get { shared.state.withLock { $0.responses } }
        set { shared.state.withLock { $0.responses = newValue } }
    }

    /// The treatment of new connections. Default ``Mode/relaying``.
    public var mode: Mode {
        get { shared.state.withLock { $0.mode } }
        set { shared.state.withLock { $0.mode = newValue } }
    }

    /// Resets all connections that are relayed now, at both ends. Those accepted in ``Mode/silent`` stay open.
    public func resetConnections() {
        let open = shared.state.withLock { $0.open }
        for connection in open.values.joined() { connection.reset() }
    }

    /// Closes all connections that are relayed now, at both ends. Those accepted in ``Mode/silent`` stay open.
    public func closeConnections() {
        let open = shared.state.withLock { $0.open }
        for connection in open.values.joined() { connection.close() }
    }

    /// Stops accepting, closes all connections, and returns when this is done.
    public func stop() async {
        task.cancel()
        await task.value
    }

    // MARK: Address and activity

    /// The address that the relay listens on, with the actual port.
    public var address: EndpointAddress { acceptor.address }

    /// The port; 0 for a unix-domain socket.
    public var port: Int { address.port ?? 0 }

    /// Returns the URL of a path on the server, with the address and port of this relay. If `host` is given, it
    /// replaces the address.
    public func url(_ path: String = "/", host: String? = nil) -> String {
        "\(scheme)" + acceptor.url(path, host: host).dropFirst("http".count)
    }

    /// The number of bytes passed on, counted after faults were applied.
    public var transferred: (requests: Int, responses: Int) {
        shared.state.withLock { ($0.requestBytes, $0.responseBytes) }
    }

    /// The number of connections accepted so far and of connections now open.
    public var activity: TestServerActivity { acceptor.activity.value }

    /// Suspends until `condition` holds for the relay's activity, for instance `$0.openConnections == 0`.
    ///
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    @discardableResult
    public func wait(
        timeout: Duration = .seconds(30), until condition: @Sendable (TestServerActivity) -> Bool
    ) async throws -> TestServerActivity {
        try await acceptor.activity.wait(for: "the relay's activity", timeout: timeout, until: condition)
    }

    // MARK: Connections

    private static let connectTime = Duration.seconds(10)

    private static func serve(_ client: TestConnection, _ shared: Shared) async {
        switch shared.state.withLock({ $0.mode }) {
        case .relaying: await relay(client, shared)
        case .resetting: await refuse(client)
        case .silent: _ = try? await client.discardToEnd()
        }
    }

    /// Resets a connection after its first byte has arrived. By then, the client's connect has succeeded, so the client
    /// sees a reset rather than a failed connect.
    private static func refuse(_ client: TestConnection) async {
        _ = try? await client.read(upTo: 1)
        client.reset()
    }

    private static func relay(_ client: TestConnection, _ shared: Shared) async {
        guard let poller = try? EventPoller.shared(),
            let socket = try? await SocketStream.connect(
                to: shared.target, poller: poller, until: poller.time.now.advanced(by: connectTime))
        else { return await refuse(client) }
        let server = TestConnection(index: client.index, socket: socket, stream: socket)
        shared.state.withLock { $0.open[client.index] = [client, server] }
        await carry(client, server, shared)
        shared.state.withLock { $0.open[client.index] = nil }
        client.close()
        server.close()
    }

    private static func carry(_ client: TestConnection, _ server: TestConnection, _ shared: Shared) async {
        let seed = shared.seed &+ UInt64(client.index) &* 2
        let up = FaultRelay(
            source: client, target: server, clock: shared.clock,
            faults: { shared.state.withLock { $0.requests } },
            count: { count in shared.state.withLock { $0.requestBytes += count } }, plan: FaultPlan(seed: seed))
        let down = FaultRelay(
            source: server, target: client, clock: shared.clock,
            faults: { shared.state.withLock { $0.responses } },
            count: { count in shared.state.withLock { $0.responseBytes += count } }, plan: FaultPlan(seed: seed &+ 1))
        await withTaskGroup(of: FaultRelay.End.self) { group in
            for relay in [up, down] {
                group.addTask {
                    var relay = relay
                    return await relay.run()
                }
            }
            for await end in group where end != .finished {
                if end == .reset {
                    client.reset()
                    server.reset()
                } else {
                    client.close()
                    server.close()
                }
                group.cancelAll()
            }
        }
    }
}
