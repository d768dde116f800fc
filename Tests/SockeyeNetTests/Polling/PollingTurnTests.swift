import SockeyeCore
import SockeyeNet
import Testing

/// The turn to poll, which either the poller's thread or a task of the pool has, tested without a thread or a task.
@Suite("PollingTurn")
struct PollingTurnTests {
    /// The thread and the task that take turns, with lists of numbers as waits.
    private final class Pollers {
        private var turn = PollingTurn<Int>()
        var isPoolsTurn: Bool { turn.isPoolTurn }
        static let threadPollLimit = PollingTurn<Int>.threadPollLimit

        func handOver(_ waits: [Int]) -> Bool {
            var waits = waits
            let isHandedOver = turn.handOver(&waits)
            #expect(!isHandedOver || waits.isEmpty, "waits that were handed over are no longer in the thread's list")
            return isHandedOver
        }

        /// Returns the waits that the task finds; nil if its turn is over.
        func poll() -> [Int]? {
            var waits: [Int] = []
            return turn.poll(&waits) ? waits : nil
        }

        /// Returns the waits that the thread, which already has `waits`, must resume; nil if the turn is its own.
        func look(with waits: [Int] = []) -> [Int]? {
            var waits = waits
            return turn.pollFromThread(takingBack: &waits) ? waits : nil
        }

        func end() -> Bool { turn.end() }

        func isPollDue(at time: MonotonicTime) -> Bool { turn.isPollDue(at: time) }
    }

    private let pollers = Pollers()

    @Test("signals that keep waking the thread do not keep it from polling for more than a millisecond")
    func signals() {
        func time(_ microseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: microseconds * 1000) }
        #expect(pollers.handOver([1]))
        #expect([5000, 5300, 5900].map { pollers.isPollDue(at: time($0)) } == [false, false, false])
        #expect(pollers.isPollDue(at: time(6000)))
        #expect(pollers.look() == [1])
        #expect(!pollers.isPollDue(at: time(6100)) && pollers.isPollDue(at: time(7100)))
        #expect(pollers.poll() == [] && pollers.end() && pollers.handOver([2]))
        #expect(!pollers.isPollDue(at: time(9000)))
    }

    @Test("the thread has the turn until it hands waits over")
    func beginning() {
        #expect(!pollers.isPoolsTurn)
        #expect(pollers.poll() == nil)
        #expect(pollers.look() == nil)
        #expect(pollers.handOver([1]))
        #expect(pollers.isPoolsTurn)
    }

    @Test("no more waits are handed over while a task has the turn")
    func second() {
        #expect(pollers.handOver([1, 2]))
        #expect(!pollers.handOver([3]))
        #expect(pollers.poll() == [1, 2])
    }

    @Test("the task gets each handed-over wait exactly once, in order")
    func taking() {
        #expect(pollers.handOver([1, 2]))
        #expect(pollers.poll() == [1, 2])
        #expect(pollers.poll() == [])
    }

    @Test("a turn ends only after all its waits were taken, and then another may begin")
    func ending() {
        #expect(pollers.handOver([1]))
        #expect(!pollers.end())
        #expect(pollers.isPoolsTurn)
        #expect(pollers.poll() == [1])
        #expect(pollers.end())
        #expect(!pollers.isPoolsTurn)
        #expect(pollers.handOver([2, 3]))
        #expect(pollers.poll() == [2, 3])
    }

    @Test("waits that the task has not taken go back to the thread, after its own waits")
    func takingBack() {
        #expect(pollers.handOver([1, 2]))
        #expect(pollers.look(with: [9]) == [9, 1, 2])
        #expect(pollers.isPoolsTurn)
        #expect(pollers.poll() == [])
        #expect(pollers.look() == [])
    }

    @Test("a task loses its turn after a number of polls by the thread, counted since the last poll by the task")
    func threadPollLimit() {
        #expect(pollers.handOver([1]))
        #expect(pollers.look() == [1])
        for _ in 2..<Pollers.threadPollLimit { #expect(pollers.look() == []) }
        #expect(pollers.poll() == [])
        for _ in 1..<Pollers.threadPollLimit { #expect(pollers.look() == []) }
        #expect(pollers.isPoolsTurn)
        #expect(pollers.look() == [])
        #expect(!pollers.isPoolsTurn)
        #expect(pollers.poll() == nil)
    }
}
