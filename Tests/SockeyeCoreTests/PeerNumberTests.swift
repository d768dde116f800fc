import SockeyeCore
import Testing

@Suite("Limits for numbers received from a peer", .timeLimit(.minutes(1)))
struct PeerNumberTests {
    @Test("A length of any integer type is accepted from 0 to 2^62")
    func length() {
        #expect(PeerNumber.length(0) == 0)
        #expect(PeerNumber.length(PeerNumber.largest) == PeerNumber.largest)
        #expect(PeerNumber.length(PeerNumber.largest + 1) == nil)
        #expect(PeerNumber.length(-1) == nil)
        #expect(PeerNumber.length(Int.max) == nil)
        #expect(PeerNumber.length(UInt64.max) == nil)
        #expect(PeerNumber.length(UInt8.max) == 255)
    }

    @Test("Saturated sums, differences and products stop at the ends of the type")
    func saturation() {
        #expect(Int.max.addingSaturated(1) == .max)
        #expect(Int.min.addingSaturated(-1) == .min)
        #expect(2.addingSaturated(3) == 5)
        #expect(Int.min.subtractingSaturated(1) == .min)
        #expect(Int.max.subtractingSaturated(-1) == .max)
        #expect(UInt8(1).subtractingSaturated(2) == 0)
        #expect(Int.max.multipliedSaturated(by: 2) == .max)
        #expect(Int.max.multipliedSaturated(by: -2) == .min)
        #expect(Int.min.multipliedSaturated(by: -1) == .max)
        #expect(7.multipliedSaturated(by: -6) == -42)
    }

    @Test(
        "Seconds beyond the range of Duration are clamped",
        arguments: [Double.infinity, -.infinity, .greatestFiniteMagnitude, 1e30, -1e30, 0, 1.5])
    func seconds(_ value: Double) {
        let limit = Double(PeerNumber.largest)
        #expect(Duration.clampedSeconds(value) == .seconds(min(limit, max(-limit, value))))
        #expect(Duration.clampedSeconds(.nan) == .zero)
    }
}

@Suite("The budget of a task's turn", .timeLimit(.minutes(1)))
struct TurnBudgetTests {
    @Test("A turn ends when its units or its bytes are spent, and the next turn has the full budget")
    func turns() {
        var budget = TurnBudget(bytes: 10, units: 3)
        #expect([0, 0, 0].map { budget.spend($0) } == [false, false, true])
        #expect([4, 6].map { budget.spend($0) } == [false, true])
        #expect([Int.max].map { budget.spend($0) } == [true])
        #expect([0, 0].map { budget.spend($0) } == [false, false])
        budget.restart()
        #expect([0, 0, 0].map { budget.spend($0) } == [false, false, true])
    }
}
