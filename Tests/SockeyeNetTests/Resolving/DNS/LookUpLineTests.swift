#if AsyncDNS
import SockeyeTestSupport
import Testing

@testable import SockeyeNet

struct LookUpLineTests {
    private typealias Line = LookUpLine<Int>

    /// Everything that may begin, in order.
    private func begin(_ line: inout Line) -> [String] {
        var begun: [String] = []
        while let (_, host) = line.next() { begun.append(host) }
        return begun
    }

    @Test("lets so many be under way, in the order in which they came, and the next one when one ends")
    func places() throws {
        var line = Line()
        let tickets = try (0..<Line.mostUnderWay + 2).map { try line.join("a\($0)", $0) }
        #expect(begin(&line) == (0..<Line.mostUnderWay).map { "a\($0)" })
        #expect(line.finish(tickets[7]) == 7)
        #expect(begin(&line) == ["a\(Line.mostUnderWay)"])
        #expect(line.finish(tickets[7]) == nil)
        #expect(begin(&line).isEmpty)
    }

    @Test("refuses who would make the line too long")
    func limit() throws {
        var line = Line()
        for index in 0..<Line.mostInLine { _ = try line.join("a", index) }
        #expect(throws: ResolveError.overloaded(limit: Line.mostInLine)) { try line.join("a", 0) }
        #expect(begin(&line).count == Line.mostUnderWay)
        _ = try line.join("a", 0)
    }

    @Test("who leaves the line is not asked for, and who leaves later gives no place free")
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

    @Test("too many places of which nobody waits for the answer are made free by beginning anew")
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

    @Test("whatever happens, the counts are right and nobody is lost", arguments: 0..<50 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var line = Line()
        // What a dictionary of waiters and a set of those under way would say.
        var waiting: Set<UInt64> = []
        var underWay: Set<UInt64> = []
        for step in 0..<2_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: waiting.insert(try line.join("a", step))
            case 4..<6: while let (ticket, _) = line.next() { underWay.insert(ticket) }
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
