import Sockeye
import SockeyeTesting
import Testing

/// The rate of throttled uploads, measured by the real clock in processes that do nothing else.
@Suite("A throttled upload", .serialized, .timeLimit(.minutes(5)))
struct ThrottledUploadTests {
    /// The uploads of the three rates run at the same time, each in its own process. The lower bound is that of
    /// `ThrottleTests`, by a manual clock: a busy machine stops a process for seconds.
    @Test("a throttled upload of ten seconds is complete and at most 5 % faster than its rate")
    func rates() async throws {
        try await withTestServer { request in
            try await request.body.discard()
            return .ok()
        } run: { server in
            try await withThrowingTaskGroup { group in
                for rate in [1_000_000, 10_000_000, 100_000_000] {
                    group.addTask { try await Self.upload(at: rate, to: server) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func upload(at rate: Int, to server: TestServer) async throws {
        let report = try await TransferProbe.run([
            "throttled", server.url("/body"), String(rate * 10), server.url("/small"), String(rate),
        ])
        let seen = Double(report.bytes) / report.seconds
        print("throttled to \(rate) bytes/s: \(Int(seen)) bytes/s")
        #expect(report.bytes == rate * 10 && seen < 1.05 * Double(rate), "\(rate) bytes/s")
    }
}
