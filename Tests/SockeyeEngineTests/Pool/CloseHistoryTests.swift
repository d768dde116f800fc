import SockeyeCore
import Testing

@testable import SockeyeEngine

@Suite("Pool: peers that close idle connections without notice")
struct CloseHistoryTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func after(_ duration: Duration) -> MonotonicTime { start.advanced(by: duration) }

    /// Returns the time `milliseconds` after the start.
    private func at(_ milliseconds: Int) -> MonotonicTime { after(.milliseconds(milliseconds)) }

    /// Records that the peer "a" closed a connection. Times are in milliseconds after the start; `end` is nil if the
    /// poller has not seen the close.
    private func close(
        _ history: inout CloseHistory<String>, made: Int = -1_000, lastUse: Int, end: Int? = nil, now: Int
    ) {
        history.closed("a", made: at(made), lastUse: at(lastUse), end: end.map(at), now: at(now))
    }

    private func trust(_ history: inout CloseHistory<String>, of peer: String = "a", now: Int) -> MonotonicTime {
        history.earliestUse(of: peer, now: at(now))
    }

    @Test("connections to an unknown peer are trusted after any idle time")
    func unknown() {
        var history = CloseHistory<String>()
        #expect(trust(&history, now: 0) == .zero)
    }

    @Test("a connection is trusted for half the idle time of a closed one, and never after an immediate close")
    func trust() {
        var history = CloseHistory<String>()
        close(&history, lastUse: 0, now: 6_000)
        #expect(trust(&history, now: 6_000) == at(3_000))
        #expect(trust(&history, of: "b", now: 6_000) == .zero)
        // The poller has not seen this close. Within two seconds of its last use, the connection may have been closed
        // at once.
        close(&history, lastUse: 7_000, now: 8_999)
        #expect(trust(&history, now: 9_000) == .distantFuture)
        // A longer idle time observed later does not replace a shorter one.
        close(&history, lastUse: 1_000, now: 10_000)
        #expect(trust(&history, now: 10_000) == .distantFuture)
    }

    @Test("the idle time ends when the poller saw the close, not when the close is found")
    func moment() {
        var history = CloseHistory<String>()
        close(&history, lastUse: 0, end: 500, now: 1_400)
        #expect(trust(&history, now: 1_400) == at(1_150), "connections are trusted for half of 500 ms")
        close(&history, lastUse: 2_000, end: 2_099, now: 2_990)
        #expect(trust(&history, now: 2_300) == .distantFuture)
        #expect(trust(&history, now: 2_349) == at(2_099), "distrust ends a quarter of a second after the close")
    }

    @Test("a single close is forgotten after ten seconds; a longer series of closes is remembered longer")
    func forgetting() {
        var history = CloseHistory<String>()
        // Each connection is made after the last close. After two such closes no request is risked any more.
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
        #expect(trust(&history, now: 5_995_000 + 600_000) == .zero, "the history lasts at most ten minutes")
    }

    @Test("the history keeps at most 256 peers")
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
        #expect(first == .zero, "the record that expires first is removed")
    }

    @Test("an answer on a connection that became idle after the last close restores trust in the peer")
    func proof() {
        var history = CloseHistory<String>()
        for lastUse in 0..<16 { close(&history, lastUse: lastUse, end: 20, now: 20) }
        #expect(history.isAwaitingProof)
        history.survived("a", lastUse: at(19), now: at(25))
        #expect(trust(&history, now: 25) == .distantFuture, "the connection became idle before the close")
        history.survived("a", lastUse: at(30), now: at(31))
        #expect(trust(&history, now: 31) == .zero)
        #expect(!history.isAwaitingProof)
        // The check learns only now of the close of a connection from before the reload.
        close(&history, lastUse: 10, end: 20, now: 1_000)
        #expect(trust(&history, now: 1_000) == .zero)
        // A second reload.
        close(&history, made: 25, lastUse: 2_000, end: 2_010, now: 2_010)
        #expect(trust(&history, now: 2_011) == .distantFuture)
        history.survived("a", lastUse: at(2_020), now: at(2_021))
        #expect(trust(&history, now: 2_021) == .zero)
    }

    @Test("without an answer since the close, one request per 250 ms may use a connection released since then")
    func trial() {
        var history = CloseHistory<String>()
        close(&history, lastUse: 0, end: 1, now: 1)
        #expect(trust(&history, now: 250) == .distantFuture)
        #expect(trust(&history, now: 251) == at(1))
        #expect(trust(&history, now: 252) == .distantFuture, "only one trial at a time")
        history.survived("a", lastUse: at(240), now: at(253))
        #expect(trust(&history, now: 253) == .zero)
    }

    @Test("if a peer twice closes connections made after its last close, its idle connections stay distrusted")
    func habit() {
        var history = CloseHistory<String>()
        close(&history, lastUse: 0, end: 1, now: 1)
        close(&history, made: 10, lastUse: 11, end: 12, now: 12)
        #expect(trust(&history, now: 300) == at(12))
        close(&history, made: 20, lastUse: 21, end: 301, now: 301)
        close(&history, made: 302, lastUse: 302, end: 303, now: 303)
        #expect(trust(&history, now: 5_000) == .distantFuture)
        history.survived("a", lastUse: at(4_000), now: at(5_000))
        #expect(trust(&history, now: 5_000) == .distantFuture)
    }

    @Test("the pool dials instead of leasing a connection that was idle for too long")
    func lending() throws {
        var pool = PoolFixture()
        let idle = try pool.openIdle()[0]
        let released = pool.now
        pool.advance(.seconds(5))
        let later = released.advanced(by: .nanoseconds(1))
        let decision = pool.machine.lease("a", notIdleBefore: later, now: pool.now)
        #expect(decision.dial != nil)
        let other = try #require(pool.lease().lease)
        #expect(other.id == idle.id)
        #expect(pool.release(other).served?.waiter == decision.waiter, "the connection was in use until now")
        #expect(try pool.succeed(decision.dial).isIdle)
        let again = pool.machine.lease("a", notIdleBefore: pool.now, now: pool.now)
        #expect(again.lease != nil, "the connection was in use until now")
    }

    @Test("a released connection serves a waiting request, unless the request may use no idle connection")
    func waiting() throws {
        for isTrusted in [true, false] {
            var pool = PoolFixture { $0.perOrigin = 1 }
            let busy = try pool.open()
            let earliest = isTrusted ? pool.now.advanced(by: .seconds(-1)) : .distantFuture
            let waiting = pool.machine.lease("a", notIdleBefore: earliest, now: pool.now)
            let decision = pool.release(busy)
            #expect(decision.served?.waiter == (isTrusted ? waiting.waiter : nil))
            #expect((decision.dial == nil) == isTrusted)
        }
    }

    @Test("during a graceful shutdown, the pool refuses a request that may use no idle connection")
    func draining() throws {
        var pool = PoolFixture()
        _ = pool.machine.shutdown("", graceful: true)
        #expect(pool.machine.lease("a", notIdleBefore: .distantFuture, now: pool.now).rejection == .shutDown)
    }
}
