import SockeyeCore
import Testing

@testable import SockeyeEngine

@Suite("Pool: idle connections")
struct PoolIdleTests {
    @Test("the pool knows the time of the next expiry and closes exactly the expired connections")
    func tick() throws {
        var pool = PoolFixture()
        #expect(pool.machine.nextDeadline == nil)
        let leases = [try pool.open("a"), try pool.open("b"), try pool.open("a")]
        let start = pool.now
        #expect(pool.release(leases[0]).isIdle)
        #expect(pool.release(leases[1], timeout: .seconds(4)).isIdle)
        pool.advance(.seconds(2))
        #expect(pool.release(leases[2]).isIdle)
        #expect(pool.machine.nextDeadline == start.advanced(by: .seconds(3)))
        pool.now = start.advanced(by: .seconds(3))
        #expect(pool.machine.tick(now: pool.now).map(\.id) == [leases[1].id])
        #expect(pool.machine.nextDeadline == start.advanced(by: .seconds(15)))
        #expect(pool.machine.tick(now: start.advanced(by: .seconds(14))).isEmpty)
        #expect(pool.machine.tick(now: start.advanced(by: .seconds(16))).map(\.id) == [leases[0].id])
        #expect(pool.machine.tick(now: start.advanced(by: .seconds(17))).map(\.reason) == [.idleTimeout])
        #expect(pool.machine.nextDeadline == nil)
        #expect(pool.machine.holdings.isEmpty)
    }

    @Test("a reused connection is not closed at its earlier deadline and gets a later one")
    func reusedMeanwhile() throws {
        var pool = PoolFixture()
        let lease = try pool.openIdle()[0]
        let deadline = try #require(pool.machine.nextDeadline)
        pool.advance(.seconds(10))
        #expect(pool.lease().lease != nil)
        #expect(pool.machine.nextDeadline == nil)
        #expect(pool.release(lease).isIdle)
        pool.now = deadline
        #expect(pool.machine.tick(now: pool.now).isEmpty)
        #expect(pool.machine.nextDeadline == deadline.advanced(by: .seconds(10)))
    }

    @Test("connections that expire at nearly the same time share a timer, but no expired connection is leased")
    func coalesced() throws {
        var pool = PoolFixture()
        let leases = [try pool.open(), try pool.open()]
        #expect(pool.release(leases[0]).isIdle)
        pool.advance(.milliseconds(1))
        #expect(pool.release(leases[1]).isIdle)
        let first = try #require(pool.machine.nextDeadline)
        #expect(pool.machine.tick(now: first).count == 1)
        #expect(pool.machine.nextDeadline == first.advanced(by: .milliseconds(250)))
        pool.now = first.advanced(by: .milliseconds(1))
        #expect(pool.lease().closing.map(\.id) == [leases[1].id])
    }

    @Test("an idle connection beyond its maximum age is closed for that reason", arguments: [true, false])
    func age(byTick: Bool) throws {
        var pool = PoolFixture { $0.maxAge = .seconds(5) }
        _ = try pool.openIdle()
        pool.advance(.seconds(5))
        let closing = byTick ? pool.machine.tick(now: pool.now) : pool.lease().closing
        #expect(closing.map(\.reason) == [.maxAge])
    }

    @Test("the pool forgets an idle connection that the peer closed, but not a connection leased meanwhile")
    func closedByPeer() throws {
        var pool = PoolFixture()
        let idle = try pool.openIdle(count: 2)
        #expect(pool.machine.idleClosed(idle[0].id)?.reason == .closedByPeer)
        #expect(pool.machine.idleClosed(idle[0].id) == nil)
        let lease = try #require(pool.lease().lease)
        #expect(lease.id == idle[1].id)
        #expect(pool.machine.idleClosed(lease.id) == nil)
        #expect(pool.release(lease).isIdle)
        #expect(pool.machine.idleClosed(lease.id)?.connection == lease.connection)
        #expect(pool.machine.holdings.isEmpty)
    }

    @Test("closing on demand closes all idle connections and none in use")
    func onDemand() throws {
        var pool = PoolFixture()
        let busy = try pool.open("a")
        let idle = try pool.openIdle("a") + pool.openIdle("b")
        let closing = pool.machine.closeIdle()
        #expect(closing.map(\.id) == idle.map(\.id))
        #expect(closing.allSatisfy { $0.reason == .onDemand })
        #expect(pool.machine.nextDeadline == nil)
        #expect(pool.release(busy).isIdle)
    }

    @Test("a connection is not mistaken for an earlier one in the same slot")
    func idsAreNotReused() throws {
        var pool = PoolFixture()
        let old = try pool.openIdle()[0]
        #expect(pool.machine.idleClosed(old.id) != nil)
        let new = try pool.openIdle()[0]
        #expect(new.id != old.id)
        #expect(pool.machine.idleClosed(old.id) == nil)
        #expect(pool.holding()?.idle == 1)
    }
}
