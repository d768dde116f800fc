import Testing

@testable import SockeyeEngine

@Suite("Pool: waiters")
struct PoolWaiterTests {
    @Test("a cancelled waiter is skipped at any place in the queue", arguments: 0..<4)
    func abandon(place: Int) throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        var lease = try pool.open()
        var waiters = try (0..<4).map { _ in try #require(pool.lease().waiter) }
        #expect(pool.machine.abandon(waiters[place]) == .removed)
        #expect(pool.machine.abandon(waiters.remove(at: place)) == .alreadyServed)
        for waiter in waiters {
            let served = try #require(pool.release(lease).served)
            #expect(served.waiter == waiter)
            lease = served.lease
        }
        #expect(pool.release(lease).isIdle)
    }

    @Test("a waiter that is cancelled too late learns that it was served")
    func alreadyServed() throws {
        var pool = PoolFixture()
        let decision = pool.lease()
        let served = try #require(try pool.succeed(decision.dial).served)
        #expect(pool.machine.abandon(served.waiter) == .alreadyServed)
        #expect(pool.release(served.lease).isIdle)
    }

    @Test("a request that got a stale connection waits at its former place, before requests with a dial")
    func formerPlace() throws {
        var pool = PoolFixture {
            $0.perOrigin = 1
            $0.maxWaiters = 3
        }
        let busy = try pool.open()
        let waiters = (0..<3).map { _ in pool.lease().waiter }
        let place = pool.machine.sequence(of: try #require(waiters[0]))
        #expect(place != nil)
        let served = try #require(pool.release(busy).served)
        #expect(served.waiter == waiters[0])
        let dial = pool.machine.closedByPeer(served.lease.id, now: pool.now).dial
        #expect(dial?.waiter == waiters[1])
        for _ in 0..<2 { #expect(pool.lease().waiter != nil) }
        #expect(pool.lease().rejection == .tooManyWaiters(limit: 3))
        let again = pool.machine.lease("a", place: place, now: pool.now)
        #expect(again.waiter != nil && again.dial == nil, "it was admitted before")
        let first = try #require(try pool.succeed(dial).served)
        #expect(first.waiter == again.waiter)
        let second = try #require(pool.release(first.lease).served)
        #expect(second.waiter == waiters[1])
        #expect(pool.release(second.lease).served?.waiter == waiters[2])
    }

    @Test("a request at its former place gets a dial of its own if there is room, and keeps the order of the queue")
    func formerPlaceWithRoom() throws {
        var pool = PoolFixture { $0.perOrigin = 2 }
        let busy = [try pool.open(), try pool.open()]
        let waiters = (0..<2).map { _ in pool.lease().waiter }
        let place = pool.machine.sequence(of: try #require(waiters[0]))
        let served = try #require(pool.release(busy[0]).served)
        let dial = pool.machine.closedByPeer(served.lease.id, now: pool.now).dial
        #expect(dial?.waiter == waiters[1])
        #expect(pool.release(busy[1], reusable: false).dial == nil)
        let again = pool.machine.lease("a", place: place, now: pool.now)
        #expect(again.dial?.waiter == again.waiter)
        #expect(try pool.succeed(dial).served?.waiter == again.waiter)
        #expect(try pool.succeed(again.dial).served?.waiter == waiters[1])
    }

    @Test("thirty thousand waiters are served in order", .timeLimit(.minutes(1)))
    func manyWaiters() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        var lease = try pool.open()
        let waiters = try (0..<30_000).map { _ in try #require(pool.lease().waiter) }
        var inOrder = true
        for waiter in waiters {
            let served = try #require(pool.release(lease).served)
            inOrder = inOrder && served.waiter == waiter
            lease = served.lease
        }
        #expect(inOrder)
        #expect(pool.release(lease).isIdle)
        #expect(storedElements(in: pool.machine) < 100)
    }

    @Test(
        "thirty thousand abandoned waiters leave nothing behind", .timeLimit(.minutes(1)), arguments: [1, 30_000])
    func manyAbandoned(keys: Int) throws {
        var pool = PoolFixture { $0.total = 1 }
        let lease = try pool.open("busy")
        let waiters = try (0..<30_000).map { try #require(pool.lease("\($0 % keys)").waiter) }
        #expect(pool.statistics.waiting == 30_000)
        #expect(storedElements(in: pool.machine) > 30_000)
        // From the middle outwards, so that neither end of the queue is favoured.
        for place in 0..<15_000 {
            #expect(pool.machine.abandon(waiters[15_000 + place]) == .removed)
            #expect(pool.machine.abandon(waiters[14_999 - place]) == .removed)
        }
        #expect(pool.statistics.waiting == 0)
        #expect(pool.machine.holdings.map(\.key) == ["busy"])
        #expect(pool.release(lease).isIdle)
        _ = pool.machine.closeIdle()
        #expect(pool.isDrained)
        #expect(storedElements(in: pool.machine) < 100)
    }

    @Test("after requests to many origins only idle connections have records", .timeLimit(.minutes(1)))
    func manyOrigins() throws {
        var pool = PoolFixture()
        for number in 0...20_000 {
            let lease = try pool.open("\(number)")
            let decision = pool.release(lease, reusable: number % 2 == 0)
            #expect(decision.isIdle == (number % 2 == 0))
        }
        #expect(pool.statistics.idle == 256)
        #expect(pool.machine.holdings.count == 256)
        #expect(pool.machine.closeIdle().count == 256)
        #expect(pool.machine.holdings.isEmpty)
        #expect(storedElements(in: pool.machine) < 4_000)
    }
}
