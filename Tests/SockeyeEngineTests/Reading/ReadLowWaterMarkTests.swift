import SockeyeCore
import Testing

@testable import SockeyeEngine

@Suite("The low-water mark of a socket")
struct ReadLowWaterMarkTests {
    /// Bytes received before a wait, the time since the previous wait, and the bytes certain to follow.
    struct Step: Sendable {
        var count = ReadLowWaterMark.bulk
        var after = Duration.milliseconds(1)
        var certain = 1 << 30

        static let bulk = Step()
        static let nothing = Step(count: 0)
    }

    private static let enough = 2 * ReadLowWaterMark.mark + 1

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        let plans: [ReadLowWaterMark.Plan]
    }

    static let rows = [
        Row(testDescription: "the first wait proves nothing", steps: [.bulk], plans: [.forAny]),
        Row(
            testDescription: "bulk twice in a row", steps: [.nothing, .bulk, .bulk, .bulk],
            plans: [.forAny, .forAny, .forMark, .forMark]),
        Row(
            testDescription: "one byte less is not bulk", steps: [.nothing] + [Step](repeating: less, count: 5),
            plans: [ReadLowWaterMark.Plan](repeating: .forAny, count: 6)),
        Row(
            testDescription: "bulk twice, with little in between",
            steps: [.nothing, .bulk, Step(count: 1), .bulk, .bulk],
            plans: [.forAny, .forAny, .forAny, .forAny, .forMark]),
        Row(
            testDescription: "as much as bulk, but slowly", steps: [.nothing] + [Step](repeating: slow, count: 5),
            plans: [ReadLowWaterMark.Plan](repeating: .forAny, count: 6)),
        Row(
            testDescription: "a longer wait because more came", steps: [.nothing, more, more],
            plans: [.forAny, .forAny, .forMark]),
        Row(
            testDescription: "no bytes are certain, as in a body until close or at the end of a chunk",
            steps: [.nothing, .bulk, .bulk, uncertain, .bulk],
            plans: [.forAny, .forAny, .forMark, .afterReading, .forMark]
        ),
        Row(
            testDescription: "just enough bytes are certain, then one too few",
            steps: [.nothing, .bulk, Step(certain: enough), Step(certain: enough - 1), Step(certain: enough - 1)],
            plans: [.forAny, .forAny, .forMark, .afterReading, .forAny]),
        Row(
            testDescription: "one wait that ended early is tolerated",
            steps: [.nothing, .bulk, .bulk, .nothing, .bulk, Step(count: 1), .bulk],
            plans: [.forAny, .forAny, .forMark, .forMark, .forMark, .forMark, .forMark]),
        Row(
            testDescription: "two waits in a row that ended early are not tolerated",
            steps: [.nothing, .bulk, .bulk, .nothing, Step(count: 1), .nothing],
            plans: [.forAny, .forAny, .forMark, .forMark, .afterReading, .forAny]),
    ]

    private static let less = Step(count: ReadLowWaterMark.bulk - 1)
    private static let uncertain = Step(certain: 0)
    /// Bulk, but just too slowly to reach the mark within its limit.
    private static let slow = Step(after: .microseconds(1525))
    /// As many bytes as the mark, in exactly its limit.
    private static let more = Step(count: ReadLowWaterMark.mark, after: .milliseconds(8))

    private func plans(_ machine: inout ReadLowWaterMark, _ steps: [Step]) -> [ReadLowWaterMark.Plan] {
        var received = 5000
        var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
        return steps.map { step in
            received += step.count
            now = now.advanced(by: step.after)
            return machine.plan(received: received, certain: step.certain, at: now)
        }
    }

    @Test(
        "the reader waits for the mark if bulk came twice in a row and enough bytes are certain", arguments: rows)
    func plan(row: Row) {
        var machine = ReadLowWaterMark(received: 5000)
        #expect(plans(&machine, row.steps) == row.plans)
        #expect(machine.isGathering == (row.plans.last == .forMark))
    }

    @Test("each wait that ends at its limit doubles the number of times that bulk must come; bulk in waits reduces it")
    func limit() {
        var (received, now) = (0, MonotonicTime(nanoseconds: 1_000_000_000_000))
        var machine = ReadLowWaterMark(received: 0)
        func next(_ count: Int = ReadLowWaterMark.bulk) -> ReadLowWaterMark.Plan {
            received += count
            now = now.advanced(by: .milliseconds(1))
            return machine.plan(received: received, certain: 1 << 30, at: now)
        }
        func proofs() -> Int {
            var count = 1
            while next() != .forMark, count < 1000 { count += 1 }
            return count
        }
        #expect(next(0) == .forAny)
        for expected in [2, 4, 8, 16, 32, 64, 64, 64] {
            #expect(proofs() == expected)
            machine.limitPassed()
            #expect(!machine.isGathering)
            #expect(next(0) == .forAny)
        }
        #expect(proofs() == 64)
        for _ in 0..<63 { #expect(next() == .forMark) }
        machine.limitPassed()
        #expect(next(0) == .forAny)
        #expect(proofs() == 4, "as after the first failure")
    }

    @Test("after enough bulk in a row, the reader waits for the mark instead of reading again")
    func beforeReading() {
        var (received, now) = (0, MonotonicTime(nanoseconds: 1_000_000_000_000))
        var machine = ReadLowWaterMark(received: 0)
        func comes(_ count: Int = ReadLowWaterMark.bulk, certain: Int = 1 << 30) -> Bool {
            received += count
            now = now.advanced(by: .microseconds(100))
            return machine.shouldWaitBeforeReading(received: received, certain: certain, at: now)
        }
        func plan(_ count: Int = 0) -> ReadLowWaterMark.Plan {
            received += count
            now = now.advanced(by: .microseconds(100))
            return machine.plan(received: received, certain: 1 << 30, at: now)
        }
        #expect(plan() == .forAny)
        #expect(!comes(), "the first bulk wait")
        #expect(!comes(1), "a wait with few bytes is not a bulk wait")
        #expect(!comes(certain: Self.enough - 1), "the second bulk wait, but too few bytes are certain")
        #expect(plan() == .forMark, "bytes are judged only once")
        #expect(comes(1), "while the mark is set, the next wait decides")
        #expect(plan() == .forMark, "one wait that brought little is tolerated")
        #expect(plan(1) == .afterReading)
        #expect(!comes(1))
    }

    @Test("the mark is less than the largest read")
    func sizes() {
        #expect(ReadLowWaterMark.mark < ReceiveBuffer.largestExpected)
        #expect(ReadLowWaterMark.bulk < ReadLowWaterMark.mark)
    }
}
