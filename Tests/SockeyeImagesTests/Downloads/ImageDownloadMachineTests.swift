#if Images
@testable import SockeyeCache
import SockeyeTestSupport
import Testing

@testable import SockeyeImages

@Suite("The state machine of image downloads") struct ImageDownloadMachineTests {
    private static func identity(_ name: String, _ mode: CachePolicy.Mode? = nil, headers: Headers = [:]) throws
        -> ImageDownloadMachine.Identity
    {
        .init(url: try HTTPURL("http://example.com/\(name)"), headers: headers, cacheMode: mode)
    }

    private static func machine(
        _ prioritization: ImageDownloader.Prioritization = .fifo, active: Int = 1, waiting: Int = 100
    ) -> ImageDownloadMachine {
        ImageDownloadMachine(prioritization: prioritization, activeLimit: active, waitingLimit: waiting)
    }

    /// Serves all groups of an active download and ends it. Returns the next download.
    private static func finish(_ download: UInt64, _ machine: inout ImageDownloadMachine) -> UInt64? {
        while let group = machine.nextGroup(of: download) { _ = machine.take(group, of: download) }
        return machine.end(download)
    }

    @Test("only equal requests share a download")
    func merging() throws {
        var machine = Self.machine(active: 9)
        let a = try Self.identity("a")
        #expect(machine.add(1, for: a, nil) == .start(1))
        #expect(machine.add(2, for: a, .circle) == .joined(1))
        #expect(machine.add(3, for: try Self.identity("b"), nil) == .start(2))
        #expect(machine.add(4, for: try Self.identity("a", .reloadIgnoringCache), nil) == .start(3))
        #expect(machine.add(5, for: try Self.identity("a", headers: ["Authorization": "x"]), nil) == .start(4))
        #expect(machine.activeCount == 4)
    }

    @Test("receipts with equal filters form a group, and groups are served in the order of their first receipts")
    func groups() throws {
        var machine = Self.machine()
        let a = try Self.identity("a")
        _ = machine.add(1, for: a, .circle)
        _ = machine.add(2, for: a, nil)
        _ = machine.add(3, for: a, .circle)
        let next = machine.nextGroup(of: 1)
        let first = try #require(next)
        #expect(first.filter == .circle)
        #expect(machine.add(4, for: a, .circle) == .joined(1))
        #expect(machine.add(5, for: a, .upright) == .joined(1))
        #expect(machine.take(first, of: 1) == [1, 3, 4])
        let following = machine.nextGroup(of: 1)
        let second = try #require(following)
        #expect(second == .init(filter: nil))
        #expect(machine.take(second, of: 1) == [2])
        #expect(machine.nextGroup(of: 1)?.filter == .upright)
        #expect(machine.takeAll(of: 1) == [5])
        #expect(machine.nextGroup(of: 1) == nil)
        // The download has not ended, but it accepts no more receipts, so a new one gets its own download.
        #expect(machine.add(6, for: a, nil) == .waits(2))
        #expect(machine.end(1) == 2)
    }

    @Test(
        "a receipt after the first result of a download starts another download, even while other groups wait",
        arguments: [true, false])
    func afterSettling(fails: Bool) throws {
        var machine = Self.machine(active: 9)
        let a = try Self.identity("a")
        _ = machine.add(1, for: a, nil)
        _ = machine.add(2, for: a, .circle)
        let next = machine.nextGroup(of: 1)
        let group = try #require(next)
        let served = fails ? machine.takeAll(of: 1) : machine.take(group, of: 1)
        #expect(served == (fails ? [1, 2] : [1]))
        #expect(machine.add(3, for: a, nil) == .start(2))
        #expect(machine.add(4, for: a, .circle) == .joined(2))
        #expect(machine.nextGroup(of: 1)?.filter == (fails ? nil : ImageFilter.circle))
        _ = machine.takeAll(of: 1)
        _ = machine.end(1)
        #expect(machine.add(5, for: a, nil) == .joined(2))
    }

    @Test("receipts can still join a download after a result from the image cache, because the download has not begun")
    func afterCacheHit() throws {
        var machine = Self.machine()
        let a = try Self.identity("a")
        _ = machine.add(1, for: a, nil)
        let next = machine.nextGroup(of: 1)
        let group = try #require(next)
        #expect(machine.take(group, of: 1, isFetched: false) == [1])
        #expect(machine.add(2, for: a, .circle) == .joined(1))
    }

