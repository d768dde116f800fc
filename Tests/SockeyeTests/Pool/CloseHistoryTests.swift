import Sockeye
import SockeyeCore
import Testing

@Suite("Pool: peers that close without a word")
struct CloseHistoryTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func after(_ duration: Duration) -> MonotonicTime { start.advanced(by: duration) }

    /// Milliseconds after the start.
    private func at(_ milliseconds: Int) -> MonotonicTime { after(.milliseconds(milliseconds)) }

    /// The peer "a" closes a connection; times in milliseconds after the start. Without `end` the poller has not seen it.
    private func close(
        _ history: inout CloseHistory<String>, made: Int = -1_000, lastUse: Int, end: Int? = nil, now: Int
    ) {
        history.closed("a", made: at(made), lastUse: at(lastUse), end: end.map(at), now: at(now))
    }

    private func trust(_ history: inout CloseHistory<String>, of peer: String = "a", now: Int) -> MonotonicTime {
        history.earliestUse(of: peer, now: at(now))
    }

    @Test("a peer that is not known may have connections that have been idle for however long")
    func unknown() {
        var history = CloseHistory<String>()
        #expect(trust(&history, now: 0) == .zero)
    }

    @Test("a connection is trusted for half of the time after which the peer closed another, or not at all")
    func trust() {
        var history = CloseHistory<String>()
        close(&history, lastUse: 0, now: 6_000)
        #expect(trust(&history, now: 6_000) == at(3_000))
        #expect(trust(&history, of: "b", now: 6_000) == .zero)
        // If the poller has not seen the end, within two seconds it may have been closed at once.
        close(&history, lastUse: 7_000, now: 8_999)
        #expect(trust(&history, now: 9_000) == .distantFuture)
        // Worse is not forgotten for better.
        close(&history, lastUse: 1_000, now: 10_000)
        #expect(trust(&history, now: 10_000) == .distantFuture)
    }

    @Test("the moment that counts is the one at which the poller saw the close, not the one at which it is found")
    func moment() {
        var history = CloseHistory<String>()
        close(&history, lastUse: 0, end: 500, now: 1_400)
        #expect(trust(&history, now: 1_400) == at(1_150), "half of 500 ms")
        close(&history, lastUse: 2_000, end: 2_099, now: 2_990)
        #expect(trust(&history, now: 2_300) == .distantFuture)
        #expect(trust(&history, now: 2_349) == at(2_099), "a quarter of a second after the close itself")
    }

    @Test("is forgotten ten seconds after it happened once, later where it has been going on for longer")
    func forgetting() {
        var history = CloseHistory<String>()
        // Connections made after the last close: a habit, for which there are no trials.
        for now in 0...3 { close(&history, made: now, lastUse: now, now: now) }
        #expect(trust(&history, now: 9_999) == .distantFuture)
        #expect(trust(&history, now: 10_006) == .zero)
        history.tick(now: at(10_006))
        #expect(history.isEmpty)
        for second in 0...60 where second % 5 == 0 {
            close(&history, made: second * 1_000, lastUse: second * 1_000, now: second * 1_000)
        }
        #expect(trust(&history, now: 129_000) == .distantFuture)
        #expect(trust(&history, now: 130_000) == .zero)
        history = CloseHistory()
        for second in stride(from: 0, to: 6_000, by: 5) {
            close(&history, made: second * 1_000, lastUse: second * 1_000, now: second * 1_000)
        }
        #expect(trust(&history, now: 5_995_000 + 600_000) == .zero, "ten minutes at most")
    }

    @Test("stays small, whoever is met")
    func bounded() {
        var history = CloseHistory<Int>()
        for peer in 0..<10_000 {
            let now = start.advanced(by: .nanoseconds(peer))
            history.closed(peer, made: start, lastUse: start, end: nil, now: now)
            #expect(history.count <= 256)
        }
        let (last, first) = (
            history.earliestUse(of: 9_999, now: at(100)), history.earliestUse(of: 0, now: at(100))
        )
        #expect(last == .distantFuture)
        #expect(first == .zero, "the first to be forgotten goes")
    }

    @Test("after a reload the peer is trusted as soon as a connection put aside since has brought another answer")
    func proof() {
        var history = CloseHistory<String>()
        for lastUse in 0..<16 { close(&history, lastUse: lastUse, end: 20, now: 20) }
        #expect(history.isAwaitingProof)
        history.lived("a", lastUse: at(19), now: at(25))
        #expect(trust(&history, now: 25) == .distantFuture, "it was put aside before the close")
        history.lived("a", lastUse: at(30), now: at(31))
        #expect(trust(&history, now: 31) == .zero)
        #expect(!history.isAwaitingProof)
        // A connection of before, of which the check learns now.
        close(&history, lastUse: 10, end: 20, now: 1_000)
        #expect(trust(&history, now: 1_000) == .zero)
        // And another reload.
        close(&history, made: 25, lastUse: 2_000, end: 2_010, now: 2_010)
        #expect(trust(&history, now: 2_011) == .distantFuture)
        history.lived("a", lastUse: at(2_020), now: at(2_021))
        #expect(trust(&history, now: 2_021) == .zero)
    }

    @Test("without such an answer one request is risked every quarter of a second, on connections used since the close")
    func trial() {
        var history = CloseHistory<String>()
        close(&history, lastUse: 0, end: 1, now: 1)
        #expect(trust(&history, now: 250) == .distantFuture)
        #expect(trust(&history, now: 251) == at(1))
        #expect(trust(&history, now: 252) == .distantFuture, "one at a time")
        history.lived("a", lastUse: at(240), now: at(253))
        #expect(trust(&history, now: 253) == .zero)
    }

    @Test("a peer that closes what was made after its last close, twice, has no more trials")
    func habit() {
        var history = CloseHistory<String>()
        close(&history, lastUse: 0, end: 1, now: 1)
        close(&history, made: 10, lastUse: 11, end: 12, now: 12)
        #expect(trust(&history, now: 300) == at(12))
        close(&history, made: 20, lastUse: 21, end: 301, now: 301)
        close(&history, made: 302, lastUse: 302, end: 303, now: 303)
        #expect(trust(&history, now: 5_000) == .distantFuture)
        history.lived("a", lastUse: at(4_000), now: at(5_000))
        #expect(trust(&history, now: 5_000) == .distantFuture)
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
        _ = pool.machine.shutdown("", graceful: true)
        #expect(pool.machine.lease("a", notIdleBefore: .distantFuture, now: pool.now).rejection == .shutDown)
    }
}
