import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import Testing

@Suite("Errors")
struct SockeyeErrorTests {
    @Test("the description of an error names code, phase, request, blame and limit, and no secret")
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

    @Test(
        "the evidence of an error decodes its text by the charset of the response",
        arguments: [
            ("text/plain; charset=iso-8859-1", [0xE9], "é"), ("text/plain", [0xC3, 0xA9], "é"),
            ("text/plain; charset=unheard-of", [0xC3, 0xA9], "é"), ("", [0xC3], "\u{FFFD}"),
        ] as [(String, [UInt8], String)])
    func text(type: String, body: [UInt8], expected: String) {
        let fields: Headers = type.isEmpty ? [:] : [.contentType: type]
        #expect(SockeyeError.Evidence(status: .notFound, headers: fields, body: Bytes(body)).text == expected)
    }

    @Test("error codes compare by name")
    func codes() {
        #expect(SockeyeError.Code.timeout != .cancelled)
        #expect("\(SockeyeError.Code.limitExceeded)" == "limitExceeded")
    }
}
