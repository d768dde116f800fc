#if AsyncDNS
@testable import SockeyeDNS
import SockeyeTestSupport
import Testing

@testable import SockeyeNet

private protocol CapacityTable {
    var room: Int { get }
}

extension Dictionary: CapacityTable {
    fileprivate var room: Int { capacity }
}

struct LookUpQueueTests {
    private typealias Queue = LookUpQueue<Int>

    /// Begins all look-ups that may begin and returns their hosts in order.
    private func begin(_ queue: inout Queue) -> [String] {
        var begun: [String] = []
        while let (_, host, _) = queue.next() { begun.append(host) }
        return begun
    }

    @Test("a limited number of look-ups runs in order of arrival, and each end lets the next begin")
    func places() throws {
        var queue = Queue()
        let tickets = try (0..<Queue.activeLimit + 2).map { try queue.join("a\($0)", $0) }
        #expect(begin(&queue) == (0..<Queue.activeLimit).map { "a\($0)" })
        #expect(queue.finish(tickets[7]) == 7)
        #expect(begin(&queue) == ["a\(Queue.activeLimit)"])
        #expect(queue.finish(tickets[7]) == nil)
        #expect(begin(&queue).isEmpty)
    }

    @Test("a look-up is refused if the queue is full")
    func limit() throws {
        var queue = Queue()
        for index in 0..<Queue.queueLimit { _ = try queue.join("a", index) }
        #expect(throws: ResolveError.overloaded(limit: Queue.queueLimit)) { try queue.join("a", 0) }
        #expect(begin(&queue).count == Queue.activeLimit)
        _ = try queue.join("a", 0)
    }

    @Test("a queued look-up without waiter does not begin, and a running one keeps its place until it ends")
    func leaving() throws {
        var queue = Queue()
        let (first, second) = (try queue.join("a", 1), try queue.join("b", 2))
        queue.leave(first)
        queue.leave(first)
        #expect(begin(&queue) == ["b"])
        queue.leave(second)
        #expect(queue.hasNoWaiters && !queue.isEmpty)
        #expect(queue.underWay == 1 && queue.abandoned == 1)
        #expect(queue.finish(second) == nil)
        #expect(queue.isEmpty && queue.underWay == 0 && queue.abandoned == 0)
    }

    @Test("a restart puts look-ups under way back into the queue, and removes abandoned ones")
    func restart() throws {
        var queue = Queue()
        let tickets = try (0..<Queue.activeLimit + 1).map { try queue.join("a\($0)", $0) }
        _ = begin(&queue)
        for ticket in tickets[..<(Queue.activeLimit / 2)] {
            #expect(!queue.isClogged)
            queue.leave(ticket)
        }
        #expect(queue.isClogged)
        queue.restart()
        #expect(!queue.isClogged)
        #expect(begin(&queue) == (Queue.activeLimit / 2...Queue.activeLimit).map { "a\($0)" })
    }

    @Test("after an interruption eight look-ups run, repeated ones first, and each that ends raises the limit by one")
    func interruption() throws {
        var queue = Queue()
        let tickets = try (0..<600).map { try queue.join("a\($0)", $0) }
        _ = begin(&queue)
        for ticket in tickets[..<20] { #expect(queue.repeat(ticket) == true) }
        for ticket in tickets[20..<242] { _ = queue.finish(ticket) }
        #expect(queue.underWay == 8)
        #expect(begin(&queue).first == "a0")
        #expect(queue.underWay == Queue.limitAfterInterruption + 222)
    }

    @Test("the limit after an interruption also applies after all look-ups have ended, or have left a long queue")
    func interruptionOfLast() throws {
        for takesAll in [true, false] {
            var queue = Queue()
            let tickets = try (0..<10_000).map { try queue.join("a", $0) }
            let begun = queue.next()
            let first = try #require(begun?.ticket)
            #expect(queue.repeat(first) == true)
            if takesAll {
                #expect(queue.takeAll().count == tickets.count)
            } else {
                for ticket in tickets { queue.leave(ticket) }
            }
            #expect(queue.isEmpty)
            for index in 0..<20 { _ = try queue.join("b", index) }
            #expect(begin(&queue).count == Queue.limitAfterInterruption)
        }
    }

    @Test("a look-up is repeated at most sixteen times, and not for a waiter that has left")
    func repetition() throws {
        var queue = Queue()
        let (first, _) = (try queue.join("a", 1), try queue.join("b", 2))
        #expect(begin(&queue) == ["a", "b"])
        for _ in 0..<Queue.repeatLimit {
            #expect(queue.repeat(first) == true)
            #expect(begin(&queue) == ["a"])
        }
        #expect(queue.repeat(first) == false)
        #expect(queue.finish(first) == 1)
        let left = try queue.join("c", 3)
        _ = begin(&queue)
        queue.leave(left)
        #expect(queue.repeat(left) == false)
        #expect(queue.finish(left) == nil)
    }

    @Test("look-ups without callers are abandoned only if others wait and enough places become free")
    func deserted() throws {
        var queue = Queue()
        for index in 0..<Queue.activeLimit { _ = try queue.join("a", index) }
        _ = begin(&queue)
        let unneeded = queue.abandonWithoutCallers { _ in true }
        #expect(unneeded.isEmpty)
        _ = try queue.join("next", -1)
        let tooFew = queue.abandonWithoutCallers { $0 < Queue.activeLimit / 2 - 1 }
        #expect(tooFew.isEmpty)
        let half = queue.abandonWithoutCallers { $0 < Queue.activeLimit / 2 }
        #expect(half.count == Queue.activeLimit / 2)
        #expect(queue.isClogged)
        queue.restart()
        #expect(begin(&queue).last == "next")
    }

    @Test("a long queue frees its memory with its last look-up")
    func memory() throws {
        var queue = Queue()
        let tickets = try (0..<10_000).map { try queue.join("a", $0) }
        for ticket in tickets { queue.leave(ticket) }
        let places = Mirror(reflecting: queue).children.first { $0.label == "places" }?.value as Any
        #expect(capacity(of: places) < 2_000)
    }

    private func capacity(of table: Any) -> Int { (table as? any CapacityTable)?.room ?? .max }

    @Test("after any events the counts are right and no waiter is lost", arguments: 0..<50 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var queue = Queue()
        // The expected waiters and running look-ups.
        var waiting: Set<UInt64> = []
        var underWay: Set<UInt64> = []
        for step in 0..<2_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: waiting.insert(try queue.join("a", step))
            case 4..<6: while let (ticket, _, _) = queue.next() { underWay.insert(ticket) }
            case 6..<8:
                guard let ticket = underWay.randomElement(using: &random) else { continue }
                #expect((queue.finish(ticket) != nil) == waiting.contains(ticket))
                underWay.remove(ticket)
                waiting.remove(ticket)
            case 8:
                guard let ticket = waiting.randomElement(using: &random) else { continue }
                queue.leave(ticket)
                waiting.remove(ticket)
            default:
                guard queue.isClogged else { continue }
                queue.restart()
                underWay = []
            }
            #expect(queue.underWay == underWay.count)
            #expect(queue.abandoned == underWay.subtracting(waiting).count)
            #expect(queue.isEmpty == (waiting.isEmpty && underWay.isEmpty))
        }
        #expect(queue.takeAll().count == waiting.count)
        #expect(queue.isEmpty)
    }
}
#endif
