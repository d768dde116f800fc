#if AsyncDNS
import SockeyeTestSupport
import Testing

@testable import SockeyeNet

private protocol CapacityTable {
    var room: Int { get }
}

extension Dictionary: CapacityTable {
    fileprivate var room: Int { capacity }
}

struct LookUpLineTests {
    private typealias Line = LookUpLine<Int>

    /// Begins all look-ups that may begin and returns their hosts in order.
    private func begin(_ line: inout Line) -> [String] {
        var begun: [String] = []
        while let (_, host, _) = line.next() { begun.append(host) }
        return begun
    }

    @Test("a limited number of look-ups runs in order of arrival, and each end lets the next begin")
    func places() throws {
        var line = Line()
        let tickets = try (0..<Line.mostUnderWay + 2).map { try line.join("a\($0)", $0) }
        #expect(begin(&line) == (0..<Line.mostUnderWay).map { "a\($0)" })
        #expect(line.finish(tickets[7]) == 7)
        #expect(begin(&line) == ["a\(Line.mostUnderWay)"])
        #expect(line.finish(tickets[7]) == nil)
        #expect(begin(&line).isEmpty)
    }

    @Test("a look-up that would make the line too long is refused")
    func limit() throws {
        var line = Line()
        for index in 0..<Line.mostInLine { _ = try line.join("a", index) }
        #expect(throws: ResolveError.overloaded(limit: Line.mostInLine)) { try line.join("a", 0) }
        #expect(begin(&line).count == Line.mostUnderWay)
        _ = try line.join("a", 0)
    }

    @Test("a look-up that leaves the line does not begin, and a running one that leaves keeps its place")
    func leaving() throws {
        var line = Line()
        let (first, second) = (try line.join("a", 1), try line.join("b", 2))
        line.leave(first)
        line.leave(first)
        #expect(begin(&line) == ["b"])
        line.leave(second)
        #expect(line.isDeserted && !line.isEmpty)
        #expect(line.underWay == 1 && line.abandoned == 1)
        #expect(line.finish(second) == nil)
        #expect(line.isEmpty && line.underWay == 0 && line.abandoned == 0)
    }

    @Test("the line restarts if too many running look-ups have no waiter")
    func restart() throws {
        var line = Line()
        let tickets = try (0..<Line.mostUnderWay + 1).map { try line.join("a\($0)", $0) }
        _ = begin(&line)
        for ticket in tickets[..<(Line.mostUnderWay / 2)] {
            #expect(!line.isClogged)
            line.leave(ticket)
        }
        #expect(line.isClogged)
        line.restart()
        #expect(!line.isClogged)
        #expect(begin(&line) == (Line.mostUnderWay / 2...Line.mostUnderWay).map { "a\($0)" })
    }

    @Test("after an interruption eight look-ups run, repeated ones first, and each end adds one more")
    func interruption() throws {
        var line = Line()
        let tickets = try (0..<600).map { try line.join("a\($0)", $0) }
        _ = begin(&line)
        for ticket in tickets[..<20] { #expect(line.repeat(ticket) == true) }
        for ticket in tickets[20..<242] { _ = line.finish(ticket) }
        #expect(line.underWay == 8)
        #expect(begin(&line).first == "a0")
        #expect(line.underWay == Line.mostAfterInterruption + 222)
    }

    @Test("a look-up is repeated sixteen times, but not for a waiter that has left")
    func repetition() throws {
        var line = Line()
        let (first, _) = (try line.join("a", 1), try line.join("b", 2))
        #expect(begin(&line) == ["a", "b"])
        for _ in 0..<Line.mostRepeats {
            #expect(line.repeat(first) == true)
            #expect(begin(&line) == ["a"])
        }
        #expect(line.repeat(first) == false)
        #expect(line.finish(first) == 1)
        let left = try line.join("c", 3)
        _ = begin(&line)
        line.leave(left)
        #expect(line.repeat(left) == false)
        #expect(line.finish(left) == nil)
    }

    @Test("look-ups without callers give up their places only if others lack them")
    func deserted() throws {
        var line = Line()
        for index in 0..<Line.mostUnderWay { _ = try line.join("a", index) }
        _ = begin(&line)
        let unneeded = line.leaveDeserted { _ in true }
        #expect(unneeded.isEmpty)
        _ = try line.join("next", -1)
        let tooFew = line.leaveDeserted { $0 < Line.mostUnderWay / 2 - 1 }
        #expect(tooFew.isEmpty)
        let half = line.leaveDeserted { $0 < Line.mostUnderWay / 2 }
        #expect(half.count == Line.mostUnderWay / 2)
        #expect(line.isClogged)
        line.restart()
        #expect(begin(&line).last == "next")
    }

    @Test("a long line frees its memory with its last look-up")
    func memory() throws {
        var line = Line()
        let tickets = try (0..<10_000).map { try line.join("a", $0) }
        for ticket in tickets { line.leave(ticket) }
        let places = Mirror(reflecting: line).children.first { $0.label == "places" }?.value as Any
        #expect(capacity(of: places) < 2_000)
    }

    private func capacity(of table: Any) -> Int { (table as? any CapacityTable)?.room ?? .max }

    @Test("after any events the counts are right and no waiter is lost", arguments: 0..<50 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var line = Line()
        // The expected waiters and running look-ups.
        var waiting: Set<UInt64> = []
        var underWay: Set<UInt64> = []
        for step in 0..<2_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: waiting.insert(try line.join("a", step))
            case 4..<6: while let (ticket, _, _) = line.next() { underWay.insert(ticket) }
            case 6..<8:
                guard let ticket = underWay.randomElement(using: &random) else { continue }
                #expect((line.finish(ticket) != nil) == waiting.contains(ticket))
                underWay.remove(ticket)
                waiting.remove(ticket)
            case 8:
                guard let ticket = waiting.randomElement(using: &random) else { continue }
                line.leave(ticket)
                waiting.remove(ticket)
            default:
                guard line.isClogged else { continue }
                line.restart()
                underWay = []
            }
            #expect(line.underWay == underWay.count)
            #expect(line.abandoned == underWay.subtracting(waiting).count)
            #expect(line.isEmpty == (waiting.isEmpty && underWay.isEmpty))
        }
        #expect(line.takeAll().count == waiting.count)
        #expect(line.isEmpty)
    }
}
#endif
