import Testing

@testable import SockeyeEngine

@Suite("Pool: limits and fairness")
struct PoolLimitTests {
    @Test("at the total limit, the pool evicts the least recently used idle connection of another key")
    func evictsLeastRecentlyUsed() throws {
        var pool = PoolFixture { $0.total = 3 }
        let idle = try ["a", "b", "c"].map { try pool.openIdle($0)[0] }
        let again = try #require(pool.lease("a").lease)
        #expect(pool.release(again).isIdle)
        let decision = pool.lease("d")
        #expect(decision.closing.map(\.id) == [idle[1].id])
        #expect(decision.closing.first?.reason == .evicted)
        #expect(decision.dial?.key == "d")
        #expect(pool.statistics.evictions == 1)
        #expect(pool.holding("b") == nil)
    }

    @Test(
        "after ten thousand origins, the pool holds only idle connections: its maximum, or zero if every dial failed",
        arguments: [true, false])
    func manyOrigins(answering: Bool) throws {
        var pool = PoolFixture { $0.total = 100 }
        for number in 0..<10_000 {
            let decision = pool.lease("origin \(number)")
            if answering {
                #expect(pool.release(try #require(try pool.succeed(decision.dial).served?.lease)).isIdle)
            } else {
                #expect(try pool.fail(decision.dial).failed == decision.waiter)
            }
        }
        #expect(pool.machine.holdings.count == (answering ? 100 : 0))
        #expect(storedElements(in: pool.machine) < 3_000)
        #expect(pool.machine.closeIdle().count == (answering ? 100 : 0))
        #expect(pool.isDrained)
    }

    @Test("a request held back by the limit of its own key evicts nothing")
    func noUselessEviction() throws {
        var pool = PoolFixture {
            $0.perOrigin = 1
            $0.total = 2
        }
        _ = try pool.openIdle("b")
        _ = try pool.open("a")
        let decision = pool.lease("a")
        #expect(decision.waiter != nil && decision.dial == nil && decision.closing.isEmpty)
    }

    @Test("a released connection is evicted if the total limit holds back a request of another key")
    func releasedForOtherKey() throws {
        var pool = PoolFixture { $0.total = 1 }
        let lease = try pool.open("a")
        let waiting = pool.lease("b")
        #expect(waiting.waiter != nil && waiting.dial == nil)
        let decision = pool.release(lease)
        #expect(decision.closing?.reason == .evicted)
        #expect(try pool.succeed(decision.dial).served?.waiter == waiting.waiter)
    }

    @Test("a new connection without a waiter is closed if the total limit holds back a request of another key")
    func dialledForOtherKey() throws {
        var pool = PoolFixture { $0.total = 1 }
        let gone = pool.lease("a")
        let waiting = pool.lease("b")
        #expect(try pool.abandon(gone.waiter) == .removed)
        let decision = try pool.succeed(gone.dial)
        #expect(decision.closing?.connection == 1)
        #expect(try pool.succeed(decision.dial).served?.waiter == waiting.waiter)
    }

    @Test("a freed place goes to the longest waiting request without a dial, of any key")
    func longestWaitingFirst() throws {
        var pool = PoolFixture {
            $0.perOrigin = 4
            $0.total = 4
        }
        let leases = try ["x", "x", "x", "x"].map { try pool.open($0) }
        let keys = ["a", "b", "a", "c", "b"]
        let waiters = keys.map { pool.lease($0).waiter }
        var dialled: [String] = []
        for lease in leases {
            dialled.append(try #require(pool.release(lease, reusable: false).dial).key)
        }
        #expect(dialled == ["a", "b", "a", "c"])
        #expect(try pool.abandon(waiters[0]) == .removed)
        #expect(pool.holding("a")?.dialling == 2)
    }

    @Test("a place freed by a key at its own limit goes to that key's waiter")
    func perOriginStarvation() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        let lease = try pool.open()
        let waiting = pool.lease()
        let decision = pool.release(lease, reusable: false)
        #expect(try pool.succeed(decision.dial).served?.waiter == waiting.waiter)
    }

    @Test("the pool does not dial for a waiter that was cancelled")
    func abandonedIsNotStarved() throws {
        var pool = PoolFixture { $0.total = 1 }
        let lease = try pool.open("a")
        let gone = pool.lease("b")
        #expect(try pool.abandon(gone.waiter) == .removed)
        #expect(pool.holding("b") == nil)
        #expect(pool.release(lease).isIdle)
    }

    @Test("a busy key does not make a key without connections wait indefinitely")
    func busyKeyGivesWay() throws {
        var pool = PoolFixture { $0.total = 1 }
        let lease = try pool.open("a")
        let before = pool.lease("a")
        let other = pool.lease("b")
        let after = pool.lease("a")
        let served = try #require(pool.release(lease).served)
        #expect(served.waiter == before.waiter)
        let decision = pool.release(served.lease)
        #expect(decision.closing?.reason == .evicted)
        let lastly = try #require(try pool.succeed(decision.dial).served)
        #expect(lastly.waiter == other.waiter)
        #expect(try pool.succeed(pool.release(lastly.lease).dial).served?.waiter == after.waiter)
    }

    @Test("a released connection serves its own key's waiter before an earlier waiter of a key that has a connection")
    func noThrashing() throws {
        var pool = PoolFixture { $0.total = 2 }
        let ours = try pool.open("a")
        _ = try pool.open("b")
        #expect(pool.lease("b").dial == nil)
        let waiting = pool.lease("a")
        #expect(pool.release(ours).served?.waiter == waiting.waiter)
    }

    @Test("limits that would allow nothing are raised")
    func nonsenseLimits() throws {
        var pool = PoolFixture {
            $0.perOrigin = 0
            $0.total = -1
            $0.maxUses = 0
            $0.maxIdlePerOrigin = -1
            $0.ageJitter = 7
        }
        let lease = try pool.open()
        #expect(pool.release(lease).closing?.id == lease.id)
    }
}
