import Sockeye
import SockeyeTesting
import Testing

/// The rate of throttled uploads, by the real clock.
@Suite("A throttled upload", .serialized, .timeLimit(.minutes(5)))
struct ThrottledUploadTests {
    @Test("keeps within 5 % of its rate over ten seconds", arguments: [1_000_000, 10_000_000, 100_000_000])
    func rate(rate: Int) async throws {
        try await withTestServer { request in
            .ok("\(try await request.body.discard())")
        } run: { server in
            var form = MultipartForm()
            form.stream(
                "s", Pieces(Array(repeating: RandomBytes.make(100_000), count: rate / 10_000)), length: rate * 10)
            form.throttle(bytesPerSecond: rate)
            var request = try Request(method: .post, url: server.url())
            try request.setBody(form)
            let sent = request
            let clock = ContinuousClock()
            let time = try await clock.measure { _ = try await HTTPClient().send(sent).text() }
            let seen = Double(request.body.length ?? 0) / (time / .seconds(1))
            print("throttled to \(rate) bytes/s: \(Int(seen)) bytes/s over \(time)")
            #expect(abs(seen / Double(rate) - 1) < 0.05)
        }
    }
}
