import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Content and framing of each kind of body as the server receives them.
@Suite("Request bodies", .timeLimit(.minutes(1)))
struct RequestBodyTests {
    private let client = HTTPClient()

    /// Returns the framing fields and the body as the server received them.
    private func send(_ body: OutgoingRequest.Body, headers: Headers = [:]) async throws -> (
        framing: String, content: String
    ) {
        try await withTestServer { request in
            let content = try await request.text()
            let length = request["Content-Length"] ?? "-"
            return .ok("\(length) \(request["Transfer-Encoding"] ?? "-")\n\(content)")
        } run: { server in
            let text = try await client.post(server.url(), .body(body), headers: headers).text()
            let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
    }

    @Test("bodies in memory are sent with their length")
    func memory() async throws {
        #expect(try await send(.bytes([97, 98])) == ("2 -", "ab"))
        #expect(try await send(.string("é")) == ("2 -", "é"))
        #expect(try await send(.bytes(Data("xyz".utf8))) == ("3 -", "xyz"))
        #expect(try await send("literal") == ("7 -", "literal"))
        #expect(try await send(.none) == ("0 -", ""))
        #expect(try await send(.bytes([UInt8]())) == ("0 -", ""))
    }

    @Test("framing fields of the caller are replaced by those of the body")
    func ownFraming() async throws {
        let headers: Headers = ["Content-Length": "0", "Transfer-Encoding": "chunked"]
        #expect(try await send("four", headers: headers) == ("4 -", "four"))
    }

    @Test("a sequence is sent chunked, or plain if its length is given; empty elements are skipped")
    func stream() async throws {
        let chunks: [[UInt8]] = [[], Array("one ".utf8), [], Array("two".utf8), []]
        #expect(try await send(.stream(Elements(chunks))) == ("- chunked", "one two"))
        #expect(try await send(.stream(Elements(chunks), length: 7)) == ("7 -", "one two"))
    }

    @Test("the elements of a streamed body can be any collections of bytes")
    func elementTypes() async throws {
        #expect(try await send(.stream(Elements([Data("d".utf8)]))).content == "d")
        #expect(try await send(.stream(Elements([Bytes("b"), Bytes("c")]))).content == "bc")
        #expect(try await send(.stream(Elements(["ab".bytes.dropFirst()]))).content == "b")
        #expect(try await send(.stream(Elements([repeatElement(UInt8(97), count: 3)]))).content == "aaa")
    }

    @Test("a file is streamed with its length")
    func file() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sockeye-\(UUID().uuidString)")
        try Data("from disk".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try await send(.file(url.path)) == ("9 -", "from disk"))
    }

    @Test("a file that cannot be read is an error before anything is sent", arguments: ["/nonexistent/file", "/"])
    func missingFile(path: String) {
        let error = #expect(throws: SockeyeError.self) { try OutgoingRequest.Body.file(path) }
        #expect(error?.code == .bodyFailed)
        #expect(error?.message.contains(path) == true)
    }

    @Test("a named pipe is refused as a file, without waiting for a writer", .timeLimit(.minutes(1)))
    func pipe() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sockeye-\(UUID().uuidString)")
        try unsafe #require(mkfifo(url.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: url) }
        let error = #expect(throws: SockeyeError.self) { try OutgoingRequest.Body.file(url.path) }
        #expect(error?.code == .bodyFailed)
    }

    @Test("a mock transport receives the content of a file, or an error if the file shrank")
    func mockedFile() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sockeye-\(UUID().uuidString)")
        try Data(repeating: 7, count: 700_000).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let mock = HTTPClient(transport: MockTransport { request in .ok("\(request.body.count)") })
        let body = try OutgoingRequest.Body.file(url.path)
        #expect(body.length == 700_000)
        #expect(body.isReplayable)
        #expect(try await mock.put("http://x/", .body(body)).text() == "700000")
        try Data(repeating: 7, count: 10).write(to: url)
        let error = await #expect(throws: SockeyeError.self) { try await mock.put("http://x/", .body(body)) }
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.limit?.seen == "10 bytes")
    }

    @Test(
        "trailers can follow a body in memory and an empty body",
        arguments: [OutgoingRequest.Body.string("x"), .none])
    func trailers(body: OutgoingRequest.Body) async throws {
        try await withTestServer { request in
            let content = try await request.text()
            return .ok("\(content) \(request.trailers["X-Sum"] ?? "-")")
        } run: { server in
            let text = try await client.post(server.url(), .body(body.trailers { ["X-Sum": "42"] })).text()
            #expect(text.hasSuffix(" 42"))
        }
    }

    @Test("a stream that is longer or shorter than declared fails the request", arguments: [2, 4])
    func lengthMismatch(declared: Int) async throws {
        try await withTestServer { request in
            _ = try? await request.body.collect()
            return .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.post(server.url(), .stream(Elements([[1, 2, 3] as [UInt8]]), length: declared))
            }
            #expect(error?.code == .bodyLengthMismatch)
            #expect(error?.blame == .caller)
            _ = server.takeFailures()
        }
    }

    @Test("a body knows if it can be sent again")
    func replayable() {
        #expect(OutgoingRequest.Body.bytes([1]).isReplayable)
        #expect(!OutgoingRequest.Body.stream(Elements([[1] as [UInt8]])).isReplayable)
        #expect(OutgoingRequest.Body.stream(Elements([[1] as [UInt8]]), isReplayable: true).isReplayable)
        #expect(OutgoingRequest.Body.stream(makingEach: { Elements([[1] as [UInt8]]) }).isReplayable)
    }
}
