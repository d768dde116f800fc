import CSockeyeSystem
import Glibc
import SockeyeCore
import SockeyeNet
import Synchronization
import Testing

/// Tasks whose descriptors become readable together are resumed together, in more than one way.
@Suite("BatchResumer", .timeLimit(.minutes(1)))
struct BatchResumerTests {
    /// Descriptors that are readable once somebody asks for it, all of them before the poller can look at any.
    private final class Signals: Sendable {
        let points: [WaitPoint]
        /// How many tasks have not been woken yet in this round.
        let left: Atomic<Int>
        /// Whether everything that was to be seen was seen.
        let isOver = Atomic(false)
        private let descriptors: [Int32]

        init(_ count: Int, _ poller: EpollPoller) throws {
            let descriptors = (0..<count).map { _ in eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
            self.descriptors = descriptors
            left = Atomic(count)
            points = try descriptors.map { try poller.makeWaitPoint(descriptor: $0) }
        }

        func raise() { for descriptor in descriptors { eventfd_write(descriptor, 1) } }

        deinit {
            for point in points { point.close() }
            for descriptor in descriptors { close(descriptor) }
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

    @Test("every task is woken each time, wherever it runs and however many others are woken with it")
    func everybody() async throws {
        let poller = try EpollPoller()
        let signals = try Signals(60, poller)
        let rounds = 200
        let raised = try WaitTimer(poller: poller)
        let tasks = signals.points.enumerated().map { index, point in
            let place = Place.allCases[index % Place.allCases.count]
            return Task(executorPreference: place == .poller ? poller : nil, priority: place.priority) {
                var woken = 0
                for _ in 0..<rounds {
                    guard await point.wait(for: .read, as: .reader, until: .distantFuture) == .ready else { break }
                    woken += 1
                    if signals.left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { raised.signal() }
                }
                return woken
            }
        }
        for _ in 0..<rounds {
            signals.raise()
            #expect(await raised.sleep(until: .distantFuture) == .ready)
            signals.left.store(signals.points.count, ordering: .releasing)
        }
        for task in tasks { #expect(await task.value == rounds) }
    }

    @Test("a task with a high priority is woken while others keep the pool busy")
    func busyPool() async throws {
        let poller = try EpollPoller()
        let signals = try Signals(4, poller)
        // Tasks and no group: the tasks of a group have the priority of whoever waits for them.
        let waiting = signals.points.enumerated().map { index, point in
            Task(priority: index == 0 ? .high : .medium) {
                let isReady = await point.wait(for: .read, as: .reader, until: .distantFuture) == .ready
                if index == 0 { signals.isOver.store(true, ordering: .releasing) }
                return isReady
            }
        }
        // As many as the pool has threads do nothing but wait for it, for a few seconds at most.
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
}
