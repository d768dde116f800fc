import Foundation
import SockeyeTestSupport
import Testing

@testable import SockeyeSoak

@Suite("Phases of the soak test's failures")
struct SoakPhaseTests {
    @Test(
        "the soak test expects each failing peer to fail in the right phase",
        arguments: [
            ("cut in the status line", .head), ("cut in the head", .head), ("cut in an interim answer", .head),
            ("silence in the head", .head), ("silence after an interim answer", .head), ("reset in the head", .head),
            ("chunked twice", .head), ("HTTP/1.0 chunked", .head), ("endless fields", .head),
            ("cut after the head", .body), ("cut in the body", .body), ("cut in a chunk", .body),
            ("cut in the trailers", .body), ("silence in the chunks", .body), ("chunk size negative", .body),
            ("gzip damaged", .body), ("endless bytes", .body),
        ] as [(String, Behaviour.Phase)])
    func phase(name: String, phase: Behaviour.Phase) throws {
        let behaviour = try #require(Behaviours.all.first { $0.name == name })
        #expect(behaviour.expected == .failure && behaviour.phase == phase)
    }

    @Test("an exchange of the soak test may be late by the time for which other processes used the processors")
    func late() throws {
        let exchange = try #require((0..<100).lazy.map { SoakExchange($0, seed: 1) }.first { $0.ending == .dropped })
        let latest: Duration = exchange.behaviour.deadline + SoakRun.slack
        func complaint(after time: Duration, ofOthers: Duration) -> String? {
            SoakOutcome(exchange, .success(nil), after: time, ofOthers: ofOthers).complaint
        }
        let allowed = complaint(after: latest, ofOthers: .zero)
        #expect(complaint(after: latest + .seconds(2), ofOthers: .seconds(2)) == allowed)
        #expect(complaint(after: latest + .seconds(2), ofOthers: .seconds(1))?.contains("for a deadline of") == true)
    }

    @Test("the time of other processes excludes that of this one and idle time, and is shared by all processors")
    func timeOfOthers() {
        let words = "cpu 100 20 30 9000 800 4 5 41 0 0".split(separator: " ")
        let time = ProcessMeter.timeOfOthers(in: words, own: 0.5, ticksPerSecond: 100, processors: 2)
        #expect(time == .milliseconds(750))
        #expect(ProcessMeter.timeOfOthers(in: [], own: 0.5, ticksPerSecond: 100, processors: 2) == .zero)
    }

    @Test("the time of other processes grows with their work", .timeLimit(.minutes(1)))
    func growth() async throws {
        let (other, before) = (Process(), ProcessMeter.timeOfOthers)
        other.executableURL = URL(filePath: "/bin/sh")
        other.arguments = ["-c", "while :; do :; done"]
        try other.run()
        // SIGKILL, because children inherit a blocked SIGTERM.
        defer {
            kill(other.processIdentifier, SIGKILL)
            other.waitUntilExit()
        }
        await eventually("50 ms of another process") { ProcessMeter.timeOfOthers - before > .milliseconds(50) }
    }
}
