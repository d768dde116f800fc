import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

extension EndlessStream {
    /// Checks that a request with a deadline of a second succeeds beside the streams, and that they can be cancelled.
    static func expectOthersToRun(
        beside streams: [EndlessStream], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        guard let honest = try? await TestServer.start(handler: { _ in .ok("ok") }) else { return }
        let client = HTTPClient()
        var timeouts = Timeouts()
        timeouts.total = .seconds(1)
        let options = OutgoingRequest.Options.timeouts(timeouts)
        await expectOthersToRun(beside: streams, sourceLocation: sourceLocation) {
            let text = try await client.get(honest.url(), options: options).text()
            #expect(text == "ok", sourceLocation: sourceLocation)
        }
        await honest.stop()
    }
}
