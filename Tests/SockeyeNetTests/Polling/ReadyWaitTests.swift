import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import Testing

@Suite("Waits for descriptors that are ready at once", .timeLimit(.minutes(1))) struct ReadyWaitTests {
    @Test("after a few waits in a row that are ready at once, other tasks of the thread run")
    func turns() async throws {
        let poller = try EventPoller()
        let point = try poller.makeWaitPoint(descriptor: nil)
        defer { point.close() }
        let (most, outcome) = try await SharedThread.cancel(on: poller) { count in
            for _ in 0..<10_000 {
                point.offer(.read, to: .reader)
                try await point.wait(for: .read, as: .reader, until: .distantFuture).check()
                count(1)
            }
        }
        #expect(most <= 10)
        #expect(throws: TransportError.cancelled) { try outcome.get() }
    }
}
