import SockeyeCore
import Testing

@testable import SockeyeEngine

@Suite("Pool: releasing")
struct PoolReleaseTests {
    @Test("a released connection serves the waiters of its key in order of arrival")
    func firstInFirstOut() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        var lease = try pool.open()
        let waiters = (0..<5).map { _ in pool.lease().waiter }
        for waiter in waiters {
            let served = try #require(pool.release(lease).served)
            #expect(served.waiter == waiter)
            lease = served.lease
        }
        #expect(lease.use == 6)
        #expect(pool.release(lease).isIdle)
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reason: PoolCloseReason
        var reusable = true
        var timeout: Duration?
        var remaining: Int?
        var age = Duration.zero
        var maxUses: Int?
    }

    static let refusals = [
        Refusal(testDescription: "exchange forbids reuse", reason: .notReusable, reusable: false),
        Refusal(testDescription: "Keep-Alive: timeout=0", reason: .notReusable, timeout: .zero),
        Refusal(testDescription: "Keep-Alive: timeout=-1", reason: .notReusable, timeout: .seconds(-1)),
        Refusal(testDescription: "Keep-Alive: max=0", reason: .maxUses, remaining: 0),
        Refusal(testDescription: "as many uses as allowed", reason: .maxUses, maxUses: 1),
        Refusal(testDescription: "older than allowed", reason: .maxAge, age: .seconds(600)),
    ]

    @Test("a connection that may not be reused is closed", arguments: refusals)
    func refused(_ refusal: Refusal) throws {
        var pool = PoolFixture { $0.maxUses = refusal.maxUses }
        let lease = try pool.open()
        pool.advance(refusal.age)
        let decision = pool.release(
            lease, reusable: refusal.reusable, timeout: refusal.timeout, remaining: refusal.remaining)
        #expect(decision.closing?.connection == lease.connection)
        #expect(decision.closing?.reason == refusal.reason)
        #expect(decision.dial == nil)
        #expect(pool.isDrained)
        #expect(pool.machine.holdings.isEmpty)
    }

    @Test("a waiter gets a new dial in place of a connection that may not be reused", arguments: refusals)
    func refusedWithWaiter(_ refusal: Refusal) throws {
        var pool = PoolFixture {
            $0.perOrigin = 1
            $0.maxUses = refusal.maxUses
        }
        let lease = try pool.open()
        let waiter = pool.lease().waiter
        pool.advance(refusal.age)
        let decision = pool.release(
            lease, reusable: refusal.reusable, timeout: refusal.timeout, remaining: refusal.remaining)
        #expect(decision.closing?.reason == refusal.reason)
        #expect(try pool.succeed(decision.dial).served?.waiter == waiter)
    }

    @Test(
        "the server's Keep-Alive timeout, less one second or less half of a short timeout, limits the idle time",
        arguments: [
            (Duration.seconds(5), Duration.seconds(4)), (.seconds(2), .seconds(1)), (.seconds(100), .seconds(15)),
            (.seconds(1), .milliseconds(500)), (.milliseconds(1500), .milliseconds(750)),
            (.milliseconds(2500), .milliseconds(1500)), (Duration.seconds(Int64.max), .seconds(15)),
        ])
    func hint(timeout: Duration, kept: Duration) throws {
        var pool = PoolFixture()
        let lease = try pool.open()
        #expect(pool.release(lease, timeout: timeout).isIdle)
        pool.advance(kept - .nanoseconds(1))
        let again = try #require(pool.lease().lease)
        #expect(again.id == lease.id)
        #expect(pool.release(again, timeout: timeout).isIdle)
        pool.advance(kept)
        #expect(pool.lease().closing.map(\.id) == [lease.id])
    }

    @Test("the Keep-Alive timeout of an earlier response does not apply after the next response")
    func hintIsPerUse() throws {
        var pool = PoolFixture()
        let lease = try pool.open()
        #expect(pool.release(lease, timeout: .seconds(2)).isIdle)
        #expect(pool.lease().lease != nil)
        #expect(pool.release(lease).isIdle)
        pool.advance(.seconds(14))
        #expect(pool.lease().lease?.id == lease.id)
    }

    @Test("uses are counted over the life of the connection")
    func maxUses() throws {
        var pool = PoolFixture { $0.maxUses = 3 }
        let lease = try pool.open()
        #expect(pool.release(lease).isIdle)
        #expect(pool.lease().lease?.use == 2)
        #expect(pool.release(lease).isIdle)
        #expect(pool.lease().lease?.use == 3)
        #expect(pool.release(lease).closing?.reason == .maxUses)
    }

    @Test("beyond the idle limit, the least recently used connection is closed")
    func idleLimit() throws {
        var pool = PoolFixture { $0.maxIdlePerOrigin = 1 }
        let leases = [try pool.open(), try pool.open()]
        #expect(pool.release(leases[0]).isIdle)
        let decision = pool.release(leases[1])
        #expect(decision.closing?.id == leases[0].id)
        #expect(decision.closing?.reason == .idleLimit)
        #expect(pool.machine.newestIdle(of: "a") == leases[1].id)
        #expect(pool.lease().lease?.id == leases[1].id)
    }

    @Test("with an idle limit of 0, every released connection is closed")
    func noIdle() throws {
        var pool = PoolFixture { $0.maxIdlePerOrigin = 0 }
        let lease = try pool.open()
        #expect(pool.release(lease).closing?.id == lease.id)
        #expect(pool.isDrained)
    }

    @Test("a leased connection that the peer has closed makes room for a waiting request")
    func stale() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        _ = try pool.openIdle()
        let lease = try #require(pool.lease().lease)
        let waiter = pool.lease().waiter
        let decision = pool.machine.closedByPeer(lease.id, now: pool.now)
        #expect(decision.closing?.reason == .closedByPeer)
        #expect(try pool.succeed(decision.dial).served?.waiter == waiter)
    }

    #if DEBUG
    @Test("a debug build stops when a connection is released twice")
    func releasedTwice() async {
        await #expect(processExitsWith: .failure) {
            var pool = PoolFixture()
            let lease = try pool.open()
            _ = pool.release(lease)
            _ = pool.release(lease)
        }
    }
    #else
    @Test("a release build ignores reports about unknown dials and connections")
    func unknown() throws {
        var pool = PoolFixture()
        let decision = pool.lease()
        let dial = try #require(decision.dial)
        let lease = try #require(try pool.succeed(dial).served?.lease)
        #expect(try pool.succeed(dial).closing?.connection == 2)
        #expect(pool.machine.dialFailed(dial.id, now: pool.now).failed == nil)
        #expect(pool.release(lease).isIdle)
        #expect(pool.release(lease).isIdle)
        #expect(pool.machine.closedByPeer(lease.id, now: pool.now).isIdle)
        #expect(pool.holding()?.idle == 1)
    }
    #endif
}
