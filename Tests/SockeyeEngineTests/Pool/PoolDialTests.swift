import SockeyeCore
import Testing

@testable import SockeyeEngine

@Suite("Pool: dialling")
struct PoolDialTests {
    @Test("the pool starts one dial for each waiter, up to the limit of the key")
    func dialPerWaiter() throws {
        var pool = PoolFixture { $0.perOrigin = 3 }
        let dials = (0..<5).compactMap { _ in pool.lease().dial }
        #expect(dials.count == 3)
        #expect(pool.holding()?.waiting == 5)
        #expect(pool.holding()?.dialling == 3)
    }

    @Test("the dial that ends first serves the oldest waiter")
    func oldestFirst() throws {
        var pool = PoolFixture()
        let decisions = (0..<3).map { _ in pool.lease() }
        for (dial, waiter) in zip(decisions.reversed().map(\.dial), decisions.map(\.waiter)) {
            #expect(try pool.succeed(dial).served?.waiter == waiter)
        }
    }

    @Test("a waiter served by a released connection leaves its dial to the next waiter")
    func dialIsInherited() throws {
        var pool = PoolFixture { $0.perOrigin = 2 }
        let busy = try pool.open()
        let first = pool.lease()
        let second = pool.lease()
        #expect(second.dial == nil)
        #expect(pool.release(busy).served?.waiter == first.waiter)
        #expect(try pool.succeed(first.dial).served?.waiter == second.waiter)
    }

    @Test("the dial of an abandoned request serves the next request, or leaves an idle connection")
    func dialOutlivesRequester() throws {
        var pool = PoolFixture()
        let gone = pool.lease()
        #expect(try pool.abandon(gone.waiter) == .removed)
        let next = pool.lease()
        #expect(next.waiter != nil && next.dial == nil, "the running dial serves the next request")
        #expect(try pool.abandon(next.waiter) == .removed)
        #expect(try pool.succeed(gone.dial).isIdle)
        let lease = try #require(pool.lease().lease)
        #expect(lease.isReused, "the connection was idle, so the server may have closed it")
        #expect(lease.use == 1)
    }

