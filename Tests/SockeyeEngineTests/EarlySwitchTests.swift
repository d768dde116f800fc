import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeNet
import SockeyeTestSupport
import Synchronization
import Testing

/// A 101 that the client reads before its sending task has noted the end of the request (RFC 9110 7.8).
@Suite("A switch of protocols during the upload", .timeLimit(.minutes(1))) struct EarlySwitchTests {
    private static let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"

    /// A server in memory that answers as soon as it has the head of a request, and the client that sends the request.
    private final class Peer: Sendable {
        private let answer: [UInt8]
        private let stream = Mutex<ScriptedStream?>(nil)
        private let transport = Mutex<SocketTransport?>(nil)

        init(_ answer: String) {
            self.answer = Array(answer.utf8)
        }

        /// True if the client has read the whole answer.
        var isRead: Bool { stream.withLock { $0?.unreadCount == 0 } }
        /// The bytes of the request's content that the client has sent.
        var contentCount: Int { stream.withLock { $0?.contentCount ?? 0 } }

        /// Sends a request for the protocol `x`.
        func upgrade(
            _ body: OutgoingRequest.Body, expectContinue: Duration? = nil, time: TimeSource = .system
        ) async throws(SockeyeError) -> ExchangeOutcome {
            var configuration = EngineConfiguration()
            configuration.timeouts = Timeouts(head: .seconds(10))
            let transport = SocketTransport(configuration: configuration, time: time) {
                _, poller throws(SockeyeError) in
                try self.connect(poller)
            }
            self.transport.withLock { $0 = transport }
            var request = try OutgoingRequest(method: .post, url: "http://example.test/", body: body)
            request.options.upgrade = "x"
            request.options.expectContinue = expectContinue
            return try await transport.perform(request)
        }

        private func connect(_ poller: any Poller) throws(SockeyeError) -> any ByteStream {
            do throws(TransportError) {
                let made = try ScriptedStream([answer[...]], then: .silence, poller: poller)
                stream.withLock { $0 = made }
                return made
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }

        /// Shuts the client down without waiting for its requests.
        func shutDown() async {
            await transport.withLock(\.self)?.shutDown()
        }

        /// Waits, in the producer of the content, until the client has read the 101.
        func waitUntilRead() async {
            await eventually("the 101 is read") { isRead }
        }
    }

    private struct ProducerFailure: Error {}

    private func connection(of outcome: ExchangeOutcome) throws -> UpgradedConnection {
        guard case .upgraded(let response, let connection) = outcome else { throw ProducerFailure() }
        #expect(response.status.code == 101)
        return connection
    }

    @Test("the client accepts a 101 that follows the 100 at once, before the content was sent")
    func behindContinue() async throws {
        let peer = Peer("HTTP/1.1 100 Continue\r\n\r\n" + Self.switching + "hello")
        // The sending task runs on the poller's thread, so it runs only once the exchange waits.
        let poller = try EventPoller.shared()
        let task = Task(executorPreference: poller) {
            try await peer.upgrade("body", expectContinue: .seconds(15))
        }
        let connection = try connection(of: await task.value)
        #expect(peer.contentCount == 4)
        #expect(connection.takeEarlyBytes() == Bytes("hello"))
        connection.close()
    }

    @Test("the connection is handed over after the last byte of the content", arguments: [4, nil])
    func duringContent(length: Int?) async throws {
        let peer = Peer(Self.switching)
        let outcome = try await peer.upgrade(
            .writer(length: length) { body in
                await peer.waitUntilRead()
                try await body.write("body")
            })
        let chunked = "4\r\nbody\r\n0\r\n\r\n"
        #expect(peer.contentCount == length ?? chunked.utf8.count)
        try connection(of: outcome).close()
    }

    @Test("the request fails at the deadline of the head if the content does not end")
    func deadline() async throws {
        let (peer, time) = (Peer(Self.switching), ManualTime())
        let error = await #expect(throws: SockeyeError.self) {
            try await peer.upgrade(
                .writer { _ in
                    await peer.waitUntilRead()
                    time.advance(by: .seconds(11))
                    try await EventPoller.shared().sleep(until: .distantFuture)
                }, time: TimeSource(manual: time))
        }
        #expect(error?.code == .timeout)
        #expect(error?.limit?.name == "timeouts.head")
    }

    @Test("the request fails with the error of the content's producer")
    func producerFailure() async throws {
        let peer = Peer(Self.switching)
        let error = await #expect(throws: SockeyeError.self) {
            try await peer.upgrade(
                .writer { _ in
                    await peer.waitUntilRead()
                    throw ProducerFailure()
                })
        }
        #expect(error?.code == .bodyFailed)
        #expect(error?.underlying is ProducerFailure)
    }

    @Test("the request ends with a forced shutdown although its producer does not return")
    func shutdown() async throws {
        let (peer, mayEnd) = (Peer(Self.switching), AsyncStream<Void>.makeStream())
        let task = Task {
            // The producer does not notice cancellation, and the clock stands still, so that no deadline ends the wait.
            try await peer.upgrade(
                .writer { _ in await Task.detached { for await _ in mayEnd.stream {} }.value },
                time: TimeSource(manual: ManualTime()))
        }
        await peer.waitUntilRead()
        await peer.shutDown()
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .shutDown)
        mayEnd.continuation.finish()
    }

    @Test("the request ends with the cancellation of its task")
    func cancellation() async throws {
        let peer = Peer(Self.switching)
        let task = Task {
            try await peer.upgrade(.writer { _ in try await EventPoller.shared().sleep(until: .distantFuture) })
        }
        await peer.waitUntilRead()
        task.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    /// A server that opens a tunnel before it has read the head of the request.
    private static func tunnelServer() -> ScriptedServer {
        ScriptedServer([.init("HTTP/1.1 200 OK\r\n\r\nhello", writes: [.take(5), .block], isEarly: true)])
    }

    @Test("a tunnel is handed over after the last byte of the head of its request")
    func tunnel() async throws {
        let server = Self.tunnelServer()
        let transport = server.transport()
        let task = Task { try await transport.perform(OutgoingRequest(method: .connect, url: "http://example.test/")) }
        await eventually("the head is blocked") { server.streams.first?.isWriteScriptOver == true }
        server.streams.first?.becomeWritable()
        guard case .upgraded(let response, let connection) = try await task.value else { throw ProducerFailure() }
        #expect(response.status == .ok && connection.takeEarlyBytes() == Bytes("hello"))
        let written = try #require(server.requests.first)
        #expect(written.hasPrefix("CONNECT example.test:80 HTTP/1.1\r\n") && written.hasSuffix("\r\n\r\n"))
        connection.close()
    }

    @Test("the request for a tunnel fails at the deadline of the head if its own head cannot be written")
    func blockedTunnel() async throws {
        let (server, time) = (Self.tunnelServer(), ManualTime())
        var configuration = EngineConfiguration()
        configuration.timeouts = Timeouts(head: .seconds(10))
        let transport = server.transport(configuration, time: TimeSource(manual: time))
        let task = Task { try await transport.perform(OutgoingRequest(method: .connect, url: "http://example.test/")) }
        await eventually("the head is blocked") { server.streams.first?.isWriteScriptOver == true }
        time.advance(by: .seconds(11))
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.head")
        #expect(server.requests == ["CONNE"])
    }
}
