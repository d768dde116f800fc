import Sockeye
import SockeyeCore
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import SockeyeCache
@testable import SockeyeStreams

@Suite("Server-sent events", .timeLimit(.minutes(1)))
struct EventStreamTests {
    struct Part: Codable, Sendable, Equatable { var text: String }

    private let client = HTTPClient()

    @Test("events are requested with the right fields, and arrive one by one")
    func live() async throws {
        let mayContinue = TestSignal()
        try await withTestServer { request, responder in
            #expect(request[.accept] == "text/event-stream")
            #expect(request[.cacheControl] == "no-cache")
            #expect(request["Last-Event-ID"] == nil)
            #expect(request[.acceptEncoding] == nil)
            #expect(request.query == "topic=a")
            try await responder.startEvents()
            try await responder.write("event: greeting\nid: 1\ndata: hello\nretry: 20\n\n: comment\n\nda")
            try await mayContinue.wait()
            try await responder.write("ta: world\n\n")
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            var events = client.events(server.url(), query: ["topic": "a"]).makeAsyncIterator()
            let greeting = try await events.next()
            #expect(
                greeting == ServerSentEvent(name: "greeting", data: "hello", id: "1", retry: .milliseconds(20)))
            mayContinue.fire()
            let next = try await events.next()
            #expect(next == ServerSentEvent(data: "world", id: "1"))
        }
    }

    @Test("leaving the loop closes the connection at once, even while the response is still referenced")
    func leaving() async throws {
        try await withTestServer { _, responder in
            try await responder.startEvents()
            try await responder.write("data: a\n\n")
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            var kept: IncomingResponse?
            loop: for try await update in client.events(server.url()).updates {
                switch update {
                case .opened(let response): kept = response
                case .event: break loop
                case .lost: Issue.record("lost")
                }
            }
            try await server.wait { $0.openConnections == 0 }
            #expect(kept?.status == .ok)
        }
    }

    @Test("cancelling the task ends the stream and closes the connection", arguments: [false, true])
    func cancelling(hasDeadline: Bool) async throws {
        try await withTestServer { _, responder in
            try await responder.startEvents()
            try await responder.write("data: a\n\n")
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            var settings = HTTPClient.EventStream.Options()
            settings.idle = hasDeadline ? .seconds(1000) : nil
            let (stream, begun) = (client.events(server.url(), options: .eventStream(settings)), TestSignal())
            let task = Task { for try await _ in stream { begun.fire() } }
            try await begun.wait()
            task.cancel()
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test("a 204 ends a stream without an error and without a reconnection")
    func noContent() async throws {
        try await withTestServer { _ in
            .status(204)
        } run: { server in
            for try await _ in client.events(server.url()) { Issue.record("an event arrived") }
            #expect(server.activity.requests == 1)
        }
    }

    @Test(
        "a status other than 200 and 204, or another content type, is an error, without a reconnection",
        arguments: [
            (404, "text/event-stream", .unacceptableStatus), (500, "text/event-stream", .unacceptableStatus),
            (503, "text/plain", .unacceptableStatus), (206, "text/event-stream", .unacceptableStatus),
            (200, "text/plain", .unacceptableContentType), (200, nil, .unacceptableContentType),
        ] as [(Int, String?, SockeyeError.Code)])
    func refusals(status: Int, type: String?, code: SockeyeError.Code) async throws {
        for text in ["data: a\n\n", ""] {
            try await withTestServer { _ in
                TestServerResponse(
                    status: .init(code: status), headers: type.map { [.contentType: $0] } ?? [:], body: text.bytes)
            } run: { server in
                let error = await #expect(throws: SockeyeError.self) {
                    for try await _ in client.events(server.url()) {}
                }
                #expect(error?.code == code)
                #expect(error?.response?.status.code == status)
                #expect(error?.response?.body == text.bytes)
                #expect(server.activity.requests == 1)
            }
        }
    }

    @Test("an invalid request throws at the first iteration")
    func badRequest() async throws {
        let error = await #expect(throws: SockeyeError.self) {
            for try await _ in client.events("ftp://host/") {}
        }
        #expect(error?.code == .invalidURL)
        let other = await #expect(throws: SockeyeError.self) {
            for try await _ in client.events(.post, "http://127.0.0.1:1/", .json(Double.infinity)) {}
        }
        #expect(other?.code == .encodingFailed)
    }

    @Test("events in the response to a POST are decoded up to a sentinel, and the connection is reused")
    func chat() async throws {
        try await withTestServer { request, responder in
            let question = try await request.json(Part.self).text
            try await responder.startEvents()
            for word in question.split(separator: " ") {
                try await responder.write("data: {\"text\":\"\(word)\"}\n\n")
            }
            try await responder.write("data: [DONE]\n\n")
            try await responder.finish()
        } run: { server in
            for _ in 0..<3 {
                var words: [String] = []
                let content = HTTPClient.Content.json(Part(text: "what is this"))
                let events = client.events(.post, server.url(), content)
                for try await part in events.values(of: Part.self, until: "[DONE]") {
                    words.append(part.text)
                }
                #expect(words == ["what", "is", "this"])
            }
            #expect(server.activity.requests == 3)
            #expect(server.activity.connections == 1)
        }
    }

    @Test("data is compared with the sentinel byte by byte, in linear time even for long runs of combining marks")
    func sentinelBytes() async throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 1_000_000)
        for (data, sentinel) in [("[\(marks)", "[DONE]"), ("\"e\u{301}\"", "\"\u{E9}\"")] {
            let body = IncomingResponse.Body("data: \(data)\n\n".bytes)
            var values = body.events(of: Part.self, until: sentinel).makeAsyncIterator()
            let error = await #expect(throws: SockeyeError.self) { try await values.next() }
            #expect(error?.code == .decodingFailed)
        }
    }

    @Test("an event that cannot be decoded is an error with its number")
    func badData() async throws {
        let body = IncomingResponse.Body("data: {\"text\":\"a\"}\n\ndata: {\"texts\":1}\n\ndata: x\n\n".bytes)
        var values = body.events(of: Part.self).makeAsyncIterator()
        #expect(try await values.next() == Part(text: "a"))
        let error = await #expect(throws: SockeyeError.self) { try await values.next() }
        #expect(error?.code == .decodingFailed)
        #expect(error?.message.hasPrefix("event 2") == true)
        #expect(error?.response?.body == "{\"texts\":1}".bytes)
        #expect(try await values.next() == nil)
    }

    @Test("events can be read once from the body of any response")
    func ofBody() async throws {
        try await withTestServer { _ in
            .ok("id: 1\ndata: a\n\ndata: b\n\ndata: cut")
        } run: { server in
            let body = try await client.get(server.url()).body
            var data: [String] = []
            for try await event in body.events { data.append(event.data + event.id) }
            #expect(data == ["a1", "b1"])
            let error = await #expect(throws: SockeyeError.self) { for try await _ in body.events {} }
            #expect(error?.code == .bodyConsumed)
        }
    }

    @Test("a second loop over the events of one response fails, and the first loop continues")
    func secondLoop() async throws {
        try await withTestServer { _ in
            .ok("data: a\n\ndata: b\n\n")
        } run: { server in
            let body = try await client.get(server.url()).body
            var first = body.events.makeAsyncIterator()
            #expect(try await first.next()?.data == "a")
            let error = await #expect(throws: SockeyeError.self) { for try await _ in body.events {} }
            #expect(error?.code == .bodyConsumed)
            #expect(try await first.next()?.data == "b")
            #expect(try await first.next() == nil)
        }
    }

    @Test(
        "a line, event or identifier beyond its limit ends an endless stream with an error",
        arguments: [
            ("data: xxxxxxx", "", "line"), (": xxxxxxx", "", "line"), ("", "data: x\n", "event"),
            ("", "unknown\n", "event"),
            ("id: " + String(repeating: "1", count: 300) + "\n", "", "eventID"),
        ])
    func hostile(start: String, piece: String, limit: String) async throws {
        try await withTestServer { _, responder in
            try await responder.startEvents()
            let piece = piece.isEmpty ? Bytes([UInt8](repeating: 0x78, count: 1 << 10)) : piece.bytes
            do {
                try await responder.write(start)
                while true { try await responder.write(piece) }
            } catch let error as TestServerError where error.code == .disconnected {
                responder.close()
            }
        } run: { server in
            var settings = HTTPClient.EventStream.Options()
            settings.limits = ServerSentEvent.Limits(lineBytes: 10_000, eventBytes: 20_000, idBytes: 200)
            let error = await #expect(throws: SockeyeError.self) {
                for try await _ in client.events(server.url(), options: .eventStream(settings)) {
                    Issue.record("an event arrived")
                }
            }
            #expect(error?.code == .limitExceeded)
            #expect(error?.limit?.name == limit)
            #expect(server.activity.requests == 1)
        }
    }

    @Test("streams of one client share no response through its cache, and ignore its body limit")
    func cacheAndLimit() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.limits.bodyBytes = 20
        let client = HTTPClient(configuration: configuration).adding(.cache(CachePolicy.MemoryStore(limit: 1 << 20)))
        let both = TestSignal()
        try await withTestServer { request, responder in
            try await responder.startEvents(["Cache-Control": "max-age=60"])
            if request.connection == 1 { both.fire() }
            try await both.wait()
            try await responder.write("data: \(String(repeating: "x", count: 100))\n\n")
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let url = server.url()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask { for try await _ in client.events(url) { break } }
                }
                try await group.waitForAll()
            }
            #expect(server.activity.requests == 2)
        }
    }
}

extension TestResponder {
    /// Sends the head of an event stream.
    func startEvents(_ headers: Headers = [:]) async throws {
        var headers = headers
        headers[.contentType] = "text/event-stream"
        try await sendHead(headers: headers)
    }
}
