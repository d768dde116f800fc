import SockeyeCore
import SockeyeNet
import Synchronization

/// The content of one request, read from its connection on demand. The request and its responder share it.
final class RequestContent: Sendable {
    private struct State {
        var decoder: RequestBodyDecoder
        /// True while the client waits for 100 (Continue) before it sends.
        var owesContinue: Bool
        /// True if the final response has begun. A 100 is then not sent, because the client would read it as a part of
        /// that response.
        var hasFinalHead = false
        var isReading = false
        /// The error that all further reads throw, for example after the connection was lost. Nil while the content can
        /// be read.
        var failure: TestServerError?
    }

    private let connection: TestConnection
    private let state: Mutex<State>

    init(_ framing: ReceivedRequestHead.Framing, owesContinue: Bool, connection: TestConnection) {
        self.connection = connection
        state = Mutex(State(decoder: RequestBodyDecoder(framing), owesContinue: owesContinue))
    }

    var isComplete: Bool { state.withLock { $0.decoder.isDone } }
    var trailers: [(name: String, value: String)] { state.withLock { $0.decoder.trailers } }
    var isAwaitingContinue: Bool { state.withLock { $0.owesContinue } }
    var isReading: Bool { state.withLock { $0.isReading } }

    /// Records that the handler itself sends 100 (Continue).
    func continueSent() {
        state.withLock { $0.owesContinue = false }
    }

    /// Records that the final response begins, so that reading sends no 100.
    func finalHeadBegins() {
        state.withLock { $0.hasFinalHead = true }
    }

    /// Makes all further reads fail with `reason`, unless they already fail.
    func abandon(_ reason: TestServerError) {
        state.withLock { $0.failure = $0.failure ?? reason }
    }

    /// Returns the next piece without copying it; nil at the end. First sends 100 (Continue) to a client that waits.
    func next() async throws -> Bytes? {
        let owesContinue = try begin()
        defer { state.withLock { $0.isReading = false } }
        do {
            if owesContinue {
                // Checks again under the writer's lock, because another task may have begun the final response.
                try await connection.writer.send { buffer in
                    if takeContinue() { buffer.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }
                }
            }
            return try await advance()
        } catch let error as MalformedRequest {
            let failure = TestServerError(.malformedRequest, "malformed request content: \(error.reason)")
            abandon(failure)
            throw failure
        } catch let error as TransportError {
            if error != .cancelled { abandon(TestServerError(.disconnected, "the connection was lost: \(error)")) }
            throw error.asTestError
        }
    }

    private func begin() throws -> Bool {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard !state.isReading else { throw TestServerError(.misuse, "two tasks read one request body") }
            state.isReading = true
            guard !state.hasFinalHead else { return false }
            if state.decoder.isDone { state.owesContinue = false }
            return state.owesContinue
        }
    }

    /// Returns true if 100 (Continue) has to be sent now, and records that it is sent.
    private func takeContinue() -> Bool {
        state.withLock { state in
            guard state.owesContinue, !state.hasFinalHead else { return false }
            state.owesContinue = false
            return true
        }
    }

    private func advance() async throws -> Bytes? {
        while true {
            let step = try state.withLock { state in
                try unsafe connection.reader.consume { buffer throws(MalformedRequest) in
                    let step = try unsafe state.decoder.next(buffer)
                    return switch step {
                    case .content: (0, step)
                    case .needsMore(let used), .end(let used): (used, step)
                    }
                }
            }
            switch step {
            case .content(let skipped, let count): return connection.reader.take(count, after: skipped)
            case .end: return nil
            case .needsMore:
                guard try await connection.reader.fill() else {
                    let failure = TestServerError(
                        .disconnected, "the client closed the connection before the end of the request body")
                    abandon(failure)
                    throw failure
                }
            }
        }
    }
}
