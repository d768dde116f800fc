import Sockeye
import SockeyeEngine
import Synchronization

/// The body of a recorded response, in its recorded pieces.
final class ReplayedSource: BodySource {
    private let pieces: Mutex<ArraySlice<Bytes>>
    private let failure: SockeyeError?
    let trailers: Headers?

    init(_ pieces: [Bytes], then failure: SockeyeError?, trailers: Headers?) {
        self.pieces = Mutex(pieces[...])
        self.failure = failure
        self.trailers = trailers
    }

    func next() async throws(SockeyeError) -> Bytes? {
        if let piece = pieces.withLock({ $0.popFirst() }) { return piece }
        if let failure { throw failure }
        return nil
    }
}

extension RecordedExchange {
    /// Passes the recorded interim responses to the request's `onInterim`. Then returns the recorded response or throws
    /// the recorded error. An error that ended the body is thrown after the recorded bytes of the body have been read.
    func outcome(for request: MockRequest) throws(SockeyeError) -> IncomingResponse {
        for interim in interims {
            request.options.onInterim?(
                IncomingResponse.Interim(
                    status: .init(code: interim.status, reasonPhrase: interim.reason),
                    headers: interim.headers))
        }
        guard let response else {
            throw failure?.error(for: request.identity)
                ?? .endOfRecording(request.identity, .head, "the recording has no response to this request")
        }
        let content = response.content(for: request, failure: failure)
        return IncomingResponse(
            ResponseStorage(
                status: response.head.status, fields: response.head.headers, reason: response.head.reason,
                request: request.identity, body: content.limited(by: request.options.bodyLimit, orClient: nil),
                isDecoded: response.isDecoded, minorVersion: response.head.minorVersion))
    }
}

extension RecordedExchange.Response {
    fileprivate func content(for request: MockRequest, failure: RecordedExchange.Failure?) -> BodyContent {
        let isBodyless = request.method == .head || head.status == 204 || head.status == 304
        let announced = isDecoded ? nil : head.headers[.contentLength].flatMap { Int($0) }
        let length = isBodyless ? 0 : announced
        let fields = trailers.isEmpty ? nil : trailers
        let end = SockeyeError.endOfRecording(
            request.identity, .body, "the recording ends before the end of this response body")
        let error = failure?.error(for: request.identity) ?? (isCut ? end : nil)
        guard error != nil || !pieces.isEmpty else {
            return BodyContent(first: body, expectedLength: length, trailers: fields)
        }
        return BodyContent(
            source: ReplayedSource(cut(), then: error, trailers: fields), expectedLength: length)
    }

    /// Splits the body into its recorded pieces. If the body was made longer in the recording file, the rest becomes
    /// one more piece.
    private func cut() -> [Bytes] {
        var result: [Bytes] = []
        var position = 0
        for count in pieces + [.max] where position < body.count {
            let end = position + min(count, body.count - position)
            result.append(body.slice(position..<end))
            position = end
        }
        return result
    }
}

extension SockeyeError {
    /// The error for a response, or the rest of a body, that the recording lacks.
    fileprivate static func endOfRecording(
        _ request: RequestIdentity, _ phase: Phase, _ message: String
    ) -> SockeyeError {
        var fields = Fields(.connectionClosed, phase: phase, blame: .caller, message: message)
        fields.request = request
        return SockeyeError(fields)
    }
}
