public import HTTPTypes
public import SockeyeCore
public import SockeyeHTTP
import SockeyeNet
import Synchronization

/// Answers one request step by step: interim responses, head, body and trailers, or a deliberately broken response.
///
/// A handler that takes a responder must end the exchange: with ``finish(trailers:)`` or ``send(_:)``, with ``close()``
/// or ``reset()``, or by taking over the connection. One task writes at a time; another may read the request body
/// meanwhile.
///
/// Every throwing method throws ``TestServerError``: `disconnected` if the client has disconnected, `misuse` if the
/// call is not allowed after the previous calls. If the server stops, the method throws `CancellationError`.
public final class TestResponder: Sendable {
    enum Phase: Equatable {
        /// No final response has begun.
        case fresh
        /// The head was sent.
        case body(SentResponseHead.Framing)
        case finished
        /// The connection was closed, reset or handed over, or raw bytes were sent on it.
        case left
    }

    struct State {
        var phase = Phase.fresh
        var keepsAlive: Bool
    }

    let connection: TestConnection
    let request: ReceivedRequestHead
    let content: RequestContent
    private let clock: ManualClock?
    private let state: Mutex<State>

    init(
        _ request: ReceivedRequestHead, _ content: RequestContent, on connection: TestConnection, keepsAlive: Bool,
        clock: ManualClock?
    ) {
        self.clock = clock
        self.request = request
        self.content = content
        self.connection = connection
        state = Mutex(State(keepsAlive: keepsAlive))
    }

    var outcome: (phase: Phase, keepsAlive: Bool) { state.withLock { ($0.phase, $0.keepsAlive) } }

    // MARK: Responses

    /// Sends a complete response after its delay and its interim responses. If the response is a failure, this
    /// method breaks the connection off or throws instead; see ``TestServerResponse/failure(_:)`` and
    /// ``TestServerResponse/cut(after:by:)``.
    public func send(_ response: TestServerResponse) async throws {
        try await Delay(clock: clock).sleep(for: response.delay)
        for interim in response.interims { try await sendInterim(interim.status, headers: interim.headers) }
        if let cut = response.cut { return try await send(response, upTo: cut.count, then: cut.failure) }
        switch response.content {
        case .never: try await breakOff(.silence)
        case .broken(let failure): try await breakOff(failure)
        case .failure(let error): throw error
        case .bytes(let bytes): try await send(response, bytes)
        case .stream(let length, let makeSource):
            let head = try start(response, length: length)
            try await transmit { head.append(to: &$0) }
            if head.framing != .none {
                let source = makeSource()
                while let piece = try await source.next() { try await write(piece) }
            }
            try await finish(trailers: response.trailers)
        }
    }

    private func send(_ response: TestServerResponse, _ bytes: Bytes) async throws {
        let head = try start(response, length: bytes.count)
        let body = head.framing == .none ? Bytes() : bytes
        if response.trailers.isEmpty {
            try await transmit(body) { head.append(to: &$0) }
            state.withLock { $0.phase = .finished }
        } else {
            try await transmit { head.append(to: &$0) }
            try await write(body)
            try await finish(trailers: response.trailers)
        }
    }

    /// Sends a response up to `limit` bytes of its body. Then closes or resets the connection, or sends nothing more
    /// until the client disconnects, as `failure` says.
    private func send(
        _ response: TestServerResponse, upTo limit: Int, then failure: TestServerResponse.Failure
    ) async throws {
        let (length, source) = try response.pieces()
        let head = try start(response, length: length)
        try await transmit { head.append(to: &$0) }
        var left = head.framing == .none ? 0 : limit
        while left > 0, let piece = try await source.next() {
            try await write(piece.slice(0..<min(left, piece.count)))
            left -= min(left, piece.count)
        }
        try await breakOff(failure)
    }

    private func breakOff(_ failure: TestServerResponse.Failure) async throws {
        switch failure.manner {
        case .close: close()
        case .reset: reset()
        case .silence:
            try await waitForDisconnect()
            close()
        }
    }

