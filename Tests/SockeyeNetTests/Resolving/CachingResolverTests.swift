import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CachingResolverTests {
    let time = ManualTime()
    let poller: EventPoller
    let base = ScriptedResolver()

    init() throws {
        poller = try EventPoller(time: TimeSource(manual: time))
    }

    private func resolver(
        _ configuration: CachingResolver.Configuration = .init()
    ) -> CachingResolver {
        CachingResolver(base, configuration: configuration, time: poller.time)
    }

    /// Resolves a name while the script answers.
    private func resolve(_ resolver: CachingResolver, _ host: String, answering literals: String...) async throws
        -> [EndpointAddress]
    {
        async let addresses = resolver.resolve(host, on: poller)
        await base.answer(.success(literals.map { address($0) }))
        return try await addresses
    }

    @Test("addresses are kept for 30 seconds and then looked up again")
    func timeToLive() async throws {
        let resolver = resolver()
        #expect(try await resolve(resolver, "a.test", answering: "192.0.2.1") == [address("192.0.2.1")])
        time.advance(by: .milliseconds(29_999))
        #expect(try await resolver.resolve("A.Test", on: poller) == [address("192.0.2.1")])
        #expect(base.asked.count == 1)
        time.advance(by: .milliseconds(1))
        #expect(try await resolve(resolver, "a.test", answering: "192.0.2.2") == [address("192.0.2.2")])
        #expect(base.asked == ["a.test:80", "a.test:80"])
    }

    @Test("each port of a name is looked up separately")
    func ports() async throws {
        let resolver = resolver()
        _ = try await resolve(resolver, "a.test", answering: "192.0.2.1")
        async let other = resolver.resolve("a.test", port: 443, on: poller)
        await base.answer(.success([address("192.0.2.1", 443)]))
        #expect(try await other == [address("192.0.2.1", 443)])
        #expect(base.asked == ["a.test:80", "a.test:443"])
    }

    @Test("a name that does not exist is remembered for a second", arguments: [true, false])
    func negative(throwing: Bool) async throws {
        let resolver = resolver()
        let first = Task { try await resolver.resolve("none.test", on: poller) }
        await base.answer(throwing ? .failure(ResolveError.notFound) : .success([]))
        await #expect(throws: ResolveError.notFound) { try await first.value }
        time.advance(by: .milliseconds(999))
        await #expect(throws: ResolveError.notFound) { try await resolver.resolve("none.test", on: poller) }
        #expect(base.asked.count == 1)
        time.advance(by: .milliseconds(1))
        #expect(try await resolve(resolver, "none.test", answering: "192.0.2.1").count == 1)
    }

    @Test("errors other than a missing name are not cached, and errors of custom resolvers are passed on")
    func errors() async throws {
        struct Broken: Error {}
        let resolver = resolver()
        for (thrown, seen) in [
            (ResolveError.temporary as any Error, ResolveError.temporary), (Broken(), .custom(Broken())),
        ] {
            let result = Task { try await resolver.resolve("a.test", on: poller) }
            await base.answer(.failure(thrown))
            await #expect(throws: seen) { try await result.value }
        }
        #expect(base.asked.count == 2)
        #expect(resolver.count == 0)
    }

    @Test("concurrent look-ups of one name are shared, also if some callers leave")
    func sharing() async throws {
        let resolver = resolver()
        let first = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        let others = (0..<20).map { _ in Task { try await resolver.resolve("a.test", on: poller) } }
        first.cancel()
        await #expect(throws: ResolveError.cancelled) { try await first.value }
        await base.answer("192.0.2.1")
        for other in others { #expect(try await other.value == [address("192.0.2.1")]) }
        #expect(base.asked == ["a.test:80"])
        #expect(base.cancellations == 0)
    }

    @Test("a deadline ends the wait at once, and the late answer serves the next request")
    func deadline() async throws {
        let resolver = resolver()
        let deadline = time.now.advanced(by: .seconds(5))
        let late = Task { try await resolver.resolve("a.test", on: poller, until: deadline) }
        await base.nextQuestion()
        time.advance(by: .seconds(5))
        await #expect(throws: ResolveError.timedOut) { try await late.value }
        async let next = resolver.resolve("a.test", on: poller)
        await base.answer("192.0.2.1")
        #expect(try await next == [address("192.0.2.1")])
        #expect(base.asked.count == 1)
    }

    @Test("a look-up that hangs is replaced after 30 seconds")
    func hanging() async throws {
        let resolver = resolver()
        let deadline = time.now.advanced(by: .seconds(1))
        let first = Task { try await resolver.resolve("a.test", on: poller, until: deadline) }
        await base.nextQuestion()
        time.advance(by: .seconds(30))
        await #expect(throws: ResolveError.timedOut) { try await first.value }
        async let second = resolver.resolve("a.test", on: poller)
        while base.asked.count < 2 { await Task.yield() }
        #expect(base.cancellations == 1)
        // The hung look-up answers late and is ignored.
        await base.answer("192.0.2.1")
        await base.answer("192.0.2.2")
        #expect(try await second == [address("192.0.2.2")])
        #expect(try await resolver.resolve("a.test", on: poller) == [address("192.0.2.2")])
    }

    @Test("a caller of a hung look-up gets the answer of the look-up that replaces it", arguments: [true, false])
    func replacement(isCancellable: Bool) async throws {
        let resolver = resolver()
        let first = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        first.cancel()
        await #expect(throws: ResolveError.cancelled) { try await first.value }
        time.advance(by: .seconds(25))
        let second = Task { try await resolver.resolve("a.test", on: poller) }
        while resolver.callers(of: "a.test") == 0 { await Task.yield() }
        time.advance(by: .seconds(6))
        let third = Task { try await resolver.resolve("a.test", on: poller) }
        while base.asked.count < 2 { await Task.yield() }
        // The look-up that hung ends when it is cancelled, or returns a late answer.
        await base.answer(isCancellable ? .failure(CancellationError()) : .success([address("192.0.2.1")]))
        await base.answer("192.0.2.2")
        for caller in [second, third] { #expect(try await caller.value == [address("192.0.2.2")]) }
        #expect(base.asked.count == 2 && base.cancellations == 1)
    }

    @Test("a look-up that the resolver abandoned is repeated for its callers")
    func givenUp() async throws {
        let resolver = resolver()
        let call = Task { try await resolver.resolve("a.test", on: poller) }
        await base.answer(.failure(ResolveError.abandoned))
        await base.answer("192.0.2.1")
        #expect(try await call.value == [address("192.0.2.1")])
        #expect(base.asked.count == 2)
    }

    @Test("the callers of a client that is shut down fail at once, and their look-up is not repeated")
    func shutDown() async throws {
        let resolver = resolver()
        let call = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        resolver.abandonAll()
        await #expect(throws: ResolveError.shutDown) { try await call.value }
        await base.answer(.failure(CancellationError()))
        #expect(base.asked.count == 1 && base.cancellations == 1 && resolver.count == 0)
    }

    @Test("the cache holds at most the configured number of names and evicts the oldest")
    func bound() async throws {
        let resolver = resolver(.init(maximumEntries: 3))
        for index in 0..<5 {
            _ = try await resolve(resolver, "h\(index).test", answering: "192.0.2.1")
            time.advance(by: .seconds(1))
            #expect(resolver.count <= 3)
        }
        _ = try await resolver.resolve("h4.test", on: poller)
        _ = try await resolver.resolve("h2.test", on: poller)
        #expect(base.asked.count == 5)
        _ = try await resolve(resolver, "h0.test", answering: "192.0.2.1")
        #expect(base.asked.count == 6)
    }

    @Test("with a time to live of zero nothing is cached")
    func noCache() async throws {
        let resolver = resolver(.init(timeToLive: .zero, negativeTimeToLive: .zero))
        for _ in 0..<2 { _ = try await resolve(resolver, "a.test", answering: "192.0.2.1") }
        #expect(base.asked.count == 2)
        #expect(resolver.count == 0)
    }

    @Test("a name can be forgotten on demand")
    func forgetting() async throws {
        let resolver = resolver()
        _ = try await resolve(resolver, "a.test", answering: "192.0.2.1")
        resolver.forget("A.test", port: 80)
        _ = try await resolve(resolver, "a.test", answering: "192.0.2.1")
        #expect(base.asked.count == 2)
    }

    @Test("a look-up in flight at a reset serves its callers, and the next request gets another look-up")
    func reset() async throws {
        let resolver = resolver()
        let call = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        resolver.forgetAll()
        let next = Task { try await resolver.resolve("a.test", on: poller) }
        while base.asked.count < 2 { await Task.yield() }
        await base.answer("192.0.2.1")
        await base.answer("192.0.2.2")
        #expect(try await call.value == [address("192.0.2.1")])
        #expect(try await next.value == [address("192.0.2.2")])
        #expect(try await resolver.resolve("a.test", on: poller) == [address("192.0.2.2")])
        #expect(base.cancellations == 0 && resolver.count == 1)
    }

    @Test("a look-up in flight at a reset is cancelled when it has no callers left", arguments: [true, false])
    func desertedReset(hasCaller: Bool) async throws {
        let resolver = resolver()
        let call = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        if hasCaller { resolver.forgetAll() }
        call.cancel()
        await #expect(throws: ResolveError.cancelled) { try await call.value }
        if !hasCaller { resolver.forgetAll() }
        #expect(base.cancellations == 1 && resolver.count == 0)
        await base.answer(.failure(CancellationError()))
    }

    @Test("after a reset, the callers of a client that is shut down or released also fail at once")
    func shutDownAfterReset() async throws {
        let resolver = resolver()
        let call = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        resolver.forgetAll()
        resolver.abandonAll()
        await #expect(throws: ResolveError.shutDown) { try await call.value }
        #expect(base.cancellations == 1 && resolver.count == 0)
        await base.answer(.failure(CancellationError()))
    }

    @Test("the addresses rotate within each family from look-up to look-up")
    func rotation() async throws {
        let resolver = resolver(.init(order: .rotated))
        _ = try await resolve(
            resolver, "a.test", answering: "2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "192.0.2.3")
        var seen: [[String]] = []
        for _ in 0..<3 {
            seen.append(try await resolver.resolve("a.test", on: poller).map { "\($0)" })
        }
        #expect(
            seen == [
                ["[2001:db8::2]:80", "192.0.2.2:80", "[2001:db8::1]:80", "192.0.2.3:80", "192.0.2.1:80"],
                ["[2001:db8::1]:80", "192.0.2.3:80", "[2001:db8::2]:80", "192.0.2.1:80", "192.0.2.2:80"],
                ["[2001:db8::2]:80", "192.0.2.1:80", "[2001:db8::1]:80", "192.0.2.2:80", "192.0.2.3:80"],
            ])
    }

    @Test("shuffling loses no address and keeps the first one's family")
    func shuffling() async throws {
        let resolver = resolver(.init(order: .shuffled))
        let all = try await resolve(resolver, "a.test", answering: "192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3")
        var firsts: Set<EndpointAddress> = []
        for _ in 0..<200 {
            let shuffled = try await resolver.resolve("a.test", on: poller)
            #expect(Set(shuffled) == Set(all))
            #expect(shuffled[1] == address("2001:db8::1"))
            firsts.insert(shuffled[0])
        }
        #expect(firsts.count == 3)
    }
}
