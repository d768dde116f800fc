import Sockeye
import SockeyeEngine

/// A request and its response or error, as stored in a recording file.
package struct RecordedExchange: Sendable, Hashable {
    var request: Request
    /// Interim responses, in order.
    var interims: [Head] = []
    /// The final response; nil if no final response arrived.
    var response: Response?
    /// The reason why there was no response, or why its body was cut off.
    var failure: Failure?

    struct Request: Sendable, Hashable {
        var method: String
        /// An absolute URL.
        var url: String
        var headers = Headers()
        var body = Bytes()
        /// True if the length was unknown, so the body was sent in chunks.
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
        /// The lengths of the pieces in which the body arrived. Empty for a single piece, for more than 1000 pieces,
        /// and if the removal of secrets changed the body.
        var pieces: [Int] = []
        var trailers = Headers()
        /// True if the client decoded a content coding; then `body` contains the decoded bytes.
        var isDecoded = false
        /// True if reading was cancelled, or the recorder stopped reading, before the end of the body.
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

    /// The method and URL, such as `POST https://example.com/a?b=c`.
    var line: String { "\(method) \(url)" }

    var mediaType: InternetMediaType? { headers[.contentType].flatMap { InternetMediaType($0) } }
}

extension RecordedExchange.Response {
    /// The maximum number of pieces to store. A body with more pieces was probably split by the network and not by its
    /// sender.
    private static var pieceLimit: Int { 1000 }

    init(_ head: RecordedExchange.Head, _ content: ResponseTap.Content, isDecoded: Bool) {
        let pieces = content.pieces.count > 1 && content.pieces.count <= Self.pieceLimit ? content.pieces : []
        self.init(
            head: head, body: Bytes(content.body), pieces: pieces,
            trailers: content.trailers ?? [:],
            isDecoded: isDecoded, isCut: content.isCut)
    }
}
