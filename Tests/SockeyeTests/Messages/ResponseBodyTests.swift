import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Response bodies", .timeLimit(.minutes(1)))
struct ResponseBodyTests {
    private let client = HTTPClient()

    @Test("a second pass over a small or large body is an error", arguments: [5, 1_000_000])
    func singlePass(size: Int) async throws {
        try await withTestServer { _ in
            .source(length: size)
        } run: { server in
            let response = try await client.get(server.url())
            #expect(try await response.bytes().count == size)
            let error = await #expect(throws: SockeyeError.self) {
                for try await _ in response.body {}
            }
            #expect(error?.code == .bodyConsumed)
        }
    }

    @Test("collecting is bounded for declared, chunked and complete bodies", arguments: [10, 1_000_000])
    func collectLimit(size: Int) async throws {
        try await withTestServer { request in
            .source(length: request.path == "/length" ? size : nil)
        } run: { server in
            for path in ["/length", "/chunked"] {
                let response = try await client.get(server.url(path))
                let error = await #expect(throws: SockeyeError.self) { try await response.body.collect(upTo: 9) }
                #expect(error?.code == .limitExceeded)
                #expect(error?.limit?.configured == "9 bytes")
            }
        }
    }

    @Test("a body beyond the limit frees its connection, although the response is still referenced")
    func connectionAfterLimit() async throws {
        try await withTestServer { _ in
            .source(length: nil)
        } run: { server in
            let response = try await client.get(server.url())
            await #expect(throws: SockeyeError.self) { try await response.body.collect(upTo: 9) }
            try await server.wait { $0.openConnections == 0 }
            withExtendedLifetime(response) {}
        }
    }

    @Test("the length is known from Content-Length and unknown for chunked bodies")
    func expectedLength() async throws {
        try await withTestServer { request in
            request.path == "/chunked" ? .stream(Elements(["a".bytes, "b".bytes])) : .ok("abc")
        } run: { server in
            let plain = try await client.get(server.url("/"))
            let chunked = try await client.get(server.url("/chunked"))
            #expect(plain.body.expectedLength == 3)
            #expect(chunked.body.expectedLength == nil)
        }
    }

    @Test("trailers are available once the body was read")
    func trailers() async throws {
        try await withTestServer { _ in
            .stream(Elements(["a".bytes])).trailers(["X-Sum": "7"])
        } run: { server in
            let response = try await client.get(server.url())
            #expect(try await response.text() == "a")
            #expect(response.trailers?["X-Sum"] == "7")
        }
    }

    @Test("interim responses are reported and never taken for the final response")
    func interim() async throws {
        try await withTestServer { _, responder in
            try await responder.sendInterim(.earlyHints, headers: [.link: "</a>"])
            try await responder.send(.ok("final"))
        } run: { server in
            let seen = Recorder<Int>()
            var options = OutgoingRequest.Options()
            options.onInterim = { seen.append($0.status.code) }
            let response = try await client.get(server.url(), options: options)
            #expect(response.status == .ok)
            #expect(seen.values == [103])
        }
    }

    @Test("dropping small unread bodies keeps their connection usable")
    func droppedSmall() async throws {
        try await withTestServer { request in
            switch request.path {
            case "/small": .ok("some text")
            case "/chunked": .stream(Elements(["a".bytes, "b".bytes]))
            case "/none": .status(204)
            default: .ok("")
            }
        } run: { server in
            let client = HTTPClient()
            for path in ["/small", "/none", "/", "/small"] { _ = try await client.get(server.url(path)) }
            _ = try await client.head(server.url("/small"))
            #expect(try await client.get(server.url("/small")).text() == "some text")
            #expect(server.activity.connections == 1)
        }
    }

    @Test("dropping an endless body closes its connection")
    func droppedEndless() async throws {
        try await withTestServer { _ in
            .source(length: nil)
        } run: { server in
            let client = HTTPClient()
            do {
                let response = try await client.get(server.url())
                var iterator = response.body.makeAsyncIterator()
                _ = try await iterator.next()
            }
            try await server.wait { $0.openConnections == 0 }
            await eventually("the end of the lease") { client.pool?.statistics.leased == 0 }
        }
    }

    @Test("a transfer coding that the client did not offer is an error")
    func transferCoding() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead,
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        ])
        let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
        #expect(error?.code == .malformedResponse)
    }

    @Test("an error of a body names its request")
    func identity() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close,
        ])
        let response = try await client.get(server.url("/cut"))
        let error = await #expect(throws: SockeyeError.self) { try await response.text() }
        #expect(error?.code == .connectionClosed)
        #expect(error?.phase == .body)
        #expect(error?.url == server.url("/cut"))
        #expect(error?.method == "GET")
    }
}
