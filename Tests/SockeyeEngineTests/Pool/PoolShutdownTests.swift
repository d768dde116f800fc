import Testing

@testable import SockeyeEngine

@Suite("Pool: shutdown")
struct PoolShutdownTests {
    @Test("a graceful shutdown closes idle connections and refuses requests, but serves accepted ones")
    func graceful() throws {
        var pool = PoolFixture { $0.perOrigin = 2 }
        let idle = try pool.openIdle("b")
        let busy = [try pool.open(), try pool.open()]
        let waiting = pool.lease()
        let shutdown = pool.machine.shutdown("", graceful: true)
        #expect(shutdown.closing.map(\.id) == idle.map(\.id))
        #expect(shutdown.closing.map(\.reason) == [.shutDown])
        #expect(shutdown.waiters.isEmpty && shutdown.leased.isEmpty)
        #expect(pool.lease().rejection == .shutDown)
        #expect(pool.machine.prewarm("a", count: 1, now: pool.now).isEmpty)
        #expect(pool.release(busy[0]).served?.waiter == waiting.waiter)
        #expect(pool.release(busy[1]).closing?.reason == .shutDown)
        #expect(!pool.isDrained)
        #expect(pool.release(busy[0]).closing?.reason == .shutDown)
        #expect(pool.isDrained)
    }

    @Test("during a graceful shutdown, the pool still dials for accepted waiters and for a repeated request")
    func drainingDials() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        let busy = try pool.open()
        let waiting = pool.lease()
        _ = pool.machine.shutdown("", graceful: true)
        let dial = try #require(pool.release(busy, reusable: false).dial)
        let served = try #require(try pool.succeed(dial).served)
        #expect(served.waiter == waiting.waiter)
        let repeated = pool.lease(fresh: true)
        #expect(repeated.waiter != nil)
        let again = try #require(pool.release(served.lease, reusable: false).dial)
        let last = try #require(try pool.succeed(again).served)
        #expect(last.waiter == repeated.waiter)
        #expect(pool.release(last.lease).closing != nil)
        #expect(pool.isDrained)
    }

    @Test("an immediate shutdown fails the waiters and returns the connections in use", arguments: [true, false])
    func immediate(afterGraceful: Bool) throws {
        var pool = PoolFixture {
            $0.perOrigin = 1
            $0.total = 2
        }
        let busy = try pool.open("a")
        let waiters = ["a", "b", "c", "a"].map { pool.lease($0) }
        if afterGraceful { _ = pool.machine.shutdown("", graceful: true) }
        let shutdown = pool.machine.shutdown("", graceful: false)
        #expect(shutdown.waiters == waiters.compactMap(\.waiter))
        #expect(shutdown.leased.map(\.id) == [busy.id])
        #expect(pool.lease(fresh: true).rejection == .shutDown)
        let dialled = try pool.succeed(waiters[1].dial)
        #expect(dialled.closing?.reason == .shutDown)
        #expect(dialled.dial == nil)
        #expect(pool.release(busy).closing?.reason == .shutDown)
        #expect(pool.isDrained)
        #expect(pool.machine.shutdown("", graceful: true).closing.isEmpty)
    }

    @Test("a dial that fails after an immediate shutdown is ignored")
    func failureAfterwards() throws {
        var pool = PoolFixture()
        let waiting = pool.lease()
        #expect(pool.machine.shutdown("", graceful: false).waiters == [waiting.waiter])
        let failure = try pool.fail(waiting.dial)
        #expect(failure.failed == nil && failure.dial == nil)
        #expect(pool.isDrained)
    }
}
