import Sockeye
import SockeyeTesting
import Testing

/// The rate of throttled uploads, measured by the real clock in a process that does nothing else.
@Suite("A throttled upload", .serialized, .timeLimit(.minutes(5)))
struct ThrottledUploadTests {
    @Test(
        "a throttled upload stays within 5 % of its rate over ten seconds",
        arguments: [1_000_000, 10_000_000, 100_000_000])
    func rate(rate: Int) async throws {
        try await withTestServer { request in
            try await request.body.discard()
            return .ok()
        } run: { server in
            let report = try await TransferProbe.run([
                "throttled", server.url("/body"), String(rate * 10), server.url("/small"), String(rate),
            ])
            let seen = Double(report.bytes) / report.seconds
            print("throttled to \(rate) bytes/s: \(Int(seen)) bytes/s")
            #expect(abs(seen / Double(rate) - 1) < 0.05)
        }
    }
}
