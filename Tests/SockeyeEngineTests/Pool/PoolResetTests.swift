import Testing

@testable import SockeyeEngine

@Suite("Pool: reset")
struct PoolResetTests {
    @Test("a reset closes idle connections at once and those in use after their exchange")
    func connections() throws {
        var pool = PoolFixture()
        let busy = try pool.open()
        let idle = try pool.openIdle("b")
        let closing = pool.machine.retire { _ in true }
        #expect(closing.map(\.id) == idle.map(\.id) && closing.map(\.reason) == [.onDemand])
        #expect(pool.statistics.leased == 1)
        #expect(pool.release(busy).closing?.reason == .onDemand)
        #expect(pool.isDrained)
        // Connections made after the reset are kept as usual.
        #expect(try pool.openIdle().count == 1)
        #expect(pool.lease().lease != nil)
    }

    @Test("a waiter gets a new connection instead of the retired one")
    func waiters() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        let busy = try pool.open()
        let waiting = pool.lease()
        #expect(pool.machine.retire { _ in true }.isEmpty)
        let released = pool.release(busy)
        #expect(released.closing?.reason == .onDemand)
        let served = try #require(try pool.succeed(released.dial).served)
        #expect(served.waiter == waiting.waiter)
        #expect(pool.release(served.lease).isIdle)
    }

    @Test("a connection being dialled at the reset serves its waiter once; without a waiter it is closed at once")
    func dials() throws {
        var pool = PoolFixture()
        let waiting = pool.lease()
        let abandoned = pool.lease("b")
        #expect(pool.machine.retire { _ in true }.isEmpty)
        let served = try #require(try pool.succeed(waiting.dial).served)
        #expect(served.waiter == waiting.waiter)
        #expect(pool.release(served.lease).closing?.reason == .onDemand)
        _ = try pool.abandon(abandoned.waiter)
        #expect(try pool.succeed(abandoned.dial).closing?.reason == .onDemand)
        #expect(pool.isDrained)
    }

    @Test("a connection whose dial began before the reset serves no later request", arguments: [true, false])
    func laterRequest(isDrain: Bool) throws {
        var pool = PoolFixture()
        let gone = pool.lease()
        #expect(try pool.abandon(gone.waiter) == .removed)
        if isDrain { _ = pool.machine.drain { $0 == "a" } } else { _ = pool.machine.retire { _ in true } }
        let later = pool.lease()
        #expect(later.dial != nil, "the retired dial is not for this request")
        #expect(try pool.succeed(gone.dial).closing?.reason == .onDemand)
        let served = try #require(try pool.succeed(later.dial).served)
        #expect(served.waiter == later.waiter && pool.release(served.lease).isIdle)
    }

    @Test("a request whose new dial serves an older one gets another dial instead of the retired connection")
    func newDialServesOlder() throws {
        var pool = PoolFixture()
        let older = pool.lease()
        _ = pool.machine.retire { _ in true }
        let later = pool.lease()
        let dial = try #require(later.dial)
        #expect(try pool.succeed(dial).served?.waiter == older.waiter)
        let again = pool.machine.redial(after: dial, now: pool.now)
        #expect(again?.waiter == later.waiter)
        #expect(try pool.succeed(older.dial).closing != nil)
        #expect(try pool.succeed(again).served?.waiter == later.waiter)
    }

    @Test("a request that waits without a dial at the reset gets a new connection, not the one being opened")
    func waitingWithoutDial() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        let gone = pool.lease()
        let waiting = pool.lease()
        _ = pool.machine.retire { _ in true }
        #expect(try pool.abandon(gone.waiter) == .removed)
        let closed = try pool.succeed(gone.dial)
        #expect(closed.closing?.connection == 1)
        let served = try #require(try pool.succeed(closed.dial).served)
        #expect(served.waiter == waiting.waiter && pool.release(served.lease).isIdle)
    }

    @Test("a dial that fails after a reset leaves nothing behind, and the next dial works as usual")
    func failedDial() throws {
        var pool = PoolFixture()
        let first = pool.lease()
        _ = pool.machine.retire { _ in true }
        #expect(try pool.fail(first.dial).failed == first.waiter)
        let second = pool.lease()
        let served = try #require(try pool.succeed(second.dial).served)
        #expect(pool.release(served.lease).isIdle)
    }
}