    @Test(
        "with fifo the oldest waiting download is next, and with lifo the newest",
        arguments: [ImageDownloader.Prioritization.fifo, .lifo])
    func order(prioritization: ImageDownloader.Prioritization) throws {
        var machine = Self.machine(prioritization)
        for receipt in 1...5 { _ = machine.add(UInt64(receipt), for: try Self.identity("\(receipt)"), nil) }
        #expect(machine.waitingCount == 4)
        var order: [UInt64] = []
        var next: UInt64? = 1
        while let download = next {
            order.append(download)
            next = Self.finish(download, &machine)
        }
        #expect(order == (prioritization == .fifo ? [1, 2, 3, 4, 5] : [1, 5, 4, 3, 2]))
        #expect(machine.activeCount == 0)
    }

    @Test("without receipts, a waiting download ends at once, and an active download ends after its work")
    func cancelling() throws {
        var machine = Self.machine()
        let a = try Self.identity("a")
        let b = try Self.identity("b")
        _ = machine.add(1, for: a, nil)
        _ = machine.add(2, for: a, nil)
        _ = machine.add(3, for: b, nil)
        #expect(machine.isWaiting(3))
        #expect(!machine.isWaiting(1))
        #expect(machine.remove(3) == .nothing)
        #expect(machine.waitingCount == 0)
        #expect(machine.remove(1) == .nothing)
        #expect(machine.remove(1) == .nothing)
        #expect(machine.remove(2) == .cancel(1))
        // No receipt joins an abandoned download, which occupies its slot until its end.
        #expect(machine.add(4, for: a, nil) == .waits(3))
        #expect(machine.nextGroup(of: 1) == nil)
        #expect(machine.end(1) == 3)
        #expect(machine.end(1) == nil)
        #expect(machine.nextGroup(of: 3) == .init(filter: nil))
        #expect(machine.activeCount == 1)
    }

    @Test("the queue is bounded, and a receipt that shares a download takes no place in it")
    func bounds() throws {
        var machine = Self.machine(active: 0, waiting: 1)
        #expect(machine.add(1, for: try Self.identity("a"), nil) == .start(1))
        #expect(machine.add(2, for: try Self.identity("b"), nil) == .waits(2))
        #expect(machine.add(3, for: try Self.identity("c"), nil) == .refused)
        #expect(machine.add(4, for: try Self.identity("b"), nil) == .joined(2))
        #expect(machine.add(5, for: try Self.identity("a"), nil) == .joined(1))
        #expect(machine.remove(3) == .nothing)
    }

    @Test(
        "during random events the active limit holds, each receipt ends once and no download is left",
        arguments: 0..<20)
    func random(seed: UInt64) throws {
        var course = RandomCourse(
            generator: SplitMix(seed: seed),
            machine: Self.machine(seed % 2 == 0 ? .fifo : .lifo, active: 3, waiting: 5),
            identities: try (0..<12).map { try Self.identity("\($0)") })
        for _ in 0..<2000 {
            course.doSomething()
            let machine = course.machine
            #expect(machine.activeCount == course.active.count)
            #expect(machine.activeCount <= 3 && machine.waitingCount <= 5)
        }
        while let download = course.active.min() { course.step(download) }
        #expect(course.live.isEmpty)
        #expect(course.machine.activeCount == 0 && course.machine.waitingCount == 0)
    }

    private struct RandomCourse {
        var generator: SplitMix
        var machine: ImageDownloadMachine
        let identities: [ImageDownloadMachine.Identity]
        private(set) var live: Set<UInt64> = []
        private(set) var active: Set<UInt64> = []
        private var last: UInt64 = 0

        init(generator: SplitMix, machine: ImageDownloadMachine, identities: [ImageDownloadMachine.Identity]) {
            self.generator = generator
            self.machine = machine
            self.identities = identities
        }

        mutating func doSomething() {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1: add()
            case 2: remove()
            default: if let download = active.sorted().randomElement(using: &generator) { step(download) }
            }
        }

        private mutating func add() {
            last += 1
            let identity = identities[Int.random(in: 0..<identities.count, using: &generator)]
            let filter = [nil, .circle, ImageFilter.upright][Int.random(in: 0..<3, using: &generator)]
            switch machine.add(last, for: identity, filter) {
            case .refused: #expect(machine.waitingCount == 5)
            case .start(let download):
                active.insert(download)
                live.insert(last)
            case .joined, .waits: live.insert(last)
            }
        }

        private mutating func remove() {
            guard let receipt = live.sorted().randomElement(using: &generator) else { return }
            live.remove(receipt)
            if case .cancel(let download) = machine.remove(receipt) { #expect(active.contains(download)) }
        }

        /// Performs the next step of an active download.
        mutating func step(_ download: UInt64) {
            guard let group = machine.nextGroup(of: download) else {
                active.remove(download)
                if let next = machine.end(download) { active.insert(next) }
                return
            }
            let takesAll = Bool.random(using: &generator)
            let served = takesAll ? machine.takeAll(of: download) : machine.take(group, of: download)
            #expect(!served.isEmpty && live.isSuperset(of: served))
            live.subtract(served)
        }
    }
}
#endif
