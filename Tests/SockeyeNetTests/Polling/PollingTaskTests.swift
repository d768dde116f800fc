import Glibc
import SockeyeCore
import SockeyeNet
import Synchronization
import Testing

/// Tasks whose descriptors become readable together, on the pool at several priorities and on the poller's thread.
@Suite("PollingTask", .timeLimit(.minutes(1)))
struct PollingTaskTests {
    /// Descriptors that one call makes readable, all before the poller can examine any of them.
    private final class Signals: Sendable {
        let points: [WaitPoint]
        /// The number of tasks that have not been woken in this round.
        let left: Atomic<Int>
        /// The round that has begun, or the last one in which a task was woken.
        let round = Atomic(0)
        /// True if the test has observed all that it waits for.
        let isOver = Atomic(false)
        private let pairs: [(reader: Int32, writer: Int32)]

        init(_ count: Int, _ poller: EventPoller) throws {
            let pairs = (0..<count).map { _ in
                var ends: [Int32] = [-1, -1]
                let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                unsafe socketpair(AF_UNIX, type, 0, &ends)
                return (reader: ends[0], writer: ends[1])
            }
            self.pairs = pairs
            left = Atomic(count)
            points = try pairs.map { try poller.makeWaitPoint(descriptor: $0.reader) }
        }

        func raise() {
            for pair in pairs { unsafe write(pair.writer, "!", 1) }
        }

        deinit {
            for point in points { point.close() }
            for pair in pairs {
                close(pair.reader)
                close(pair.writer)
            }
        }
    }

    private enum Place: CaseIterable {
        case pool, highPriority, lowPriority, poller

        var priority: TaskPriority? {
            switch self {
            case .pool, .poller: nil
            case .highPriority: .high
            case .lowPriority: .low
            }
        }
    }

    @Test("every task is woken each time its descriptor becomes readable, wherever the task runs")
    func everyTaskIsWoken() async throws {
        let poller = try EventPoller()
        let signals = try Signals(60, poller)
        let rounds = 200
        let raised = try WaitTimer(poller: poller)
        let tasks = signals.points.enumerated().map { index, point in
            let place = Place.allCases[index % Place.allCases.count]
            return Task(executorPreference: place == .poller ? poller : nil, priority: place.priority) {
                var woken = 0
                while woken < rounds {
                    guard await point.wait(for: .read, as: .reader, until: .distantFuture) == .ready else { break }
                    // An edge may be reported twice: here the edge of the registration, if it is seen after the first
                    // round has begun.
                    let round = signals.round.load(ordering: .acquiring)
                    if round == woken { continue }
                    woken = round
                    if signals.left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { raised.signal() }
                }
                return woken
            }
        }
        for round in 1...rounds {
            signals.left.store(signals.points.count, ordering: .releasing)
            signals.round.store(round, ordering: .releasing)
            signals.raise()
            #expect(await raised.sleep(until: .distantFuture) == .ready)
        }
        for task in tasks { #expect(await task.value == rounds) }
    }

    @Test("a task with a high priority is woken while others keep the pool busy")
    func busyPool() async throws {
        let poller = try EventPoller()
        let signals = try Signals(4, poller)
        // Tasks instead of a group: the tasks of a group have the priority of the task that waits for them.
        let waiting = signals.points.enumerated().map { index, point in
            Task(priority: index == 0 ? .high : .medium) {
                let isReady = await point.wait(for: .read, as: .reader, until: .distantFuture) == .ready
                if index == 0 { signals.isOver.store(true, ordering: .releasing) }
                return isReady
            }
        }
        // One busy task per thread of the pool waits until the task with the high priority is woken, for at most 20 s.
        let busy = (0..<sysconf(Int32(_SC_NPROCESSORS_ONLN))).map { index in
            Task(priority: .medium) {
                if index == 0 { signals.raise() }
                let end = ContinuousClock.now + .seconds(20)
                while !signals.isOver.load(ordering: .acquiring), .now < end { sched_yield() }
                return signals.isOver.load(ordering: .acquiring)
            }
        }
        for task in waiting + busy { #expect(await task.value) }
    }

    @Test("a task on the poller's thread is woken while a busy pool has the turn to poll")
    func keptFromTurn() async throws {
        let poller = try EventPoller()
        let signals = try Signals(2, poller)
        let other = try Signals(1, poller)
        let rounds = 30
        let waiting = signals.points.map { point in
            Task { await point.wait(for: .read, as: .reader, until: .distantFuture) == .ready }
        }
        let atPoller = Task(executorPreference: poller) {
            for round in 1...rounds {
                guard await other.points[0].wait(for: .read, as: .reader, until: .distantFuture) == .ready else {
                    return
                }
                other.round.store(round, ordering: .releasing)
            }
        }
        // One busy task per thread of the pool. The first one begins the pool's turn to poll, and checks that the task
        // on the poller's thread is woken nevertheless.
        let busy = (0..<sysconf(Int32(_SC_NPROCESSORS_ONLN))).map { index in
            Task {
                let end = ContinuousClock.now + .seconds(20)
                if index == 0 {
                    signals.raise()
                    for round in 1...rounds {
                        other.raise()
                        while other.round.load(ordering: .acquiring) < round, .now < end { sched_yield() }
                    }
                    signals.isOver.store(true, ordering: .releasing)
                }
                while !signals.isOver.load(ordering: .acquiring), .now < end { sched_yield() }
            }
        }
        for task in busy { await task.value }
        #expect(other.round.load(ordering: .acquiring) == rounds)
        await atPoller.value
        for task in waiting { #expect(await task.value) }
    }
}