    /// Sends an interim response, such as 103 (Early Hints). May be repeated.
    public func sendInterim(_ status: HTTPResponse.Status, headers: Headers = [:]) async throws {
        guard status.code >= 100, status.code < 200, outcome.phase == .fresh else {
            throw TestServerError(
                .misuse, "\(status.code) is not an interim status, or the final response was already sent")
        }
        if status.code == 100 { content.continueSent() }
        let head = SentResponseHead(status, headers, length: nil, hasTrailers: false, to: request, keepsAlive: true)
        try await transmit { head.append(to: &$0) }
    }

    /// Sends the head now. Send the body with ``write(_:)-(Bytes)`` and end it with ``finish(trailers:)``.
    ///
    /// - Parameters:
    ///   - status: The status. Default 200.
    ///   - headers: The fields, without framing fields.
    ///   - length: The number of bytes that will be written. If nil, the default, the body is sent in chunks. To an
    ///     HTTP/1.0 client it is sent without chunks, and the end of the connection ends the body.
    public func sendHead(
        _ status: HTTPResponse.Status = .ok, headers: Headers = [:], length: Int? = nil
    ) async throws {
        let head = try start(TestServerResponse(status: status, headers: headers), length: length)
        try await transmit { head.append(to: &$0) }
    }

    /// Sends a piece of the body now. Sends nothing if the piece is empty, or if the response has no body, such as a
    /// response to HEAD.
    public func write(_ bytes: Bytes) async throws {
        let framing = try state.withLock { state throws(TestServerError) in
            guard case .body(let framing) = state.phase else {
                throw TestServerError(.misuse, "body bytes before the head or after the end")
            }
            guard case .length(let remaining) = framing else { return framing }
            guard bytes.count <= remaining else {
                throw TestServerError(
                    .misuse, "the body exceeds its announced length by \(bytes.count - remaining) bytes")
            }
            state.phase = .body(.length(remaining: remaining - bytes.count))
            return framing
        }
        guard !bytes.isEmpty, framing != .none else { return }
        if framing == .chunked {
            try await transmit(bytes, tail: Self.lineEnd) { $0.append(chunkOf: bytes.count) }
        } else {
            try await transmit(bytes)
        }
    }

    /// Sends a piece of the body as UTF-8 text.
    public func write(_ text: String) async throws {
        try await write(Bytes(text))
    }

    /// Ends the body. Trailers are sent only if the body is chunked.
    public func finish(trailers: Headers = [:]) async throws {
        let framing = try state.withLock { state throws(TestServerError) in
            guard case .body(let framing) = state.phase else {
                throw TestServerError(.misuse, "finish() was called before the head was sent, or twice")
            }
            if case .length(let remaining) = framing, remaining > 0 {
                throw TestServerError(.misuse, "the body is \(remaining) bytes shorter than its announced length")
            }
            state.phase = .finished
            return framing
        }
        guard framing == .chunked else { return }
        try await transmit { buffer in
            buffer.append(contentsOf: "0\r\n".utf8)
            SentResponseHead.append(trailers, to: &buffer)
            buffer.append(contentsOf: "\r\n".utf8)
        }
    }

    // MARK: State

    private static let lineEnd = Bytes("\r\n")

    /// Determines the framing and enters the body phase.
    private func start(_ response: TestServerResponse, length: Int?) throws -> SentResponseHead {
        try state.withLock { state throws(TestServerError) in
            guard state.phase == .fresh else { throw TestServerError(.misuse, "a second final response") }
            let head = SentResponseHead(
                response.status, response.headers, length: length, hasTrailers: !response.trailers.isEmpty, to: request,
                // A client that still waits for 100 may or may not send its content, so the server cannot know where
                // the next request starts.
                keepsAlive: state.keepsAlive && !content.isAwaitingContinue)
            content.finalHeadBegins()
            state.phase = .body(head.framing)
            state.keepsAlive = head.keepsAlive
            return head
        }
    }

    /// Moves to ``Phase/left``. Returns false if that happened before.
    @discardableResult
    func leave() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.phase = .left }
            return state.phase != .left
        }
        content.abandon(TestServerError(.disconnected, "the handler has closed or taken over this connection"))
        return isFirst
    }

    func transmit(
        _ body: Bytes = Bytes(), tail: Bytes = Bytes(), _ prefix: (inout [UInt8]) -> Void = { _ in }
    ) async throws {
        do throws(TransportError) {
            try await connection.writer.send(body: body, tail: tail, prefix: prefix)
        } catch {
            throw error.asTestError
        }
    }
}
