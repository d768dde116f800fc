import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// The state that all connections of a server share.
final class ServerContext: Sendable {
    typealias Handler = @Sendable (TestRequest, TestResponder) async throws -> Void

    let options: TestServerOptions
    let handler: Handler
    let failures = Mutex<[TestServerFailure]>([])

    init(options: TestServerOptions, handler: @escaping Handler) {
        self.options = options
        self.handler = handler
    }
}

/// Serves the requests of one connection sequentially (RFC 9112 section 9).
struct ServerConnection {
    let connection: TestConnection
    let context: ServerContext
    let activity: ConditionVariable<TestServerActivity>

    /// The maximum number of bytes of unread request content that are discarded to keep the connection open.
    private static let drainLimit = 256 << 10
    /// The longest time that a closing connection waits for the client to read the last response and close.
    private static let lingerTime = Duration.seconds(1)

    func run() async {
        var number = 0
        do {
            while !Task.isCancelled, let head = try await nextHead() {
                activity.update { $0.requests += 1 }
                guard try await serve(head, number: number) else { break }
                number += 1
            }
            try await linger()
        } catch let error as MalformedRequest {
            await refuse(error)
        } catch {
            // The connection has failed or was closed, or the server is stopping: no answer can be sent to this client.
        }
    }

    /// Returns the next request head; nil if the client has closed its sending direction.
    private func nextHead() async throws -> ReceivedRequestHead? {
        var parser = RequestHeadParser()
        while true {
            let (head, isEmpty) = try parseHead(&parser)
            if let head { return head }
            guard try await connection.reader.fill(isIdle: isEmpty) else { return nil }
        }
    }

    /// Returns the head, or nil if it is incomplete. `isEmpty` is true if no byte of the head has arrived.
    ///
    /// Not inlined: with AddressSanitizer, Swift 6.3.1 cannot compile this code as a part of an asynchronous function.
    @inline(never)
    private func parseHead(_ parser: inout RequestHeadParser) throws -> (ReceivedRequestHead?, isEmpty: Bool) {
        try unsafe connection.reader.consume { buffer throws(MalformedRequest) in
            let parsed = try unsafe parser.parse(buffer)
            return unsafe (parsed?.count ?? 0, (parsed?.head, buffer.isEmpty))
        }
    }

    /// Serves one request. Returns true if the connection can take another request.
    private func serve(_ head: ReceivedRequestHead, number: Int) async throws -> Bool {
        let expectsContinue = head.expectsContinue && head.minorVersion == 1
        let content = RequestContent(
            head.framing, owesContinue: expectsContinue && context.options.answersExpectContinue, connection: connection
        )
        let isLast = number + 1 >= context.options.requestsPerConnection
        let clientStays = head.minorVersion == 1 ? !head.asksToClose : head.asksToKeepAlive && !head.asksToClose
        let responder = TestResponder(
            head, content, on: connection, keepsAlive: clientStays && !isLast, clock: context.options.clock)
        let request = TestRequest(
            head: head, method: HTTPRequest.Method(rawValue: head.method) ?? .get,
            body: TestRequestBody(content: content),
            peerAddress: connection.peerAddress, tls: connection.tls, connection: connection.index, number: number)
        do {
            try await context.handler(request, responder)
            try checkEnd(of: responder)
        } catch {
            try await handlerFailed(error, head, responder)
            return false
        }
        let (phase, keepsAlive) = responder.outcome
        guard phase == .finished else { return false }
        activity.update { $0.responses += 1 }
        do {
            return try await drain(content) && keepsAlive
        } catch let error as TestServerError where error.code == .malformedRequest {
            record(error, of: head)
            return false
        }
    }

    private func checkEnd(of responder: TestResponder) throws {
        switch responder.outcome.phase {
        case .finished, .left: return
        case .body(.untilClose), .body(.none): return
        case .fresh: throw TestServerError(.misuse, "the handler returned without a response")
        case .body: throw TestServerError(.misuse, "the handler returned without finishing the body")
        }
    }

    /// Records the failure. Answers 500 if no response has begun; otherwise closes the connection and rethrows the
    /// error. Errors of a lost connection, and cancellations by the stopping server, are not failures and are only
    /// rethrown.
    private func handlerFailed(_ error: any Error, _ head: ReceivedRequestHead, _ responder: TestResponder) async throws
    {
        let isDisconnect = (error as? TestServerError)?.code == .disconnected
        guard !isDisconnect, !(Task.isCancelled && error is CancellationError) else { throw error }
        record(error, of: head)
        guard responder.outcome.phase == .fresh else {
            connection.close()
            throw error
        }
        try await responder.send(
            .text("the handler failed: \(error)\n", status: 500, headers: [.connection: "close"]))
    }

    private func record(_ error: any Error, of head: ReceivedRequestHead) {
        let target = SecretItemMask(mark: "***").masking(url: head.target)
        let failure = TestServerFailure(
            request: "\(head.method) \(target)", connection: connection.index, error: error)
        context.failures.withLock { $0.append(failure) }
    }

    private func refuse(_ error: MalformedRequest) async {
        let failure = TestServerError(.malformedRequest, "malformed request: \(error.reason)")
        context.failures.withLock {
            $0.append(TestServerFailure(request: "a request", connection: connection.index, error: failure))
        }
        let body = "\(failure.message)\n"
        let head = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        do {
            try await connection.write(head + body)
            try await linger()
        } catch {
            // The client did not wait for the response.
        }
    }

    /// Reads the content that the handler left unread. Returns false if the content is too long, or if the client still
    /// waits for 100 (Continue).
    private func drain(_ content: RequestContent) async throws -> Bool {
        guard !content.isComplete else { return true }
        guard !content.isAwaitingContinue else { return false }
        var count = 0
        while count <= Self.drainLimit {
            guard let piece = try await content.next() else { return true }
            count += piece.count
        }
        return false
    }

    /// Shuts down the writing direction and discards input until the client closes, for up to ``lingerTime``. Closing
    /// with unread input would reset the connection, and the client could lose the response (RFC 9112 section 9.6).
    /// Throws at once if a task that the handler started is still reading from the connection.
    private func linger() async throws {
        try await connection.closeWrite()
        let deadline = TimeSource.system.now.advanced(by: Self.lingerTime)
        repeat {
            unsafe connection.reader.consume { ($0.count, ()) }
        } while try await connection.reader.fill(until: deadline) && TimeSource.system.now < deadline
    }
}
