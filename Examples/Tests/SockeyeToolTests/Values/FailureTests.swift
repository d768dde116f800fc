import Sockeye
import Testing

@testable import SockeyeToolKit

@Suite("Failures")
struct FailureTests {
    private static func facts(
        _ code: SockeyeError.Code, _ phase: SockeyeError.Phase = .head, _ asked: String? = nil,
        tls: TLSError.Reason? = nil, limit: String? = nil, status: Int? = nil
    ) -> FailureFacts {
        var facts = FailureFacts(code, in: phase, asked: asked)
        facts.tlsReason = tls
        facts.limit = limit
        facts.status = status
        return facts
    }

    @Test(
        arguments: [
            (facts(.invalidURL), 3), (facts(.resolutionFailed), 6), (facts(.connectFailed), 7),
            (facts(.malformedResponse), 8), (facts(.connectionClosed, .body), 18),
            (facts(.connectionClosed, .head), 52),
            (facts(.unacceptableStatus), 22), (facts(.diskFull), 23), (facts(.bodyFailed), 26), (facts(.timeout), 28),
            (facts(.tlsFailed, tls: .notTLS), 35), (facts(.tlsFailed), 35), (facts(.tlsFailed, tls: .selfSigned), 60),
            (facts(.tlsFailed, tls: .certificateExpired), 60), (facts(.tlsFailed, tls: .pinMismatch), 90),
            (facts(.badConfiguration), 2), (facts(.badConfiguration, tls: .badConfiguration), 58),
            (facts(.limitExceeded, limit: "maximumCount"), 47), (facts(.limitExceeded, limit: "headSize"), 63),
            (facts(.redirectLoop), 47), (facts(.badContentCoding), 61), (facts(.insecureCredentials), 94),
            (facts(.proxyFailed), 97), (facts(.checksumMismatch), 110), (facts(.cancelled), 130), (facts(.shutDown), 1),
        ] as [(FailureFacts, Int32)])
    func `each kind of error has its exit status`(facts: FailureFacts, status: Int32) {
        #expect(ExitStatus(facts).code == status)
    }

    @Test
    func `exit statuses are distinct and in ascending order`() {
        let codes = ExitStatus.all.map(\.code)
        #expect(codes == codes.sorted() && Set(codes).count == codes.count)
    }

    @Test(arguments: [
        ("example.com", "https://example.com"), ("example.com/a?b=c", "https://example.com/a?b=c"),
        ("localhost:8080/x", "http://localhost:8080/x"), ("localhost", "http://localhost"),
        ("127.0.0.1:80", "http://127.0.0.1:80"), ("192.0.2.1", "https://192.0.2.1"), ("host:8443", "https://host:8443"),
        (":8080/x", "http://localhost:8080/x"), ("//example.com/", "https://example.com/"),
        ("htps://example.com", "https://example.com"), ("htt://example.com", "http://example.com"),
        ("https:/example.com", "https://example.com"), ("https:///example.com", "https://example.com"),
        ("https//example.com", "https://example.com"), ("HTTPX://example.com", "https://example.com"),
        ("ftp://example.com", nil), ("mailto:a@example.com", nil), ("word", nil), ("", nil), ("--flag", nil),
        ("https://example.com", nil), ("/path", nil),
    ])
    func `a hint suggests the URL that a mistyped one resembles`(text: String, meant: String?) {
        #expect(Hint.suggestion(for: text) == meant)
    }

    @Test(arguments: [
        (facts(.invalidURL, .prepare, "example.com"), "did you mean https://example.com?"),
        (facts(.invalidURL, .prepare, #"{"a":1}"#), "--json"),
        (facts(.invalidURL, .prepare, "http://a b/"), "%20"),
        (facts(.tlsFailed, .tls, "https://h:8080/x", tls: .notTLS), "did you mean http://h:8080/x?"),
        (facts(.tlsFailed, .tls, tls: .untrustedRoot), "--cacert"), (facts(.tlsFailed, .tls, tls: .alert), "--cert"),
        (facts(.tlsFailed, .tls, "https://h/", tls: .hostNameMismatch), "than h"),
        (facts(.malformedResponse, .head, "http://h:8443/x"), "did you mean https://h:8443/x?"),
        (facts(.connectFailed, .connect, "http://localhost/"), "http://localhost:8080/"),
        (facts(.connectFailed, .connect, "http://127.0.0.1:81/"), "listening at port 81"),
        (facts(.resolutionFailed, .resolve, "http://nope.invalid/"), "nope.invalid"),
        (facts(.timeout, .head, limit: "timeouts.total"), "--max-time"),
        (facts(.timeout, .connect), "--connect-timeout"), (facts(.timeout, .tls, "https://h/"), "http://h/?"),
        (facts(.limitExceeded, limit: "maximumCount"), "--max-redirs"),
        (facts(.insecureCredentials, .prepare, "http://h/"), "did you mean https://h/?"),
        (facts(.unacceptableStatus, status: 401), "--user"), (facts(.proxyFailed), "--no-proxy"),
    ])
    func `a failure has a hint how to resolve it`(facts: FailureFacts, part: String) {
        #expect(Hint.text(facts)?.contains(part) == true, "\(Hint.text(facts) ?? "nothing")")
    }

    @Test
    func `a failure without a remedy has no hint`() {
        for code in [SockeyeError.Code.checksumMismatch, .shutDown, .badContentCoding, .diskFull] {
            #expect(Hint.text(Self.facts(code)) == nil)
        }
        #expect(Hint.text(Self.facts(.malformedResponse, .head, "https://h/")) == nil)
    }

    @Test(
        arguments: [
            facts(.invalidURL, .prepare, "htps://me:PASSWORD@h.example/?a=1&token=TOKEN"),
            facts(.tlsFailed, .tls, "https://me:PASSWORD@h:8080/x?token=TOKEN", tls: .notTLS),
            facts(.timeout, .tls, "https://me:PASSWORD@h/?token=TOKEN"),
            facts(.malformedResponse, .head, "http://me:PASSWORD@h/?token=TOKEN"),
            facts(.unacceptableStatus, .head, "http://me:PASSWORD@h/?token=TOKEN", status: 404),
        ])
    func `a report has no secrets of the URL`(facts: FailureFacts) {
        let report = FailureReport(facts)
        let text = report.lines().joined() + report.json.description
        #expect(text.contains("token=***") && !text.contains("PASSWORD") && !text.contains("TOKEN"), "\(text)")
    }

    @Test
    func `a report has the message, the code and the hint`() {
        var facts = Self.facts(.connectFailed, .connect, "http://user:secret@h:81/")
        facts.message = "connect: connection refused"
        let report = FailureReport(facts)
        #expect(
            report.lines() == [
                "sockeye: (7) connect: connection refused [connectFailed in connect]",
                "hint: is a server listening at port 81 of h?",
            ])
        let json = report.json["error"]
        #expect(json?["code"] == "connectFailed" && json?["exitStatus"] == 7 && json?["phase"] == "connect")
        #expect(json?["url"] == "http://h:81/")
        #expect(!report.json.description.contains("secret"))
        facts.message = "\u{9B}2J\u{1B}[2J"
        #expect(FailureReport(facts).lines()[0].contains("(7) \\u009b2J\\u001b[2J ["))
    }
}
