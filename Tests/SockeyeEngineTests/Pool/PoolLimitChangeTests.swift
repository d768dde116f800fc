import SockeyeCore
import Testing

@testable import SockeyeEngine

@Suite("Pool: limits that change at run time")
struct PoolLimitChangeTests {
    private func limits(
        perOrigin: Int = 16, total: Int = 256, _ change: (inout PoolLimits) -> Void = { _ in }
    ) -> PoolLimits {
        var limits = PoolLimits()
        limits.ageJitter = 0
        (limits.perOrigin, limits.total) = (perOrigin, total)
        change(&limits)
        return limits
    }

    @Test("a lower total closes the least recently used idle connections at once")
    func loweredTotal() throws {
        var pool = PoolFixture()
        let idle = try pool.openIdle("a", count: 2) + pool.openIdle("b", count: 2)
        let decision = pool.machine.setLimits(limits(total: 1), now: pool.now)
        #expect(decision.closing.map(\.id) == idle.prefix(3).map(\.id))
        #expect(decision.closing.allSatisfy { $0.reason == .limitsLowered } && decision.dials.isEmpty)
        #expect(pool.statistics.closed.limitsLowered == 3 && pool.statistics.idle == 1)
    }

    @Test("a lower limit per origin closes the oldest idle connections of that origin only")
    func loweredPerOrigin() throws {
        var pool = PoolFixture()
        let first = try pool.openIdle("a", count: 3)
        _ = try pool.openIdle("b")
        let decision = pool.machine.setLimits(limits(perOrigin: 1), now: pool.now)
        #expect(decision.closing.map(\.id) == first.prefix(2).map(\.id))
        #expect(pool.holding("a")?.idle == 1 && pool.holding("b")?.idle == 1)
    }

    @Test("excess connections in use are closed after their exchange, and waiters get the rest")
    func leased() throws {
        var pool = PoolFixture { $0.perOrigin = 3 }
        let busy = [try pool.open(), try pool.open(), try pool.open()]
        let waiting = pool.lease()
        #expect(pool.machine.setLimits(limits(perOrigin: 1), now: pool.now).closing.isEmpty)
        #expect(pool.release(busy[0]).closing?.reason == .limitsLowered)
        let second = pool.release(busy[1])
        #expect(second.closing?.reason == .limitsLowered && second.dial == nil)
        #expect(pool.release(busy[2]).served?.waiter == waiting.waiter)
        #expect(pool.release(busy[2]).isIdle)
    }

    @Test("a connection dialled beyond the new limit serves its waiter once; without a waiter it is closed at once")
    func dials() throws {
        var pool = PoolFixture()
        let busy = try pool.open()
        let (waiting, abandoned) = (pool.lease(), pool.lease("b"))
        _ = try pool.abandon(abandoned.waiter)
        _ = pool.machine.setLimits(limits(total: 1), now: pool.now)
        #expect(try pool.succeed(abandoned.dial).closing?.reason == .limitsLowered)
        let served = try #require(try pool.succeed(waiting.dial).served)
        #expect(pool.release(served.lease).closing?.reason == .limitsLowered)
        #expect(pool.release(busy).isIdle)
    }

    @Test("higher limits give each waiter that the old limits held back a dial, the longest waiting first")
    func raised() throws {
        var pool = PoolFixture { ($0.perOrigin, $0.total) = (1, 2) }
        _ = [try pool.open("a"), try pool.open("b")]
        let keys = ["a", "c", "b", "c"]
        for key in keys { #expect(pool.lease(key).dial == nil) }
        let decision = pool.machine.setLimits(limits(perOrigin: 2, total: 5), now: pool.now)
        #expect(decision.dials.map(\.key) == ["a", "c", "b"])
        #expect(decision.closing.isEmpty && pool.statistics.dialling == 3)
        #expect(pool.machine.setLimits(limits(), now: pool.now).dials.map(\.key) == ["c"])
    }

    @Test("a higher limit per origin evicts idle connections of other origins")
    func raisedPerOrigin() throws {
        var pool = PoolFixture { ($0.perOrigin, $0.total) = (1, 2) }
        let idle = try pool.openIdle("b")
        _ = try pool.open("a")
        #expect(pool.lease("a").dial == nil)
        let decision = pool.machine.setLimits(limits(perOrigin: 2, total: 2), now: pool.now)
        #expect(decision.closing.map(\.id) == idle.map(\.id) && decision.closing.map(\.reason) == [.evicted])
        #expect(decision.dials.map(\.key) == ["a"])
    }

    @Test("shorter idle times and ages apply at the next check; longer ones do not extend existing deadlines")
    func times() throws {
        var pool = PoolFixture()
        _ = try pool.openIdle("a")
        pool.advance(.seconds(3))
        _ = try pool.openIdle("b")
        _ = pool.machine.setLimits(limits { $0.idleTimeout = .seconds(2) }, now: pool.now)
        #expect(pool.machine.tick(now: pool.now).map(\.reason) == [.idleTimeout])
        #expect(pool.holding("a") == nil && pool.holding("b")?.idle == 1)
        _ = pool.machine.setLimits(limits { $0.idleTimeout = .seconds(60) }, now: pool.now)
        pool.advance(.seconds(2))
        #expect(pool.machine.tick(now: pool.now).map(\.reason) == [.idleTimeout])
        let busy = try pool.open()
        pool.advance(.seconds(5))
        _ = pool.machine.setLimits(limits { $0.maxAge = .seconds(4) }, now: pool.now)
        #expect(pool.release(busy).closing?.reason == .maxAge)
    }

    @Test("limits too low to work are raised to the minimum")
    func least() throws {
        var pool = PoolFixture()
        _ = pool.machine.setLimits(limits(perOrigin: 0, total: -1), now: pool.now)
        #expect(pool.lease().dial != nil && pool.lease("b").dial == nil)
    }
}
