import Sockeye
import Testing

@Suite("Errors")
struct SockeyeErrorTests {
    @Test("the description names code, phase, request, blame and limit, and no secret")
    func description() throws {
        var fields = SockeyeError.Fields(.timeout, phase: .head, blame: .peer, message: "no response came in time")
        fields.limit = .init("timeouts.head", configured: Duration.seconds(5))
        fields.attempt = 2
        fields.request = RequestIdentity(method: "GET", url: try HTTPURL("https://ada:secret@example.com/x?y"))
        let text = SockeyeError(fields).description
        #expect(
            text == "timeout in head: no response came in time "
                + "(GET https://example.com/x?y, blame: peer, attempt 2, limit timeouts.head: 5.0 seconds)")
    }

    @Test("codes compare by their name")
    func codes() {
        #expect(SockeyeError.Code.timeout != .cancelled)
        #expect("\(SockeyeError.Code.limitExceeded)" == "limitExceeded")
    }
}
