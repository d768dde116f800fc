import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import Testing

/// Each story is a list of rows: a time in milliseconds, an event, and the machine's answer.
///
/// Answers: `a1` starts an attempt on that address, `for 0` gives up attempt 0 to make room, and `@250` requests a
/// wake-up at that time. `won 0 (1 2)` means that attempt 0 won and attempts 1 and 2 must be closed. `failed` means
/// that all attempts failed. `-` is no answer.
@Suite struct HappyEyeballsMachineTests {
    enum Event: Sendable {
        case begin(String)
        case arrived(String)
        case resolved
        case failed(Int)
        case succeeded(Int)
        case time
    }

    struct Story: Sendable, CustomTestStringConvertible {
        let name: String
        let events: [(Int, Event, String)]
        var testDescription: String { name }

        init(_ name: String, _ events: [(Int, Event, String)]) {
            self.name = name
            self.events = events
        }
    }

    static let stories: [Story] = [
        Story("one address succeeds", [(0, .begin("a1"), "a1"), (9, .succeeded(0), "won 0 ()")]),
        Story("one address fails", [(0, .begin("a1"), "a1"), (9, .failed(0), "failed")]),
        Story("no address", [(0, .begin(""), "failed")]),
        Story(
            "families take turns, beginning with the first address's",
            [
                (0, .begin("a1 a2 a3 b1 b2"), "a1 @250"), (250, .time, "b1 @500"), (500, .time, "a2 @750"),
                (750, .time, "b2 @1000"), (1000, .time, "a3"), (9000, .time, "-"),
            ]),
        Story(
            "IPv4 first when the resolver says so",
            [(0, .begin("b1 a1 b2"), "b1 @250"), (250, .time, "a1 @500"), (500, .time, "b2")]),
        Story(
            "one family only",
            [(0, .begin("b1 b2 b3"), "b1 @250"), (250, .time, "b2 @500"), (500, .time, "b3")]),
        Story(
            "a wake-up that is too early changes nothing",
            [(0, .begin("a1 b1"), "a1 @250"), (249, .time, "@250"), (250, .time, "b1")]),
        Story(
            "a failure starts the next at once, and its delay counts from then",
            [
                (0, .begin("a1 b1 a2"), "a1 @250"), (10, .failed(0), "b1 @260"), (250, .time, "@260"),
                (260, .time, "a2"),
            ]),
        Story(
            "a failure of an older attempt starts the next too",
            [
                (0, .begin("a1 b1 a2"), "a1 @250"), (250, .time, "b1 @500"), (300, .failed(0), "a2"),
                (301, .failed(2), "-"),
            ]),
        Story(
            "all fail, the last one late",
            [
                (0, .begin("a1 b1"), "a1 @250"), (250, .time, "b1"), (300, .failed(1), "-"),
                (400, .failed(0), "failed"),
                (500, .succeeded(0), "-"), (600, .time, "-"),
            ]),
        Story(
            "the first success wins and cancels the others",
            [
                (0, .begin("a1 b1 a2 b2"), "a1 @250"), (250, .time, "b1 @500"), (500, .time, "a2 @750"),
                (510, .succeeded(1), "won 1 (0 2)"), (511, .succeeded(0), "-"), (512, .failed(2), "-"),
                (750, .time, "-"),
            ]),
        Story(
            "an unknown attempt's end is ignored",
            [(0, .begin("a1"), "a1"), (1, .failed(7), "-"), (2, .succeeded(7), "-"), (3, .succeeded(0), "won 0 ()")]),
        Story(
            "IPv4 answers wait 50 ms for IPv6 ones, which then go first",
            [
                (0, .arrived("b1 b2"), "@50"), (49, .time, "@50"), (49, .arrived("a1"), "a1 @299"),
                (299, .time, "b1 @549"),
                (300, .resolved, "@549"),
            ]),
        Story(
            "IPv4 starts when the 50 ms are over",
            [(0, .arrived("b1"), "@50"), (50, .time, "b1"), (60, .resolved, "-")]),
        Story("IPv4 starts when no IPv6 will come", [(0, .arrived("b1 b2"), "@50"), (20, .resolved, "b1 @270")]),
        Story(
            "more IPv4 answers do not prolong the delay",
            [(0, .arrived("b1"), "@50"), (40, .arrived("b2"), "@50"), (50, .time, "b1 @300")]),
        Story(
            "an empty answer starts no delay",
            [(0, .arrived(""), "-"), (30, .arrived("b1"), "@80"), (31, .resolved, "b1")]),
        Story(
            "IPv6 answers start at once", [(0, .arrived("a1"), "a1"), (9, .arrived("b1"), "@250"), (250, .time, "b1")]),
        Story(
            "late addresses start at once when nothing is under way",
            [
                (0, .arrived("a1"), "a1"), (5, .failed(0), "-"), (30, .arrived("b1"), "b1"), (31, .resolved, "-"),
                (32, .failed(1), "failed"),
            ]),
        Story(
            "late addresses start at once when the delay is long over",
            [(0, .arrived("a1"), "a1"), (400, .arrived("b1"), "b1")]),
        Story(
            "late IPv6 addresses come next",
            [
                (0, .arrived("b1 b2"), "@50"), (50, .time, "b1 @300"), (60, .arrived("a1"), "@300"),
                (300, .time, "a1 @550"),
            ]),
        Story(
            "six attempts run at a time, and the seventh replaces the first",
            [
                (0, .begin("b1 b2 b3 b4 b5 b6 b7 b8"), "b1 @250"), (250, .time, "b2 @500"), (500, .time, "b3 @750"),
                (750, .time, "b4 @1000"), (1000, .time, "b5 @1250"), (1250, .time, "b6 @1500"),
                (1500, .time, "b7 for 0 @1750"), (1501, .failed(0), "@1750"), (1750, .time, "b8 for 1"),
                (9000, .time, "-"), (9001, .succeeded(2), "won 2 (3 4 5 6 7)"),
            ]),
        Story(
            "an attempt that connects when it is given up wins",
            [
                (0, .begin("b1 b2 b3 b4 b5 b6 b7"), "b1 @250"), (250, .time, "b2 @500"), (500, .time, "b3 @750"),
                (750, .time, "b4 @1000"), (1000, .time, "b5 @1250"), (1250, .time, "b6 @1500"),
                (1500, .time, "b7 for 0"), (1501, .succeeded(0), "won 0 (1 2 3 4 5 6)"),
            ]),
        Story(
            "no attempt is given up before six delays have passed",
            [
                (0, .begin("b1 b2 b3 b4 b5 b6 b7 b8"), "b1 @250"), (250, .time, "b2 @500"), (500, .time, "b3 @750"),
                (750, .time, "b4 @1000"), (1000, .time, "b5 @1250"), (1250, .time, "b6 @1500"),
                (1260, .failed(0), "b7 @1510"), (1510, .time, "@1750"), (1750, .time, "b8 for 1"),
            ]),
        Story(
            "failure of all that is known waits for the resolver",
            [(0, .arrived("a1"), "a1"), (1, .failed(0), "-"), (2, .resolved, "failed")]),
    ]

