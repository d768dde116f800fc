import Sockeye
import SockeyeTestSupport
import SockeyeTesting

extension EndlessStream {
    /// Demands that a request with a deadline of three seconds succeeds beside the streams, and that the streams can be
    /// cancelled.
    static func demandOthersToRun(beside streams: [EndlessStream]) async throws {
        let honest = try await TestServer.start(handler: { _ in .ok("ok") })
        let client = HTTPClient()
        var timeouts = Timeouts()
        timeouts.total = .seconds(3)
        let options = OutgoingRequest.Options.timeouts(timeouts)
        try await demandOthersToRun(beside: streams) {
            let text = try await client.get(honest.url(), options: options).text()
            try demand(text == "ok", "ok, not \(text)")
        }
        await honest.stop()
    }
}
