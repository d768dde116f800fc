import Sockeye
import SockeyeCore
import Testing

@Suite("Pool: peers that close without a word")
struct CloseHistoryTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func after(_ duration: Duration) -> MonotonicTime { start.advanced(by: duration) }

    @Test("a peer that is not known may have connections that have been idle for however long")
    func unknown() {
        #expect(CloseHistory<String>().earliestUse(of: "a", now: start) == .zero)
    }

    @Test("a connection is trusted for half of the time after which the peer closed another, or not at all")
    func trust() {
        var history = CloseHistory<String>()
        history.closed("a", lastUse: start, now: after(.seconds(6)))
        #expect(history.earliestUse(of: "a", now: after(.seconds(6))) == after(.seconds(3)))
        #expect(history.earliestUse(of: "b", now: after(.seconds(6))) == .zero)
        // One that is seen to be closed within two seconds may have been closed at once.
        history.closed("a", lastUse: after(.seconds(7)), now: after(.milliseconds(8_999)))
        #expect(history.earliestUse(of: "a", now: after(.seconds(9))) == .distantFuture)
        // Worse is not forgotten for better.
        history.closed("a", lastUse: after(.seconds(1)), now: after(.seconds(10)))
        #expect(history.earliestUse(of: "a", now: after(.seconds(10))) == .distantFuture)
    }

    @Test("is forgotten ten seconds after it happened once, later where it has been going on for longer")
    func forgetting() {
        var history = CloseHistory<String>()
        history.closed("a", lastUse: start, now: start)
        #expect(history.earliestUse(of: "a", now: after(.milliseconds(9_999))) == .distantFuture)
        #expect(history.earliestUse(of: "a", now: after(.seconds(10))) == .zero)
        history.tick(now: after(.seconds(10)))
        #expect(history.isEmpty)
        for second in 0...60 where second % 5 == 0 {
            history.closed("a", lastUse: after(.seconds(second)), now: after(.seconds(second)))
        }
        #expect(history.earliestUse(of: "a", now: after(.seconds(129))) == .distantFuture)
        #expect(history.earliestUse(of: "a", now: after(.seconds(130))) == .zero)
        for second in stride(from: 0, to: 6_000, by: 5) {
            history.closed("b", lastUse: after(.seconds(second)), now: after(.seconds(second)))
        }
        #expect(history.earliestUse(of: "b", now: after(.seconds(5_995 + 600))) == .zero, "ten minutes at most")
    }

    @Test("stays small, whoever is met")
    func bounded() {
        var history = CloseHistory<Int>()
        for peer in 0..<10_000 {
            history.closed(peer, lastUse: start, now: start.advanced(by: .nanoseconds(peer)))
            #expect(history.count <= 256)
        }
        #expect(history.earliestUse(of: 9_999, now: after(.seconds(1))) == .distantFuture)
        #expect(history.earliestUse(of: 0, now: after(.seconds(1))) == .zero, "the first to be forgotten goes")
    }

    @Test("the pool lends no connection that was idle for too long, and dials instead")
    func lending() throws {
        var pool = PoolFixture()
        let idle = try pool.openIdle()[0]
        let released = pool.now
        pool.advance(.seconds(5))
        let later = released.advanced(by: .nanoseconds(1))
        let decision = pool.machine.lease("a", notIdleBefore: later, now: pool.now)
        #expect(decision.dial != nil)
        // Nor is one that others give back.
        let other = try #require(pool.lease().lease)
        #expect(other.id == idle.id)
        #expect(pool.release(other).served == nil)
        #expect(try pool.succeed(decision.dial).served?.waiter == decision.waiter)
        let again = pool.machine.lease("a", notIdleBefore: pool.now, now: pool.now)
        #expect(again.lease != nil, "it was in use until now")
    }

    @Test("a pool that drains takes no request for the sake of a connection of its own")
    func draining() throws {
        var pool = PoolFixture()
        _ = pool.machine.shutdown(graceful: true)
        #expect(pool.machine.lease("a", notIdleBefore: .distantFuture, now: pool.now).rejection == .shutDown)
    }
}