    @Test("the machine follows RFC 8305", arguments: stories)
    func story(story: Story) {
        var machine = HappyEyeballsMachine()
        for (time, event, expected) in story.events {
            let now = MonotonicTime(nanoseconds: Int64(time) * 1_000_000)
            let step =
                switch event {
                case .begin(let names): machine.begin(with: Self.addresses(names), at: now)
                case .arrived(let names): machine.addressesArrived(Self.addresses(names), at: now)
                case .resolved: machine.resolutionEnded(at: now)
                case .failed(let id): machine.attemptFailed(id, at: now)
                case .succeeded(let id): machine.attemptSucceeded(id)
                case .time: machine.timePassed(at: now)
                }
            #expect(Self.describe(step) == expected, "at \(time) ms")
        }
    }

    @Test("the machine tries every address exactly once, in any order of events", arguments: 0..<50 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var state = seed
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let addresses = (0..<random(12)).map { address(random(2) == 0 ? "2001:db8::\($0 + 1)" : "192.0.2.\($0 + 1)") }
        var machine = HappyEyeballsMachine()
        var now = MonotonicTime(nanoseconds: 0)
        var running: [Int] = []
        var tried: [EndpointAddress] = []
        var step = machine.begin(with: addresses, at: now)
        while true {
            if let id = step.giveUp { running.removeAll { $0 == id } }
            if let attempt = step.start {
                #expect(attempt.id == tried.count && running.count < HappyEyeballsMachine.mostAttempts)
                running.append(attempt.id)
                tried.append(attempt.address)
            }
            guard step.verdict == .undecided else { break }
            now = now.advanced(by: .milliseconds(random(300)))
            step =
                random(2) == 0 || running.isEmpty
                ? machine.timePassed(at: now)
                : machine.attemptFailed(running.remove(at: random(running.count)), at: now)
        }
        #expect(step.verdict == .failed)
        #expect(running.isEmpty)
        #expect(Set(tried) == Set(addresses) && tried.count == addresses.count)
        #expect(tried.first == addresses.first)
        for family in [EndpointAddress.Family.ipv4, .ipv6] {
            #expect(tried.filter { $0.family == family } == addresses.filter { $0.family == family })
        }
    }

    private static func addresses(_ names: String) -> [EndpointAddress] {
        names.split(separator: " ").map { name in
            address(name.first == "a" ? "2001:db8::\(name.dropFirst())" : "192.0.2.\(name.dropFirst())")
        }
    }

    private static func describe(_ step: HappyEyeballsMachine.Step) -> String {
        var words: [String] = []
        if let attempt = step.start {
            let text = "\(attempt.address)"
            let isIPv6 = attempt.address.family == .ipv6
            words.append((isIPv6 ? "a" : "b") + text.split(separator: isIPv6 ? "]" : ":")[0].suffix(1))
        }
        if let id = step.giveUp { words.append("for \(id)") }
        if let time = step.wakeAt { words.append("@\(time.nanoseconds / 1_000_000)") }
        switch step.verdict {
        case .undecided: break
        case .won(let id, let others): words.append("won \(id) (\(others.map { "\($0)" }.joined(separator: " ")))")
        case .failed: words.append("failed")
        }
        return words.isEmpty ? "-" : words.joined(separator: " ")
    }
}
