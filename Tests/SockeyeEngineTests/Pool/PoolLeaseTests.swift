import Testing

@testable import SockeyeEngine

@Suite("Pool: leasing")
struct PoolLeaseTests {
    @Test("the pool dials for the first request of a key and serves it with the new connection")
    func firstLeaseDials() throws {
        var pool = PoolFixture()
        let decision = pool.lease("a")
        let dial = try #require(decision.dial)
        #expect(dial.key == "a")
        let served = try #require(try pool.succeed(dial).served)
        #expect(served.waiter == decision.waiter)
        #expect(served.lease.connection == 1)
        #expect(!served.lease.isReused)
        #expect(served.lease.use == 1)
    }

    @Test("the pool leases the most recently used idle connection and marks it as reused")
    func lastInFirstOut() throws {
        var pool = PoolFixture()
        let idle = try pool.openIdle(count: 3)
        let first = try #require(pool.lease().lease)
        #expect(first.id == idle[2].id)
        #expect(first.isReused)
        #expect(first.use == 2)
        #expect(pool.lease().lease?.id == idle[1].id)
        #expect(pool.release(first).isIdle)
        #expect(pool.lease().lease?.id == idle[2].id)
        #expect(pool.lease().lease?.id == idle[0].id)
        #expect(pool.lease().dial != nil)
    }

    @Test("the pool keeps the connections of different keys apart")
    func keysAreApart() throws {
        var pool = PoolFixture()
        _ = try pool.openIdle("a")
        let decision = pool.lease("b")
        #expect(decision.lease == nil)
        #expect(decision.dial?.key == "b")
    }

    @Test("a lease closes expired connections and takes one that is still usable")
    func skipsExpired() throws {
        var pool = PoolFixture()
        let leases = [try pool.open(), try pool.open(), try pool.open()]
        #expect(pool.release(leases[0]).isIdle)
        #expect(pool.release(leases[1], timeout: .seconds(5)).isIdle)
        #expect(pool.release(leases[2], timeout: .seconds(3)).isIdle)
        pool.advance(.seconds(4))
        let decision = pool.lease()
        #expect(decision.lease?.id == leases[0].id)
        #expect(decision.closing.map(\.id) == [leases[2].id, leases[1].id])
        #expect(decision.closing.allSatisfy { $0.reason == .idleTimeout })
    }

    @Test("if every idle connection has expired, the pool closes them and dials in their places")
    func allExpired() throws {
        var pool = PoolFixture {
            $0.perOrigin = 2
            $0.total = 2
            $0.maxWaiters = 0
        }
        let idle = try pool.openIdle(count: 2)
        pool.advance(.seconds(15))
        let decision = pool.lease()
        #expect(decision.closing.map(\.id) == [idle[1].id, idle[0].id])
        #expect(decision.dial != nil)
    }

    @Test("a fresh request skips idle connections and takes only a new one")
    func freshDials() throws {
        var pool = PoolFixture()
        let busy = try pool.open()
        _ = try pool.openIdle()
        let decision = pool.lease(fresh: true)
        let dial = try #require(decision.dial)
        #expect(pool.release(busy).isIdle, "a released connection does not serve a fresh request")
        let served = try #require(try pool.succeed(dial).served)
        #expect(served.waiter == decision.waiter)
        #expect(!served.lease.isReused)
    }

    @Test("a released connection skips a fresh request with a dial and serves the ordinary one behind it")
    func releaseSkipsFresh() throws {
        var pool = PoolFixture { $0.perOrigin = 2 }
        let busy = try pool.open()
        let fresh = pool.lease(fresh: true)
        let ordinary = pool.lease()
        #expect(fresh.dial != nil && ordinary.dial == nil)
        let served = try #require(pool.release(busy).served)
        #expect(served.waiter == ordinary.waiter)
        #expect(served.lease.isReused)
        #expect(try pool.succeed(fresh.dial).served?.waiter == fresh.waiter)
    }

    @Test("at the limit, a released connection is closed if a fresh request has waited longest")
    func releaseYieldsToFresh() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        let busy = try pool.open()
        let before = pool.lease()
        let fresh = pool.lease(fresh: true)
        let after = [pool.lease(), pool.lease()]
        let served = try #require(pool.release(busy).served)
        #expect(served.waiter == before.waiter)
        let closed = pool.release(served.lease)
        #expect(closed.closing?.id == busy.id && closed.closing?.reason == .evicted)
        let dialled = try #require(try pool.succeed(closed.dial).served)
        #expect(dialled.waiter == fresh.waiter)
        var lease = dialled.lease
        for waiter in after.map(\.waiter) {
            let served = try #require(pool.release(lease).served)
            #expect(served.waiter == waiter, "one connection is closed for one fresh request")
            lease = served.lease
        }
    }

    @Test("no connection is closed for a fresh request while its place would go to another key")
    func freshBehindOtherKey() throws {
        var pool = PoolFixture { $0.total = 2 }
        let (ours, theirs) = (try pool.open("a"), try pool.open("b"))
        let other = pool.lease("b")
        let fresh = pool.lease("a", fresh: true)
        let ordinary = pool.lease("a")
        let served = try #require(pool.release(ours).served)
        #expect(served.waiter == ordinary.waiter)
        #expect(pool.release(theirs).served?.waiter == other.waiter)
        #expect(try pool.succeed(pool.release(served.lease).dial).served?.waiter == fresh.waiter)
    }

    @Test(
        "at the limits, a fresh request evicts an idle connection of its own key",
        arguments: [
            (1, 8), (8, 1),
        ])
    func freshEvictsOwn(perOrigin: Int, total: Int) throws {
        var pool = PoolFixture {
            $0.perOrigin = perOrigin
            $0.total = total
        }
        let idle = try pool.openIdle()
        let decision = pool.lease(fresh: true)
        #expect(decision.closing.map(\.id) == [idle[0].id])
        #expect(decision.closing.first?.reason == .evicted)
        #expect(decision.dial != nil)
    }

    @Test("the pool refuses a request beyond the limit of waiters, not counting waiters with a dial")
    func tooManyWaiters() throws {
        var pool = PoolFixture {
            $0.perOrigin = 2
            $0.maxWaiters = 1
        }
        #expect(pool.lease().dial != nil)
        #expect(pool.lease().dial != nil)
        let queued = pool.lease()
        #expect(queued.waiter != nil)
        #expect(pool.lease().rejection == .tooManyWaiters(limit: 1))
        #expect(pool.statistics.rejected == 1)
        #expect(try pool.abandon(queued.waiter) == .removed)
        #expect(pool.lease().waiter != nil)
    }

    @Test("a refused request leaves no record of its key")
    func refusalLeavesNothing() throws {
        var pool = PoolFixture {
            $0.total = 1
            $0.maxWaiters = 0
        }
        _ = try pool.open("a")
        #expect(pool.lease("b").rejection == .tooManyWaiters(limit: 0))
        #expect(pool.machine.holdings.map(\.key) == ["a"])
    }
}
