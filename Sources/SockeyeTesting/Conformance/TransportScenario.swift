import Sockeye
import SockeyeEngine

/// A client over the transport under test.
struct ConformanceClient: Sendable {
    let client: HTTPClient

    init(_ transport: some HTTPTransport) {
        client = HTTPClient(transport: transport)
    }
}

/// One requirement of a transport, as a test against local servers.
struct TransportScenario: Sendable {
    struct Mismatch: Error {
        let message: String
    }

    let name: String
    let run: @Sendable (ConformanceClient) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (HTTPClient) async throws -> Void) {
        self.name = name
        self.run = { try await run($0.client) }
    }

    static let all = requests + responses + failures

    /// Throws unless a condition holds.
    static func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw Mismatch(message: message()) }
    }

    /// Returns the error of a call that has to fail. Throws ``Mismatch`` if the call succeeds, and passes on an error
    /// that is not a `SockeyeError`.
    static func failure(_ what: String, of call: () async throws -> Void) async throws -> SockeyeError {
        do {
            try await call()
        } catch let error as SockeyeError {
            return error
        }
        throw Mismatch(message: "\(what) did not throw an error")
    }
}

extension TransportScenario {
    /// Scenarios about the request that the server receives.
    static let requests: [TransportScenario] = [
        TransportScenario("method, target and body arrive as they were given") { client in
            let server = try TestServer { request in
                .text("\(request.method) \(request.target) \(try await request.text())")
            }
            for method in [HTTPRequest.Method.post, .put, .patch] {
                let response = try await client.request(method, server.url("/a%20b?x=1&y=%26"), .text("text"))
                let seen = try await response.text()
                try check(seen == "\(method) /a%20b?x=1&y=%26 text", "the server saw '\(seen)'")
            }
        },
        TransportScenario("fields arrive with their values, repeated ones in order") { client in
            let server = try TestServer { request in
                .text(
                    (request.headers[values: "X-A"] + [request["x-b!#$%&'*+.^_`|~9"] ?? ""]).joined(separator: "|"))
            }
            var headers: Headers = ["X-A": "1", "X-B!#$%&'*+.^_`|~9": "b"]
            headers.append("X-A", "2")
            let seen = try await client.get(server.url(), headers: headers).text()
            try check(seen == "1|2|b" || seen == "1, 2|b", "the server saw '\(seen)'")
        },
        TransportScenario("each request has exactly one framing field, which fits its body") { client in
            let server = try TestServer { request in
                let framing = [Headers.Name.contentLength, .transferEncoding].flatMap { request.headers[values: $0] }
                return .text("\(framing.joined(separator: "|")) \(try await request.body.discard())")
            }
            let stream = OutgoingRequest.Body.stream(length: nil) { TransportPieces(["ab", "c"]) }
            let sized = OutgoingRequest.Body.stream(length: 3) { TransportPieces(["ab", "c"]) }
            for (body, expected) in [(stream, "chunked 3"), (sized, "3 3"), ("abcd", "4 4"), (.bytes([]), "0 0")] {
                let seen = try await client.post(server.url(), .body(body)).text()
                try check(seen == expected, "the server saw '\(seen)', not '\(expected)'")
            }
            let seen = try await client.post(server.url(), .text("abc"), headers: [.contentLength: "3"]).text()
            try check(seen == "3 3", "with a Content-Length from the caller the server saw '\(seen)'")
        },
        TransportScenario("trailers of a request follow its body") { client in
            let server = try TestServer { request in
                _ = try await request.body.collect()
                return .text(request.trailers["X-Sum"] ?? "none")
            }
            let body = OutgoingRequest.Body.string("abc").trailers { ["X-Sum": "6"] }
            let seen = try await client.post(server.url(), .body(body)).text()
            try check(seen == "6", "the server saw '\(seen)'")
        },
        TransportScenario("a field value with CR, LF or NUL is refused, and nothing is sent") { client in
            let server = try TestServer { _ in .ok() }
            for value in ["a\r\nX-Injected: 1", "a\nb", "a\u{0}b"] {
                let error = try await failure("the field value \(value.debugDescription)") {
                    _ = try await client.get(server.url(), headers: ["X-A": value])
                }
                try check(error.code == .invalidRequest, "the code was \(error.code)")
            }
            try check(server.activity.requests == 0, "the server saw a request")
        },
    ]
}

/// A request body or response body in several pieces.
struct TransportPieces: AsyncSequence, Sendable {
    let pieces: [Bytes]

    init(_ pieces: [String]) {
        self.pieces = pieces.map { Bytes($0) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: pieces[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Bytes>

        mutating func next() async -> Bytes? { rest.popFirst() }
    }
}
