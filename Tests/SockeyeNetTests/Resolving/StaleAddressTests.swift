import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import Testing

/// Addresses that have expired while their refresh waits or fails (RFC 8767).
@Suite(.timeLimit(.minutes(1)))
struct StaleAddressTests {
    let time = ManualTime()
    let poller: EventPoller
    let base = ScriptedResolver()
    let resolver: CachingResolver

    init() throws {
        poller = try EventPoller(time: TimeSource(manual: time))
        resolver = CachingResolver(base, time: poller.time)
    }

    /// Resolves the name once, then lets its entry expire by `age`.
    private func expire(by age: Duration = .zero) async throws {
        async let addresses = resolver.resolve("a.test", on: poller)
        await base.answer("192.0.2.1")
        _ = try await addresses
        time.advance(by: .seconds(30))
        time.advance(by: age)
    }

    @Test("stale addresses serve callers while a refresh takes longer than 1.8 s, until its answer replaces them")
    func slowRefresh() async throws {
        try await expire()
        let first = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        time.advance(by: .milliseconds(1_799))
        #expect(resolver.callers(of: "a.test") == 1)
        time.advance(by: .milliseconds(1))
        #expect(try await first.value == [address("192.0.2.1")])
        // From now on callers neither wait nor cause another look-up.
        for _ in 0..<3 { #expect(try await resolver.resolve("a.test", on: poller) == [address("192.0.2.1")]) }
        #expect(base.asked.count == 2)
        await base.answer("192.0.2.2")
        while try await resolver.resolve("a.test", on: poller) != [address("192.0.2.2")] { await Task.yield() }
        #expect(base.asked.count == 2)
    }

    @Test("a caller with an early deadline gets stale addresses at that deadline")
    func earlyDeadline() async throws {
        try await expire()
        let deadline = time.now.advanced(by: .milliseconds(500))
        let call = Task { try await resolver.resolve("a.test", on: poller, until: deadline) }
        await base.nextQuestion()
        time.advance(by: .milliseconds(500))
        #expect(try await call.value == [address("192.0.2.1")])
    }

    @Test("after a failed refresh stale addresses serve callers for five seconds without another look-up")
    func failedRefresh() async throws {
        try await expire()
        let call = Task { try await resolver.resolve("a.test", on: poller) }
        await base.answer(.failure(ResolveError.temporary))
        #expect(try await call.value == [address("192.0.2.1")])
        time.advance(by: .milliseconds(4_999))
        #expect(try await resolver.resolve("a.test", on: poller) == [address("192.0.2.1")])
        #expect(base.asked.count == 2)
        time.advance(by: .milliseconds(1))
        let next = Task { try await resolver.resolve("a.test", on: poller) }
        await base.answer("192.0.2.2")
        #expect(try await next.value == [address("192.0.2.2")])
    }

    @Test(
        "stale addresses are not used if the new answer says that the name has no address",
        arguments: [ResolveError.notFound, .noData])
    func absence(error: ResolveError) async throws {
        try await expire()
        let call = Task { try await resolver.resolve("a.test", on: poller) }
        await base.answer(.failure(error))
        await #expect(throws: error) { try await call.value }
        await #expect(throws: error) { try await resolver.resolve("a.test", on: poller) }
    }

    @Test(
        "stale addresses are not used after they were forgotten or when older than ten minutes",
        arguments: [true, false])
    func limits(isForgotten: Bool) async throws {
        try await expire(by: isForgotten ? .zero : .seconds(600))
        let call = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        if isForgotten { resolver.forget("a.test", port: 80) }
        await base.answer(.failure(ResolveError.temporary))
        await #expect(throws: ResolveError.temporary) { try await call.value }
    }

    @Test("after a failed refresh its waiting callers begin with different stale addresses")
    func rotation() async throws {
        let resolver = CachingResolver(base, configuration: .init(order: .rotated), time: poller.time)
        async let addresses = resolver.resolve("a.test", on: poller)
        await base.answer("192.0.2.1", "192.0.2.2")
        _ = try await addresses
        time.advance(by: .seconds(30))
        let calls = (0..<2).map { _ in Task { try await resolver.resolve("a.test", on: poller) } }
        while resolver.callers(of: "a.test") < 2 { await Task.yield() }
        await base.answer(.failure(ResolveError.temporary))
        var firsts: Set<String> = []
        for call in calls { firsts.insert("\(try await call.value[0])") }
        #expect(firsts == ["192.0.2.1:80", "192.0.2.2:80"])
    }

    @Test("stale addresses are not kept without a cache")
    func noCache() async throws {
        let resolver = CachingResolver(
            base, configuration: .init(timeToLive: .zero, negativeTimeToLive: .zero), time: poller.time)
        let first = Task { try await resolver.resolve("a.test", on: poller) }
        await base.answer("192.0.2.1")
        #expect(try await first.value == [address("192.0.2.1")])
        let second = Task { try await resolver.resolve("a.test", on: poller) }
        await base.answer(.failure(ResolveError.temporary))
        await #expect(throws: ResolveError.temporary) { try await second.value }
    }

    @Test("if a hung refresh without callers is abandoned, the stale addresses stay")
    func hangingRefresh() async throws {
        try await expire()
        let first = Task { try await resolver.resolve("a.test", on: poller) }
        await base.nextQuestion()
        time.advance(by: .milliseconds(1_800))
        #expect(try await first.value == [address("192.0.2.1")])
        time.advance(by: .seconds(30))
        let other = Task { try await resolver.resolve("b.test", on: poller) }
        while base.asked.count < 3 { await Task.yield() }
        #expect(base.cancellations == 1)
        #expect(try await resolver.resolve("a.test", on: poller) == [address("192.0.2.1")])
        await base.answer("192.0.2.9")
        await base.answer("192.0.2.2")
        #expect(try await other.value == [address("192.0.2.2")])
    }

    @Test("a hung look-up without callers is abandoned when another name is looked up 30 s later")
    func hanging() async throws {
        let deadline = time.now.advanced(by: .seconds(1))
        let lost = Task { try await resolver.resolve("lost.test", on: poller, until: deadline) }
        await base.nextQuestion()
        time.advance(by: .seconds(1))
        await #expect(throws: ResolveError.timedOut) { try await lost.value }
        #expect(base.cancellations == 0 && resolver.count == 1)
        time.advance(by: .seconds(30))
        let other = Task { try await resolver.resolve("a.test", on: poller) }
        while base.asked.count < 2 { await Task.yield() }
        #expect(base.cancellations == 1)
        await base.answer("192.0.2.1")
        await base.answer("192.0.2.1")
        #expect(try await other.value.count == 1)
        #expect(resolver.count == 1)
    }
}
