import Foundation
import SockeyeTestSupport
import Synchronization
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
        func complaint(after time: Duration, queued: Duration) -> String? {
            SoakOutcome(exchange, .success(nil), after: time, queued: queued).complaint
        }
        let allowed = complaint(after: latest, queued: .zero)
        #expect(complaint(after: latest + .seconds(2), queued: .seconds(2)) == allowed)
        #expect(complaint(after: latest + .seconds(2), queued: .seconds(1))?.contains("for a deadline of") == true)
    }

    @Test(
        "the time for which threads wait for a processor grows if there are more threads than processors",
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/schedstat"), "the kernel does not measure it"),
        .timeLimit(.minutes(1)))
    func queueingTime() async {
        final class Stop: Sendable { let flag = Atomic(false) }
        let (stop, before) = (Stop(), ProcessMeter.queueingTime)
        for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
            Thread { while !stop.flag.load(ordering: .relaxed) {} }.start()
        }
        await eventually("50 ms of waiting") { ProcessMeter.queueingTime - before > .milliseconds(50) }
        stop.flag.store(true, ordering: .relaxed)
    }
}
