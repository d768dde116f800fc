import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ResolverStackTests {
    let poller: EventPoller
    let base = ScriptedResolver()

    init() throws {
        poller = try EventPoller(time: TimeSource(manual: ManualTime()))
    }

    private func stack(
        _ overrides: [String: [EndpointAddress]] = [:], cacheLifetime: Duration? = .seconds(30)
    ) -> ResolverStack {
        ResolverStack(base: base, overrides: overrides, cacheLifetime: cacheLifetime, time: poller.time)
    }

    @Test("overrides precede everything, even literals and localhost")
    func overrides() async throws {
        let resolver = stack([
            "Service.test": [address("127.0.0.2", 0)], "service.test:8443": [address("127.0.0.3", 9)],
            "localhost": [address("127.0.0.4", 0)], "blocked.test": [], "::1": [address("127.0.0.5", 0)],
            "[2001:db8::1]:443": [address("127.0.0.6", 0)], "[2001:db8::2]": [address("127.0.0.7", 0)],
            "dotted.test.:81": [address("127.0.0.8", 0)],
        ])
        #expect(try await resolver.resolve("service.test.", on: poller) == [address("127.0.0.2", 80)])
        #expect(try await resolver.resolve("dotted.test", port: 81, on: poller) == [address("127.0.0.8", 81)])
        #expect(try await resolver.resolve("service.TEST", on: poller) == [address("127.0.0.2", 80)])
        #expect(try await resolver.resolve("service.test", port: 8443, on: poller) == [address("127.0.0.3", 9)])
        #expect(try await resolver.resolve("localhost", on: poller) == [address("127.0.0.4")])
        #expect(try await resolver.resolve("::1", on: poller) == [address("127.0.0.5")])
        #expect(try await resolver.resolve("2001:db8::1", port: 443, on: poller) == [address("127.0.0.6", 443)])
        #expect(try await resolver.resolve("2001:db8::1", on: poller) == [address("2001:db8::1")])
        #expect(try await resolver.resolve("2001:db8::2", on: poller) == [address("127.0.0.7")])
        await #expect(throws: ResolveError.notFound) { try await resolver.resolve("blocked.test", on: poller) }
        #expect(base.asked.isEmpty)
    }

    @Test("an address has no port outside of 16 bits", arguments: [-1, 65_536, 65_616, .min, .max])
    func otherPort(port: Int) {
        #expect(address("::1", 80).with(port: port) == nil)
        #expect(address("::1", 80).with(port: 65_535) == address("::1", 65_535))
        let overrides = HostOverrides(["a.test": [address("127.0.0.1", 0)]])
        #expect(overrides.addresses(of: "a.test", port: port) == [])
    }

    @Test("literals, localhost and invalid names are never looked up")
    func known() async throws {
        let resolver = stack()
        #expect(try await resolver.resolve("::1", on: poller) == [address("::1")])
        #expect(try await resolver.resolve("x.localhost", on: poller).allSatisfy { $0.isLoopback })
        await #expect(throws: ResolveError.invalidName) { try await resolver.resolve("a\0.test", on: poller) }
        #expect(base.asked.isEmpty)
    }

    @Test(
        "the second look-up uses the cached answer if a cache lifetime is configured",
        arguments: [(Duration.seconds(30), 1), (nil, 2)] as [(Duration?, Int)])
    func lifetime(cacheLifetime: Duration?, questions: Int) async throws {
        let resolver = stack(cacheLifetime: cacheLifetime)
        for index in 0..<2 {
            async let addresses = resolver.resolve("a.test", on: poller)
            if index < questions { await base.answer("192.0.2.1") }
            #expect(try await addresses == [address("192.0.2.1")])
        }
        #expect(base.asked.count == questions)
        resolver.forget("a.test", port: 80)
        async let again = resolver.resolve("a.test", on: poller)
        await base.answer("192.0.2.2")
        #expect(try await again == [address("192.0.2.2")])
    }
}
