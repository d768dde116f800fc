import Sockeye
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("Network reachability", .timeLimit(.minutes(2)))
struct NetworkReachabilityTests {
    @Test("a stream reports the loopback address as reachable, or as unknown on a system without routes")
    func loopback() async throws {
        let reachability = NetworkReachability(address: try #require(EndpointAddress(literal: "127.0.0.1", port: 80)))
        let isKnown = SystemFeature.routes.isSupported
        for await status in reachability.changes where !isKnown || status != .unknown {
            #expect(status == (isKnown ? .reachable(.loopback) : .unknown))
            break
        }
        #expect(reachability.isReachable == isKnown)
    }

    @Test("streams end when the NetworkReachability is released")
    func end() async throws {
        var reachability: NetworkReachability? = NetworkReachability(host: "localhost")
        let changes = try #require(reachability?.changes)
        reachability = nil
        for await _ in changes {}
    }

    /// Fails the first two look-ups, then answers with the loopback address.
    private final class RecoveringResolver: NameResolver {
        struct Failure: Error {}
        let count = Mutex(0)

        func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > 2 else { throw Failure() }
            return [EndpointAddress(literal: "127.0.0.1", port: port)].compactMap(\.self)
        }
    }

    @Test("a look-up that failed is repeated without a change of the network", .needs(.routes))
    func repetition() async throws {
        let resolver = RecoveringResolver()
        let reachability = NetworkReachability(host: "a.example", resolver: resolver)
        for await status in reachability.changes where status == .reachable(.loopback) { break }
        #expect(reachability.status == .reachable(.loopback))
        #expect(resolver.count.withLock(\.self) >= 3)
    }

    @Test("a status has AFNetworking's text")
    func texts() {
        let texts: [(NetworkReachability.Status, String)] = [
            (.unknown, "Unknown"), (.notReachable, "Not Reachable"), (.reachable(.wifi), "Reachable via WiFi"),
            (.reachable(.cellular), "Reachable via WWAN"), (.reachable(.ethernet), "Reachable via ethernet"),
        ]
        for (status, text) in texts { #expect(status.description == text) }
    }

    @Test("a slow reader gets the latest status, and a monitor gets every change")
    func latest() async {
        let monitor = ReachabilityMonitor()
        let reachability = NetworkReachability(reporting: .unknown) { monitor.handle(.reachabilityChanged($0)) }
        var changes = reachability.changes.makeAsyncIterator()
        for _ in 0..<1000 {
            reachability.report(.reachable(.ethernet))
            reachability.report(.notReachable)
        }
        reachability.report(.notReachable)
        #expect(await changes.next() == .notReachable)
        #expect(monitor.events.values.count == 2000)
    }
}

/// Changes of the network, made in a network namespace.
@Suite(
    "Network reachability in a namespace", .needs(.routes), .timeLimit(.minutes(2)),
    .enabled(if: NetworkNamespace.obstacle == nil, "network namespaces cannot be made here"))
struct NetworkNamespaceTests {
    /// Waits for a status. The time limit of the suite ends the wait.
    private func wait(_ reachability: NetworkReachability, for wanted: NetworkReachability.Status) async {
        for await status in reachability.changes where status == wanted { return }
    }

    @Test("the status follows links and routes of both address families")
    func routes() async throws {
        let network = try NetworkNamespace()
        let reachability = try await network.inside { NetworkReachability() }
        await wait(reachability, for: .notReachable)
        try network.ip(
            "link add veth0 type veth peer name veth1", "link set veth0 up", "link set veth1 up",
            "addr add 192.0.2.2/24 dev veth0", "route add default via 192.0.2.1")
        await wait(reachability, for: .reachable(.ethernet))
        try network.ip("link set veth1 down")  // The link has no carrier, although the route exists.
        await wait(reachability, for: .notReachable)
        try network.ip("link set veth1 up")
        await wait(reachability, for: .reachable(.ethernet))
        try network.ip("route del default")
        await wait(reachability, for: .notReachable)
        try network.ip("-6 addr add 2001:db8::2/64 dev veth0 nodad", "-6 route add default via 2001:db8::1")
        await wait(reachability, for: .reachable(.ethernet))
        try network.ip("-6 route replace unreachable default metric 1")
        await wait(reachability, for: .notReachable)
    }

    @Test("the status of an address follows its own route, and a blackhole route makes it unreachable")
    func addresses() async throws {
        let network = try NetworkNamespace()
        let address = try #require(EndpointAddress(literal: "198.51.100.7", port: 443))
        let reachability = try await network.inside { NetworkReachability(address: address) }
        await wait(reachability, for: .notReachable)
        try network.ip(
            "link add t0 type veth peer name t1", "link set t1 up", "link set t0 up", "route add 198.51.100.0/24 dev t0"
        )
        await wait(reachability, for: .reachable(.ethernet))
        try network.ip("route add blackhole 198.51.100.7/32")
        await wait(reachability, for: .notReachable)
        try network.ip("route del blackhole 198.51.100.7/32")
        await wait(reachability, for: .reachable(.ethernet))
        try network.ip("link set t0 down")
        await wait(reachability, for: .notReachable)
    }

