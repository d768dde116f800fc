import Testing

@testable import SockeyeEngine

/// Keys of the form `owner/key`; see `PoolFixture`.
@Suite("Pool: owners that share a pool")
struct PoolOwnerTests {
    @Test("a graceful shutdown refuses new requests of its owner and serves accepted ones; other owners continue")
    func graceful() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        let (busy, other) = (try pool.open("one/a"), try pool.openIdle("two/a"))
        let idle = try pool.openIdle("one/b")
        let waiting = pool.lease("one/a")
        let decision = pool.machine.shutdown("one", graceful: true)
        #expect(decision.closing.map(\.id) == idle.map(\.id) && decision.waiters.isEmpty)
        #expect(pool.lease("one/a").rejection == .shutDown && pool.lease("one/c").rejection == .shutDown)
        #expect(pool.machine.prewarm("one/b", count: 1, now: pool.now).isEmpty)
        #expect(pool.lease("two/a").lease?.id == other[0].id)
        #expect(pool.release(other[0]).isIdle)
        #expect(!pool.machine.hasEnded(.owner("one")))
        #expect(pool.release(busy).served?.waiter == waiting.waiter)
        #expect(pool.release(busy).closing?.reason == .shutDown)
        #expect(pool.machine.hasEnded(.owner("one")) && pool.holding("two/a")?.idle == 1)
    }

    @Test("a graceful shutdown ends when no repeated request of its owner waits for a dial or has a connection")
    func repeated() throws {
        var pool = PoolFixture()
        _ = pool.machine.shutdown("one", graceful: true)
        #expect(pool.machine.hasEnded(.owner("one")))
        let repeated = pool.lease("one/a", fresh: true)
        #expect(!pool.machine.hasEnded(.owner("one")))
        #expect(try pool.abandon(repeated.waiter) == .removed)
        #expect(pool.machine.hasEnded(.owner("one")), "no request needs the dial any more")
        #expect(try pool.succeed(repeated.dial).closing?.reason == .shutDown)
        let next = pool.lease("one/a", fresh: true)
        let served = try #require(try pool.succeed(next.dial).served)
        #expect(!pool.machine.hasEnded(.owner("one")), "the request has a connection")
        #expect(pool.release(served.lease).closing?.reason == .shutDown)
        #expect(pool.machine.hasEnded(.owner("one")))
    }

    @Test("a graceful shutdown does not wait for connections that are opened ahead of need")
    func prewarmed() throws {
        var pool = PoolFixture()
        let dial = try #require(pool.machine.prewarm("one/a", count: 1, now: pool.now).first)
        _ = pool.machine.shutdown("one", graceful: true)
        #expect(pool.machine.hasEnded(.owner("one")))
        #expect(try pool.succeed(dial).closing?.reason == .shutDown)
        #expect(pool.isDrained)
    }

    @Test("an immediate shutdown ends the waiters and exchanges of its owner only, and frees their places")
    func immediate() throws {
        var pool = PoolFixture { ($0.perOrigin, $0.total) = (1, 2) }
        let (busy, other) = (try pool.open("one/a"), try pool.open("two/a"))
        let failing = pool.lease("one/a")
        let staying = pool.lease("two/b")
        let decision = pool.machine.shutdown("one", graceful: false)
        #expect(decision.waiters == [failing.waiter].compactMap(\.self))
        #expect(decision.leased.map(\.id) == [busy.id])
        let freed = pool.release(busy, reusable: false)
        #expect(freed.dial?.key == "two/b" && pool.machine.hasEnded(.owner("one")))
        #expect(try pool.succeed(freed.dial).served?.waiter == staying.waiter)
        #expect(pool.release(other).isIdle)
    }

    @Test("the connections of a removed owner are closed, now or after their exchange, and leave no record")
    func removed() throws {
        var pool = PoolFixture()
        let (busy, idle) = (try pool.open("one/a"), try pool.openIdle("one/b"))
        let dial = try #require(pool.machine.prewarm("one/c", count: 1, now: pool.now).first)
        _ = try pool.openIdle("two/a")
        _ = pool.machine.shutdown("one", graceful: true)
        #expect(pool.machine.remove("one").isEmpty, "its idle connections were closed before")
        #expect(idle.count == 1 && pool.statistics.closed.shutDown == 1)
        #expect(pool.release(busy).closing?.reason == .onDemand)
        #expect(try pool.succeed(dial).closing?.reason == .onDemand)
        #expect(pool.machine.holdings.map(\.key) == ["two/a"])
        #expect(pool.lease("one/a").dial != nil, "the name of a removed owner can be used again")
    }

    @Test("a drain ends when the connections that were in use or being dialled at its start are closed")
    func drain() throws {
        var pool = PoolFixture { $0.perOrigin = 3 }
        let busy = try pool.open("a")
        let (waiting, other) = (pool.lease("a"), try pool.openIdle("b"))
        let (closing, drain) = pool.machine.drain { $0 == "a" }
        let number = try #require(drain)
        #expect(closing.isEmpty)
        #expect(pool.release(busy).closing?.reason == .onDemand)
        #expect(!pool.machine.hasEnded(.drain(number)))
        let old = try #require(try pool.succeed(waiting.dial).served)
        #expect(!pool.machine.hasEnded(.drain(number)))
        let new = try pool.open("a")
        #expect(pool.release(old.lease).closing?.reason == .onDemand)
        #expect(pool.machine.hasEnded(.drain(number)))
        pool.machine.forgetDrain(number)
        #expect(pool.release(new).isIdle && pool.holding("b")?.idle == other.count)
        #expect(pool.machine.drain { $0 == "a" }.drain == nil, "idle connections are closed at once")
    }

    @Test(
        "each of two drains waits for the connections present at its start, even if a dial fails",
        arguments: [true, false])
    func drains(succeeds: Bool) throws {
        var pool = PoolFixture()
        let busy = try pool.open()
        let first = try #require(pool.machine.drain { _ in true }.drain)
        let waiting = pool.lease()
        let second = try #require(pool.machine.drain { _ in true }.drain)
        _ = pool.release(busy)
        #expect(pool.machine.hasEnded(.drain(first)) && !pool.machine.hasEnded(.drain(second)))
        if succeeds {
            let served = try #require(try pool.succeed(waiting.dial).served)
            #expect(!pool.machine.hasEnded(.drain(second)))
            _ = pool.release(served.lease)
        } else {
            _ = try pool.fail(waiting.dial)
        }
        #expect(pool.machine.hasEnded(.drain(second)) && pool.isDrained)
    }
}
