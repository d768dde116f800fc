import SockeyeNet
import Testing

/// Whose turn it is to poll is decided without a thread or a task.
@Suite("PollingTurn")
struct PollingTurnTests {
    /// The two who take turns, with lists of numbers for waits.
    private final class Pollers {
        private var turn = PollingTurn<Int>()
        var isPoolsTurn: Bool { turn.isOfPool }
        static let lookLimit = PollingTurn<Int>.lookLimit

        func handOver(_ waits: [Int]) -> Bool {
            var waits = waits
            let isHandedOver = turn.handOver(&waits)
            #expect(!isHandedOver || waits.isEmpty, "what is handed over is gone from the thread's list")
            return isHandedOver
        }

        /// What the task finds; nil if its turn is over.
        func poll() -> [Int]? {
            var waits: [Int] = []
            return turn.poll(&waits) ? waits : nil
        }

        /// What the thread, which has `waits`, is to resume; nil if the turn is its own.
        func look(with waits: [Int] = []) -> [Int]? {
            var waits = waits
            return turn.look(takingBack: &waits) ? waits : nil
        }

        func end() -> Bool { turn.end() }
    }

    private let pollers = Pollers()

    @Test("the turn is the thread's until it hands something over")
    func beginning() {
        #expect(!pollers.isPoolsTurn)
        #expect(pollers.poll() == nil)
        #expect(pollers.look() == nil)
        #expect(pollers.handOver([1]))
        #expect(pollers.isPoolsTurn)
    }

    @Test("nothing is handed over to a task that has the turn")
    func second() {
        #expect(pollers.handOver([1, 2]))
        #expect(!pollers.handOver([3]))
        #expect(pollers.poll() == [1, 2])
    }

    @Test("the task takes what was handed over once, in its order")
    func taking() {
        #expect(pollers.handOver([1, 2]))
        #expect(pollers.poll() == [1, 2])
        #expect(pollers.poll() == [])
    }

    @Test("a turn ends only when all that was handed over has been taken, and then there may be another")
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

    @Test("what a task has not come for goes back to the thread, behind what that has, and to nobody else")
    func takingBack() {
        #expect(pollers.handOver([1, 2]))
        #expect(pollers.look(with: [9]) == [9, 1, 2])
        #expect(pollers.isPoolsTurn)
        #expect(pollers.poll() == [])
        #expect(pollers.look() == [])
    }

    @Test("a task that does not come loses its turn; one that comes is waited for anew")
    func lookLimit() {
        #expect(pollers.handOver([1]))
        #expect(pollers.look() == [1])
        for _ in 2..<Pollers.lookLimit { #expect(pollers.look() == []) }
        #expect(pollers.poll() == [])
        for _ in 1..<Pollers.lookLimit { #expect(pollers.look() == []) }
        #expect(pollers.isPoolsTurn)
        #expect(pollers.look() == [])
        #expect(!pollers.isPoolsTurn)
        #expect(pollers.poll() == nil)
    }
}