    @Test("each failed dial fails the oldest waiter and starts another dial if a waiter has none")
    func failure() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        let decisions = (0..<3).map { _ in pool.lease() }
        var dial = decisions[0].dial
        for (index, decision) in decisions.enumerated() {
            let failure = try pool.fail(dial)
            #expect(failure.failed == decision.waiter)
            #expect((failure.dial == nil) == (index == 2))
            dial = failure.dial
        }
        #expect(pool.isDrained)
        #expect(pool.statistics.dialsFailed == 3)
        #expect(pool.machine.holdings.isEmpty)
    }

    @Test("a failed dial is ignored if no request waits any more")
    func failureDropped() throws {
        var pool = PoolFixture()
        let decision = pool.lease()
        #expect(try pool.abandon(decision.waiter) == .removed)
        let failure = try pool.fail(decision.dial)
        #expect(failure.failed == nil && failure.dial == nil)
        #expect(pool.isDrained)
    }

    @Test("a failed dial fails the request that it was started for, even if an older request waits")
    func failureOfOwnDial() throws {
        var pool = PoolFixture()
        let decisions = (0..<3).map { _ in pool.lease() }
        for decision in decisions.reversed() {
            let failure = try pool.fail(decision.dial)
            #expect(failure.failed == decision.waiter && failure.dial == nil)
        }
        #expect(pool.isDrained)
    }

    @Test("a request whose dial served an older one gets a dial of its own if the other dial fails")
    func failureOfOtherDial() throws {
        var pool = PoolFixture()
        let (older, younger) = (pool.lease(), pool.lease())
        let dial = try #require(younger.dial)
        #expect(try pool.succeed(dial).served?.waiter == older.waiter)
        #expect(pool.machine.redial(after: dial, now: pool.now) == nil)
        let failure = try pool.fail(older.dial)
        #expect(failure.failed == nil)
        #expect(try pool.fail(failure.dial).failed == younger.waiter)
    }

    @Test(
        "a request relies on a cancelled request's dial that is under 250 ms old, and on a prewarming one under 1 s",
        arguments: [(false, 249), (false, 250), (true, 999), (true, 1_000)])
    func patience(isPrewarmed: Bool, milliseconds: Int) throws {
        var pool = PoolFixture()
        var old = pool.machine.prewarm("a", count: isPrewarmed ? 1 : 0, now: pool.now).first
        if !isPrewarmed {
            let gone = pool.lease()
            old = gone.dial
            #expect(try pool.abandon(gone.waiter) == .removed)
        }
        pool.advance(.milliseconds(milliseconds))
        let next = pool.lease()
        let isSlow = milliseconds == 250 || milliseconds == 1_000
        #expect((next.dial != nil) == isSlow)
        let failure = try pool.fail(old)
        #expect(failure.failed == nil && (failure.dial != nil) == !isSlow, "the error concerns an earlier request")
        #expect(try pool.succeed(next.dial ?? failure.dial).served?.waiter == next.waiter)
        #expect(pool.statistics.created == 1 && pool.statistics.dialling == 0)
    }

    @Test("the connection of a slow dial still serves the oldest request, and the newer connection becomes idle")
    func slowDialSucceeds() throws {
        var pool = PoolFixture()
        let gone = pool.lease()
        #expect(try pool.abandon(gone.waiter) == .removed)
        pool.advance(.seconds(2))
        let next = pool.lease()
        #expect(try pool.succeed(gone.dial).served?.waiter == next.waiter)
        #expect(try pool.succeed(next.dial).isIdle)
    }

    @Test("a request whose dial served an older one gets another dial if the older dial is slow", arguments: [1, 2, 3])
    func redial(perOrigin: Int) throws {
        var pool = PoolFixture { $0.perOrigin = perOrigin }
        let older = pool.lease()
        pool.advance(.milliseconds(250))
        let younger = pool.lease()
        #expect((younger.dial != nil) == (perOrigin > 1))
        guard let dial = younger.dial else { return }
        #expect(try pool.succeed(dial).served?.waiter == older.waiter)
        let again = pool.machine.redial(after: dial, now: pool.now)
        #expect((again != nil) == (perOrigin > 2), "only within the limits")
        if again != nil { #expect(try pool.succeed(again).served?.waiter == younger.waiter) }
    }

    @Test("new requests do not rely on slow dials without requests, but these dials count towards the limit of the key")
    func slowDialsAtLimit() throws {
        var pool = PoolFixture { $0.perOrigin = 3 }
        let gone = [pool.lease(), pool.lease()]
        for decision in gone { #expect(try pool.abandon(decision.waiter) == .removed) }
        pool.advance(.seconds(1))
        let (first, second) = (pool.lease(), pool.lease())
        #expect(first.dial != nil && second.waiter != nil && second.dial == nil, "three dials are under way")
        let failure = try pool.fail(gone[0].dial)
        #expect(failure.failed == nil && failure.dial?.waiter == second.waiter)
    }

    @Test("a failed dial of one key gives its place to a waiter of another key")
    func failureFreesPlace() throws {
        var pool = PoolFixture { $0.total = 1 }
        let first = pool.lease("a")
        let second = pool.lease("b")
        let failure = try pool.fail(first.dial)
        #expect(failure.failed == first.waiter)
        #expect(try pool.succeed(failure.dial).served?.waiter == second.waiter)
    }

    @Test(
        "prewarming opens the requested connections, less the idle ones, within the limits",
        arguments: [
            (2, 16, 256, Int?.none, 2), (5, 3, 256, nil, 3), (5, 16, 4, nil, 4), (5, 16, 256, 1, 1),
            (0, 16, 256, nil, 0),
            (-1, 16, 256, nil, 0),
        ])
    func prewarm(count: Int, perOrigin: Int, total: Int, maxIdle: Int?, opened: Int) throws {
        var pool = PoolFixture {
            $0.perOrigin = perOrigin
            $0.total = total
            $0.maxIdlePerOrigin = maxIdle
        }
        let dials = pool.machine.prewarm("a", count: count, now: pool.now)
        #expect(dials.count == opened)
        #expect(pool.machine.prewarm("a", count: count, now: pool.now).isEmpty, "running dials count")
        #expect(pool.machine.prewarm("a", count: .min, now: pool.now).isEmpty)
        for dial in dials { #expect(try pool.succeed(dial).isIdle) }
        #expect(pool.machine.prewarm("a", count: count, now: pool.now).isEmpty, "idle connections count")
        #expect((pool.holding()?.idle ?? 0) == opened)
    }

    @Test("a request takes over a dial of the prewarming")
    func prewarmedDialServes() throws {
        var pool = PoolFixture()
        let dials = pool.machine.prewarm("a", count: 1, now: pool.now)
        let decision = pool.lease()
        #expect(decision.dial == nil)
        #expect(try pool.succeed(dials[0]).served?.waiter == decision.waiter)
    }

    @Test("the jitter spreads the ages at which connections are closed")
    func ageJitter() throws {
        var limits = PoolLimits()
        limits.perOrigin = 200
        limits.idleTimeout = .seconds(10_000)
        var pool = PoolFixture { $0 = limits }
        _ = try pool.openIdle(count: 200)
        pool.advance(.seconds(539))
        #expect(pool.machine.tick(now: pool.now).isEmpty)
        var ends = Set<Int>()
        for step in 0..<122 where !pool.machine.tick(now: pool.now.advanced(by: .seconds(step))).isEmpty {
            ends.insert(step)
        }
        #expect(ends.count > 60)
        #expect(pool.isDrained)
        #expect(pool.statistics.closed.maxAge == 200)
    }
}
