import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import Testing

@testable import SockeyeEngine

/// RFC 9112 9.3.1 and RFC 9110 9.2.2, case by case.
@Suite("Replay after the loss of a connection")
struct StaleConnectionReplayTests {
    private static let loss = ExchangeFailure(error, isBeforeResponse: true, isConnectionLoss: true)
    private static let unsent = ExchangeFailure(error, isBeforeResponse: true, isConnectionLoss: true, isUnsent: true)
    private static let midway = ExchangeFailure(error, isBeforeResponse: false, isConnectionLoss: true)
    private static let deadline = ExchangeFailure(error, isBeforeResponse: true, isConnectionLoss: false)
    private static let error = SockeyeError(.init(.connectionClosed, phase: .head, blame: .peer, message: ""))

    private static var unread: OutgoingRequest.Body { .stream(AsyncStream<Bytes> { $0.finish() }) }
    private static var begun: OutgoingRequest.Body {
        let body = unread
        try? body.oneShotClaim?.begin()
        return body
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = HTTPRequest.Method.get
        var body = OutgoingRequest.Body.none
        var headers: Headers = [:]
        var failure = StaleConnectionReplayTests.loss
        var isReused = true
        var replays = 0
        var isIdempotent: Bool?
        let replayed: Bool
    }

    static let rows = [
        Row(testDescription: "GET on a reused connection without an answer", replayed: true),
        Row(testDescription: "the same on a fresh connection", isReused: false, replayed: false),
        Row(testDescription: "the same after response bytes", failure: midway, replayed: false),
        Row(testDescription: "the same past a deadline", failure: deadline, replayed: false),
        Row(testDescription: "PUT with a body in memory", method: .put, body: "x", replayed: true),
        Row(
            testDescription: "PUT with a one-shot body that was read in part", method: .put, body: begun,
            replayed: false),
        Row(testDescription: "PUT with a one-shot body that is unread", method: .put, body: unread, replayed: true),
        Row(testDescription: "POST with such a body", method: .post, body: unread, replayed: false),
        Row(
            testDescription: "POST with such a body and nothing sent", method: .post, body: unread, failure: unsent,
            replayed: true
        ),
        Row(testDescription: "QUERY", method: .init("QUERY")!, body: "x", replayed: true),
        Row(testDescription: "PROPFIND", method: .init("PROPFIND")!, replayed: true),
        Row(testDescription: "REPORT", method: .init("REPORT")!, body: "x", replayed: true),
        Row(testDescription: "SEARCH", method: .init("SEARCH")!, body: "x", replayed: true),
        Row(testDescription: "MKCOL", method: .init("MKCOL")!, replayed: true),
        Row(testDescription: "LOCK", method: .init("LOCK")!, body: "x", replayed: false),
        Row(testDescription: "an unknown method", method: .init("query")!, body: "x", replayed: false),
        Row(testDescription: "POST", method: .post, body: "x", replayed: false),
        Row(
            testDescription: "POST of which nothing was sent", method: .post, body: "x", failure: unsent, replayed: true
        ),
        Row(
            testDescription: "POST with an Idempotency-Key", method: .post, headers: ["idempotency-key": "1"],
            replayed: true),
        Row(
            testDescription: "POST that the caller declares idempotent", method: .post, isIdempotent: true,
            replayed: true),
        Row(testDescription: "GET that the caller declares not idempotent", isIdempotent: false, replayed: false),
        Row(testDescription: "the sixth dead connection in a row", replays: 5, replayed: false),
    ]

    @Test("a request is repeated only if that is safe", arguments: rows)
    func replays(row: Row) throws {
        var options = OutgoingRequest.Options()
        options.isIdempotent = row.isIdempotent
        let request = try OutgoingRequest(
            method: row.method, url: "http://example.com/", headers: row.headers, body: row.body, options: options)
        let mayReplay = StaleConnectionReplay.mayReplay(
            request, after: row.failure, isReused: row.isReused, replays: row.replays)
        #expect(mayReplay == row.replayed)
    }
}
