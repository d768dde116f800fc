import Sockeye
import Testing

@testable import SockeyeTesting

/// The decisions of a fault proxy about the bytes of one direction, without sockets.
@Suite("Fault plans")
struct FaultPlanTests {
    private func run(_ faults: [FaultProxy.Fault], _ pieces: [String], seed: UInt64 = 1) -> [FaultPlan.Step] {
        var plan = FaultPlan(seed: seed)
        return pieces.flatMap { plan.received(Bytes($0), under: faults) } + plan.ended(under: faults)
    }

    @Test(
        "a plan turns received pieces and the end of the input into the expected steps",
        arguments: [
            ([], ["ab", "c"], [.send("ab"), .send("c"), .finish]),
            ([.latency(.seconds(1))], ["ab"], [.wait(.seconds(1)), .send("ab"), .finish]),
            ([.latency(.seconds(1)), .latency(.seconds(2))], ["a"], [.wait(.seconds(3)), .send("a"), .finish]),
            ([.cut(after: 3)], ["ab", "cd", "e"], [.send("ab"), .send("c"), .close]),
            ([.cut(after: 2)], ["ab", "cd"], [.send("ab"), .close]), ([.cut(after: 0)], ["ab"], [.close]),
            ([.cut(after: 9)], ["ab"], [.send("ab"), .finish]),
            ([.reset(after: 1), .cut(after: 2)], ["abc"], [.send("a"), .reset]), ([.reset()], ["a"], [.reset]),
            ([.silence(after: 1)], ["ab", "c"], [.send("a"), .close]), ([.silence()], ["ab", "c"], [.close]),
            ([.slices(of: 2, pause: .seconds(1))], ["abc"], [.send("ab"), .wait(.seconds(1)), .send("c"), .finish]),
            (
                [.bandwidth(bytesPerSecond: 40)], ["abc"],
                [.send("ab"), .wait(.milliseconds(50)), .send("c"), .wait(.milliseconds(25)), .finish]
            ),
            (
                [.bandwidth(bytesPerSecond: 40), .slices(of: 1)], ["ab"],
                [.send("a"), .wait(.milliseconds(25)), .send("b"), .wait(.milliseconds(25)), .finish]
            ),
            (
                [.slices(of: 1, pause: .seconds(1)), .bandwidth(bytesPerSecond: 40)], ["ab"],
                [.send("a"), .wait(.seconds(1)), .send("b"), .wait(.milliseconds(25)), .finish]
            ),
            ([.flip(at: 1)], ["a", "bc"], [.send("a"), .send([0x9D, 0x63]), .finish]),
            ([.slowClose(.seconds(1))], ["a"], [.send("a"), .wait(.seconds(1)), .finish]),
            ([.cut(after: 1), .latency(.seconds(1))], ["ab"], [.wait(.seconds(1)), .send("a"), .close]),
            ([.cut(after: 0), .latency(.seconds(1))], ["ab"], [.close]), ([.cut(after: 1)], [], [.finish]),
        ] as [([FaultProxy.Fault], [String], [FaultPlan.Step])])
    func steps(faults: [FaultProxy.Fault], pieces: [String], steps: [FaultPlan.Step]) {
        #expect(run(faults, pieces) == steps)
    }

    @Test("garbage is inserted once at the requested position, and the same seed gives the same garbage")
    func garbage() {
        func sent(_ seed: UInt64) -> [UInt8] {
            run([.garbage(after: 3, count: 4)], ["ab", "cd", "ef"], seed: seed).flatMap { step -> [UInt8] in
                if case .send(let bytes) = step { Array(bytes) } else { [] }
            }
        }
        let bytes = sent(1)
        #expect(bytes.count == 10)
        #expect(bytes.prefix(3).elementsEqual("abc".utf8) && bytes.suffix(3).elementsEqual("def".utf8))
        #expect(sent(1) == bytes && sent(2) != bytes)
    }

    @Test("two insertions of garbage into one piece have positions in the original bytes")
    func twoInsertions() {
        let faults: [FaultProxy.Fault] = [.garbage(after: 1, count: 2), .garbage(after: 3, count: 1)]
        let bytes = run(faults, ["abcd"]).flatMap { step -> [UInt8] in
            if case .send(let bytes) = step { Array(bytes) } else { [] }
        }
        #expect(bytes.count == 7 && bytes.first == UInt8(ascii: "a") && bytes.last == UInt8(ascii: "d"))
        #expect(bytes.dropFirst(3).prefix(2).elementsEqual("bc".utf8))
    }

    @Test("a fault affects the requested share of connections, each for its whole life")
    func shares() {
        let fault = FaultProxy.Fault.reset().inShare(0.25)
        var resets = 0
        for seed in 0..<400 as Range<UInt64> {
            let steps = run([fault], ["a", "b"], seed: seed &* 7919)
            #expect(steps == [.reset] || steps == [.send("a"), .send("b"), .finish])
            if steps == [.reset] { resets += 1 }
        }
        #expect((60...140).contains(resets))
        #expect(run([FaultProxy.Fault.reset().inShare(0)], ["a"]) == [.send("a"), .finish])
    }

    @Test("the latency varies by the jitter around the requested value")
    func jitter() {
        var waits: Set<Duration> = []
        for seed in 0..<50 as Range<UInt64> {
            let steps = run([.latency(.seconds(2), jitter: .seconds(1))], ["a"], seed: seed &* 7919)
            guard case .wait(let wait)? = steps.first else { continue }
            waits.insert(wait)
        }
        #expect(waits.count > 40 && waits.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(3) })
    }
}

extension FaultPlan.Step {
    fileprivate static func send(_ text: String) -> FaultPlan.Step { .send(Bytes(text)) }
}