    /// Answers with its current addresses.
    private final class ChangingResolver: NameResolver {
        let addresses = Mutex<[String]>([])

        func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
            addresses.withLock { $0 }.compactMap { EndpointAddress(literal: $0, port: port) }
        }
    }

    @Test("a host's name is resolved again when the network changes")
    func hosts() async throws {
        let network = try NetworkNamespace()
        let resolver = ChangingResolver()
        let reachability = try await network.inside { NetworkReachability(host: "a.example", resolver: resolver) }
        await wait(reachability, for: .notReachable)
        try network.ip(
            "link add t0 type veth peer name t1", "link set t1 up", "link set t0 up", "route add 198.51.100.0/24 dev t0"
        )
        resolver.addresses.withLock { $0 = ["203.0.113.1", "198.51.100.1"] }
        try network.ip("link set lo up")
        await wait(reachability, for: .reachable(.ethernet))
        resolver.addresses.withLock { $0 = ["203.0.113.1"] }
        try network.ip("link set lo down")
        await wait(reachability, for: .notReachable)
    }

    /// Answers with its current result, and counts the look-ups.
    private final class FailingResolver: NameResolver {
        let state = Mutex<(result: Result<[EndpointAddress], ResolveError>, count: Int)>((.failure(.temporary), 0))

        func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
            let result = state.withLock { state in
                state.count += 1
                return state.result
            }
            return try result.get()
        }
    }

    @Test("a look-up that fails in passing makes the status unknown, or leaves it reachable, while there is a network")
    func failedLookUps() async throws {
        let network = try NetworkNamespace()
        let resolver = FailingResolver()
        let address = try #require(EndpointAddress(literal: "198.51.100.1", port: 443))
        let reachability = try await network.inside { NetworkReachability(host: "a.example", resolver: resolver) }
        await wait(reachability, for: .notReachable)
        try network.ip(
            "link add t0 type veth peer name t1", "link set t1 up", "link set t0 up", "addr add 192.0.2.2/24 dev t0",
            "route add default via 192.0.2.1")
        await wait(reachability, for: .unknown)
        resolver.state.withLock { $0.result = .success([address]) }
        await wait(reachability, for: .reachable(.ethernet))
        resolver.state.withLock { $0 = (.failure(.temporary), 0) }
        try network.ip("link set lo up")
        // The second look-up begins after the status of the first one was set.
        await eventually("the failed look-up is repeated") { resolver.state.withLock { $0.count >= 2 } }
        #expect(reachability.status == .reachable(.ethernet))
        resolver.state.withLock { $0.result = .failure(.notFound) }
        await wait(reachability, for: .notReachable)
    }

    @Test("after ten thousand changes at once the status is right, even if the kernel drops messages")
    func burst() async throws {
        let network = try NetworkNamespace()
        let address = try #require(EndpointAddress(literal: "198.51.100.7", port: 443))
        let reachability = try await network.inside { NetworkReachability(address: address) }
        try network.ip("link add t0 type veth peer name t1", "link set t1 up", "link set t0 up")
        let changes = (0..<5000).flatMap { index in
            let route = "10.\(index / 250).\(index % 250).0/24 dev t0"
            return ["route add \(route)", "route del \(route)"]
        }
        try network.ip(batch: changes + ["route add 198.51.100.0/24 dev t0"])
        await wait(reachability, for: .reachable(.ethernet))
    }

    #if compiler(>=6.3)  // Exit tests can take values since Swift 6.3 (ST-0012).
    @Test("releasing a NetworkReachability at any moment leaves no socket open")
    func closing() async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run {
                let network = try NetworkNamespace()
                try network.ip("link add t0 type veth peer name t1", "link set t1 up", "link set t0 up")
                let work = Task {
                    while !Task.isCancelled { try network.ip("link set t0 down", "link set t0 up") }
                }
                for round in 0..<200 {
                    let reachability = try await network.inside { NetworkReachability() }
                    guard round.isMultiple(of: 2) else { continue }
                    for await _ in reachability.changes { break }
                }
                work.cancel()
                _ = try? await work.value
                await eventually("every socket is closed") { NetworkNamespace.openSocketCount == 0 }
                try demand(NetworkNamespace.openSocketCount == 0, "no netlink socket is open")
            }
        }
    }
    #endif
}

private final class ReachabilityMonitor: EventMonitor {
    let events = Recorder<NetworkReachability.Status>()

    func handle(_ event: ClientEvent) {
        if case .reachabilityChanged(let status) = event { events.append(status) }
    }
}
