import Testing

@testable import SockeyeEngine

@Suite("Pool: statistics")
struct PoolStatisticsTests {
    @Test("statistics count connections and waiters, in total and per origin")
    func holdings() throws {
        var pool = PoolFixture { $0.perOrigin = 2 }
        _ = try pool.open("a")
        _ = try pool.openIdle("b")
        for _ in 0..<2 { _ = pool.lease("a") }
        let statistics = pool.statistics
        #expect(statistics.leased == 1)
        #expect(statistics.idle == 1)
        #expect(statistics.dialling == 1)
        #expect(statistics.waiting == 2)
        let origin = try #require(pool.holding("a"))
        #expect([origin.idle, origin.leased, origin.dialling, origin.waiting] == [0, 1, 1, 2])
        #expect(pool.machine.holdings.count == 2)
    }

    @Test("statistics count events")
    func counters() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        let lease = try pool.openIdle()[0]
        #expect(pool.lease().lease != nil)
        let waiting = pool.lease()
        #expect(try pool.abandon(waiting.waiter) == .removed)
        #expect(pool.release(lease, reusable: false).closing != nil)
        let failing = pool.lease()
        #expect(try pool.fail(failing.dial).failed == failing.waiter)
        let statistics = pool.statistics
        #expect(statistics.created == 1)
        #expect(statistics.reused == 1)
        #expect(statistics.waits == 3)
        #expect(statistics.abandoned == 1)
        #expect(statistics.dialsFailed == 1)
        #expect(statistics.closed.notReusable == 1)
        #expect(statistics.closed.total == 1)
        #expect(statistics.evictions == 0)
    }
}
