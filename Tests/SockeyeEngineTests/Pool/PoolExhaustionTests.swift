import SockeyeCore
import Testing

@testable import SockeyeEngine

/// Decisions of the pool when a dial fails for lack of descriptors (EMFILE).
@Suite("Pool: exhausted descriptors")
struct PoolExhaustionTests {
    private func exhaust(_ pool: inout PoolFixture, _ dial: TestPool.Dial?) throws -> TestPool.ExhaustionDecision {
        pool.machine.dialExhausted(try #require(dial).id, now: pool.now)
    }

    @Test("the pool evicts the least recently used idle connection of any key, and retries the dial")
    func idleGoesFirst() throws {
        var pool = PoolFixture()
        let idle = [try pool.openIdle("a")[0], try pool.openIdle("b")[0]]
        let decision = pool.lease("c")
        for expected in idle {
            guard case .retry(let closing) = try exhaust(&pool, decision.dial) else {
                Issue.record("an idle connection was kept")
                return
            }
            #expect(closing.id == expected.id)
            #expect(closing.reason == .evicted)
        }
        #expect(pool.machine.exhaustionDeadline == nil)
        #expect(try pool.succeed(decision.dial).served?.waiter == decision.waiter)
    }

    @Test("without idle connections the request waits, and the next released connection makes room for it")
    func waits() throws {
        var pool = PoolFixture()
        let lease = try pool.open("a")
        let decision = pool.lease("b")
        guard case .wait(let waiter) = try exhaust(&pool, decision.dial) else {
            Issue.record("the request did not wait")
            return
        }
        #expect(waiter == decision.waiter)
        #expect(pool.holding("b")?.waiting == 1 && pool.holding("b")?.dialling == 0)
        // A later request queues behind it and gets no dial.
        let next = pool.lease("c")
        #expect(next.waiter != nil && next.dial == nil)
        let released = pool.release(lease)
        #expect(released.closing?.id == lease.id)
        #expect(released.dial?.key == "b")
        let served = try #require(try pool.succeed(released.dial).served)
        #expect(served.waiter == waiter)
        // The learned limit applies until the retry time.
        let last = pool.release(served.lease)
        #expect(last.dial?.key == "c")
    }

    @Test("a released connection of the same key serves the waiter whose dial found no descriptor")
    func sameKey() throws {
        var pool = PoolFixture()
        let lease = try pool.open("a")
        let decision = pool.lease("a")
        _ = try exhaust(&pool, decision.dial)
        let served = pool.release(lease).served
        #expect(served?.waiter == decision.waiter)
        #expect(served?.lease.id == lease.id)
    }

    @Test("if no open connection can free a descriptor, each waiter fails after a dial of its own")
    func nothingToWaitFor() throws {
        var pool = PoolFixture { $0.total = 1 }
        let first = pool.lease("a")
        let second = pool.lease("b")
        guard case .failed(let decision) = try exhaust(&pool, first.dial) else {
            Issue.record("the request waits although no connection can be released")
            return
        }
        #expect(decision.failed == first.waiter)
        #expect(decision.dial?.key == "b")
        guard case .failed(let last) = try exhaust(&pool, decision.dial) else {
            Issue.record("the request waits although no connection can be released")
            return
        }
        #expect(last.failed == second.waiter)
        #expect(last.dial == nil)
        #expect(pool.isDrained)
        #expect(pool.machine.exhaustionDeadline == nil)
    }

    @Test("when the last of several dials finds no descriptor, the waiters of all dials fail")
    func severalDials() throws {
        var pool = PoolFixture()
        let leases = (0..<3).map { _ in pool.lease("a") }
        for number in 0..<2 {
            guard case .wait(let waiter) = try exhaust(&pool, leases[number].dial) else {
                Issue.record("the other dials may still succeed")
                return
            }
            #expect(waiter == leases[2 - number].waiter, "the youngest waiter with a dial")
        }
        var failed: [WaiterID?] = []
        var dial = leases[2].dial
        while let next = dial {
            guard case .failed(let decision) = try exhaust(&pool, next) else { break }
            failed.append(decision.failed)
            dial = decision.dial
        }
        #expect(failed == [2, 0, 1].map { leases[$0].waiter }, "the waiter of the last dial, then the others in order")
        #expect(pool.isDrained)
    }

    @Test("a second after a dial found no descriptor, the pool dials again, even if no connection was released")
    func retries() throws {
        var pool = PoolFixture()
        _ = try pool.open("a")
        let waiting = ["b", "c", "d"].map { pool.lease($0) }
        _ = try exhaust(&pool, waiting[0].dial)
        let deadline = try #require(pool.machine.exhaustionDeadline)
        #expect(deadline == pool.now.advanced(by: .seconds(1)))
        #expect(pool.machine.retryExhausted(now: pool.now).isEmpty)
        pool.now = deadline
        #expect(pool.machine.retryExhausted(now: pool.now).map(\.key) == ["b"])
        #expect(pool.machine.exhaustionDeadline == nil)
        #expect(pool.machine.retryExhausted(now: pool.now).isEmpty)
        #expect(pool.lease("e").dial != nil)
    }

    @Test("the caller can evict idle connections, the least recently used first")
    func evicts() throws {
        var pool = PoolFixture()
        let idle = [try pool.openIdle("a")[0], try pool.openIdle("b")[0]]
        let lease = try pool.open("c")
        #expect(pool.machine.evictIdle()?.id == idle[0].id)
        #expect(pool.machine.evictIdle()?.id == idle[1].id)
        #expect(pool.machine.evictIdle() == nil && pool.release(lease).isIdle)
    }

    @Test("a dial for which no request waits evicts no idle connection")
    func unwanted() throws {
        var pool = PoolFixture()
        let idle = try pool.openIdle("a")[0]
        let dial = pool.machine.prewarm("b", count: 1, now: pool.now)[0]
        guard case .failed(let decision) = try exhaust(&pool, dial) else {
            Issue.record("an idle connection was evicted for it")
            return
        }
        #expect(decision.failed == nil && decision.dial == nil)
        #expect(pool.lease("a").lease?.id == idle.id)
    }

    @Test("a waiter that is cancelled after its dial found no descriptor leaves nothing behind")
    func abandoned() throws {
        var pool = PoolFixture()
        let lease = try pool.open("a")
        let decision = pool.lease("b")
        _ = try exhaust(&pool, decision.dial)
        #expect(try pool.abandon(decision.waiter) == .removed)
        #expect(pool.release(lease).isIdle)
        #expect(pool.holding("b") == nil)
    }
}
