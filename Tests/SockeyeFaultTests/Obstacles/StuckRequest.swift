import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// Everything that makes a request get stuck at an obstacle, and the means to detect that it is stuck.
struct StuckRequest: Sendable {
    private let obstacle: Obstacle
    private let resolver = SilentResolver()
    private let hole: BlackholeServer?
    private let peer = SilentPeer()
    let server: FaultServer
    /// Fired when the client has the head of the response.
    private let begun = TestSignal()
    private let producerEnd = TestSignal()
    /// The response that holds the pool's only connection, so that the next request waits.
    private let holder = Shared<IncomingResponse?>(nil)

    init(at obstacle: Obstacle) async throws {
        self.obstacle = obstacle
        hole = obstacle == .connect ? try await BlackholeServer.start() : nil
        server = try FaultServer(script: peer.script(for: obstacle))
    }

    func configuration(_ timeouts: Timeouts) throws -> HTTPClient.Configuration {
        var configuration = try Credentials.configuration()
        configuration.resolver = resolver
        configuration.pool.connectionsPerOrigin = 1
        configuration.timeouts = timeouts
        return configuration
    }

    private var url: String {
        switch obstacle {
        case .resolve: "http://name.example/"
        case .connect: hole?.url() ?? ""
        case .tls: "https://\(server.address)/"
        default: server.url()
        }
    }

    /// Takes the pool's only connection, if the pool is the obstacle.
    func occupyPool(of client: HTTPClient) async throws {
        guard obstacle == .pool else { return }
        // Without deadlines for this request, only those of the waiting request can pass.
        var timeouts = Timeouts()
        timeouts.stall = .unlimited
        let response = try await client.get(url, options: .timeouts(timeouts))
        holder.value.withLock { $0 = response }
    }

    /// Drops the response that ``occupyPool(of:)`` began.
    func vacatePool() {
        holder.value.withLock { $0 = nil }
    }

    /// Makes the request, which cannot end unless it is cancelled or times out.
    func request(with client: HTTPClient) async throws {
        switch obstacle {
        case .send: _ = try await client.post(url, .bytes(Large.body))
        case .sendFile:
            let file = try SentFile(count: Large.body.count)
            _ = try await client.post(url, .body(file.body()))
        case .uncancellableProducer: _ = try await client.post(url, .stream(UncancellableProducer(end: producerEnd)))
        default:
            let response = try await client.get(url)
            begun.fire()
            for try await _ in response.body {}
        }
    }

    /// Waits until the request is stuck.
    func waitUntilStuck(_ client: HTTPClient) async throws {
        switch obstacle {
        case .pool: await eventually("a waiter") { client.pool?.statistics.waiting == 1 }
        case .resolve: try await resolver.asked.wait()
        case .connect: await eventually("a dial") { client.pool?.statistics.dialling == 1 }
        case .body, .endlessBody: try await begun.wait()
        default: try await peer.reached.wait()
        }
    }

    /// Lets a peer that did not read continue, so that it sees the connection end.
    func wakePeer() {
        peer.mayRead.fire()
    }

    /// Ends a producer that ignores cancellation.
    func endProducer() {
        producerEnd.fire()
    }
}
