import SockeyeEngine
import Testing

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

    @Test("a hundred thousand waiters are served in order", .timeLimit(.minutes(1)))
    func manyWaiters() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        var lease = try pool.open()
        let waiters = try (0..<100_000).map { _ in try #require(pool.lease().waiter) }
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
        "a hundred thousand abandoned waiters leave nothing behind", .timeLimit(.minutes(1)), arguments: [1, 100_000])
    func manyAbandoned(keys: Int) throws {
        var pool = PoolFixture { $0.total = 1 }
        let lease = try pool.open("busy")
        let waiters = try (0..<100_000).map { try #require(pool.lease("\($0 % keys)").waiter) }
        #expect(pool.statistics.waiting == 100_000)
        #expect(storedElements(in: pool.machine) > 100_000)
        // From the middle outwards, so that neither end of the queue is favoured.
        for place in 0..<50_000 {
            #expect(pool.machine.abandon(waiters[50_000 + place]) == .removed)
            #expect(pool.machine.abandon(waiters[49_999 - place]) == .removed)
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
