import Sockeye
import SockeyeCore
import SockeyeHTTP

/// A transport that answers every request with the same JSON, as if it had just been read from a connection.
struct SampleTransport: HTTPTransport {
    private let head: Bytes
    private let summary: ResponseHeadSummary
    private let body: Bytes

    init(json: [UInt8]) {
        let fields = "Content-Type: application/json; charset=utf-8\r\nContent-Length: \(json.count)"
        let head = Array("HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\n\(fields)\r\nConnection: keep-alive\r\n\r\n".utf8)
        var parser = ResponseHeadParser()
        guard let summary = try? parser.parse(head.span) else { fatalError("a sample that is no head") }
        self.head = Bytes(head)
        self.summary = summary
        body = Bytes(json)
    }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        IncomingResponse(
            ResponseStorage(
                head: ResponseHead(bytes: head, summary: summary), hidesCoding: false,
                request: RequestIdentity(method: request.method.rawValue, url: request.url),
                started: MonotonicTime(nanoseconds: 0), body: BodyContent(first: body, expectedLength: body.count)))
    }
}
