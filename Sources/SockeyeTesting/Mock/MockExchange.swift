import Sockeye
import SockeyeEngine
import SockeyeNet

/// Turns a canned response into the client's.
enum MockExchange {
    static func response(_ response: TestServerResponse, to request: MockRequest) async throws -> IncomingResponse {
        let code = response.status.code
        let isBodyless = request.method == .head || code == 204 || code == 304
        var headers = response.headers
        let trailers = response.trailers.isEmpty ? nil : HTTPFields(response.trailers)
        let body: BodyContent
        switch response.content {
        case .failure(let error): throw error
        case .never: try await EpollPoller.waitForCancellation()
        case .bytes(let bytes):
            if code != 204, code != 304, trailers == nil { headers[.contentLength] = String(bytes.count) }
            let content = isBodyless ? Bytes() : bytes
            body = BodyContent(first: content, expectedLength: content.count, trailers: trailers)
        case .stream(let length, let makeSource):
            if let length { headers[.contentLength] = String(length) }
            let source = isBodyless ? nil : MockBody(trailers: trailers, makeSource)
            body = BodyContent(source: source, expectedLength: isBodyless ? 0 : length)
        }
        let status = response.status.reasonPhrase.isEmpty ? .known(code) : response.status
        return IncomingResponse(
            ResponseStorage(
                status: code, fields: HTTPFields(headers), reason: status.reasonPhrase,
                request: RequestIdentity(method: request.method.rawValue, url: request.url), body: body))
    }
}

/// The pieces of a canned response, as the client pulls them. An actor, since a sequence's iterator belongs to one task
/// at a time and cannot be sent.
private actor MockBody: BodySource {
    private let source: any PieceSource
    nonisolated let trailers: HTTPFields?

    init(trailers: HTTPFields?, _ makeSource: @Sendable () -> any PieceSource) {
        source = makeSource()
        self.trailers = trailers
    }

    func next() async throws(SockeyeError) -> Bytes? {
        do {
            while let piece = try await source.next() {
                if !piece.isEmpty { return piece }
            }
            return nil
        } catch let error as SockeyeError {
            throw error
        } catch {
            var fields = SockeyeError.Fields(
                .connectionClosed, phase: .body, blame: .peer, message: "the mock's body failed: \(error)")
            fields.underlying = error
            throw SockeyeError(fields)
        }
    }
}

extension HTTPFields {
    /// The form in which a client delivers fields; a name that is no token has none.
    fileprivate init(_ headers: Headers) {
        self.init()
        for (name, value) in headers {
            if let name = HTTPField.Name(name.description) { append(HTTPField(name: name, value: value)) }
        }
    }
}
