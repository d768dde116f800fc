import Sockeye
import SockeyeEngine

/// A request and what came of it, as it is written to a file.
package struct RecordedExchange: Sendable, Hashable {
    var request: Request
    /// Interim responses, in order.
    var interims: [Head] = []
    /// Nil where there was none.
    var response: Response?
    /// Why there was no response, or why its body broke off.
    var failure: Failure?

    struct Request: Sendable, Hashable {
        var method: String
        /// Absolute.
        var url: String
        var headers = Headers()
        var body = Bytes()
        /// Whether the length was not known, so that the body went in chunks.
        var isChunked = false
        var trailers = Headers()
    }

    struct Head: Sendable, Hashable {
        var status: Int
        var reason = ""
        var minorVersion = 1
        var headers = Headers()
    }

    struct Response: Sendable, Hashable {
        var head: Head
        var body = Bytes()
        /// The lengths of the pieces that the body came in; empty for one piece.
        var pieces: [Int] = []
        var trailers = Headers()
        /// Whether a content coding was undone; the body is what came of it.
        var isDecoded = false
        /// Whether nobody read the body to its end, and the recorder gave up.
        var isCut = false
    }

    struct Failure: Sendable, Hashable {
        var code: String
        var phase: String
        var blame: String
        var message: String
    }
}

extension RecordedExchange.Failure {
    init(_ error: SockeyeError) {
        self.init(
            code: error.code.description, phase: error.phase.rawValue, blame: error.blame.rawValue,
            message: String(error.message.split(whereSeparator: \.isNewline).joined(separator: " ")))
    }

    func error(for request: RequestIdentity) -> SockeyeError {
        var fields = SockeyeError.Fields(
            SockeyeError.Code(code), phase: SockeyeError.Phase(rawValue: phase) ?? .head,
            blame: SockeyeError.Blame(rawValue: blame) ?? .network, message: message)
        fields.request = request
        return SockeyeError(fields)
    }
}

extension RecordedExchange.Head {
    init(_ response: IncomingResponse) {
        self.init(
            status: response.status.code, reason: response.reason, minorVersion: response.minorVersion,
            headers: response.headers)
    }

    init(_ interim: IncomingResponse.Interim) {
        let status = HTTPResponse.Status.known(interim.status.code)
        self.init(status: status.code, reason: status.reasonPhrase, headers: interim.headers)
    }
}

extension RecordedExchange.Request {
    init(_ request: MockRequest) {
        self.init(
            method: request.method.rawValue, url: request.url.description, headers: request.headers,
            body: request.body, isChunked: request.bodyLength == nil, trailers: request.trailers)
    }

    /// For example `POST https://example.com/a?b=c`.
    var line: String { "\(method) \(url)" }

    var mediaType: InternetMediaType? { headers[.contentType].flatMap { InternetMediaType($0) } }
}

extension RecordedExchange.Response {
    /// Beyond so many pieces they are those of the network and not of who sent them.
    private static var pieceLimit: Int { 1000 }

    init(_ head: RecordedExchange.Head, _ content: ResponseTap.Content, isDecoded: Bool) {
        let pieces = content.pieces.count > 1 && content.pieces.count <= Self.pieceLimit ? content.pieces : []
        self.init(
            head: head, body: Bytes(content.body), pieces: pieces,
            trailers: content.trailers ?? [:],
            isDecoded: isDecoded, isCut: content.isCut)
    }
}
