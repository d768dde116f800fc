import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Streams that a server compresses without being asked", .timeLimit(.minutes(1)))
struct CodedStreamTests {
    /// A gzip stream that is flushed after each piece, as a compressing proxy sends events.
    private struct FlushedGzip {
        private let deflater: Deflater
        private var hasBegun = false

        init() throws {
            deflater = try Deflater(rawWindowBits: 15, level: 6)
        }

        mutating func piece(_ text: String, isLast: Bool = false) throws -> Bytes {
            defer { hasBegun = true }
            var output: [UInt8] = hasBegun ? [] : [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
            var block = [UInt8](repeating: 0, count: 4096)
            let input = Array(text.utf8)
            let step = try unsafe input.withUnsafeBytes { input in
                try unsafe block.withUnsafeMutableBytes {
                    try unsafe deflater.compress(input, into: $0, flush: isLast ? .finish : .sync)
                }
            }
            output.append(contentsOf: block[..<step.produced])
            return Bytes(output)
        }
    }

    private let client = HTTPClient()

    @Test("each event is delivered as soon as the server has flushed it", arguments: [false, true])
    func events(readsBody: Bool) async throws {
        let mayContinue = TestSignal()
        try await withTestServer { _, responder in
            var gzip = try FlushedGzip()
            try await responder.sendHead(headers: [.contentType: "text/event-stream", .contentEncoding: "gzip"])
            try await responder.write(gzip.piece("data: one\n\n"))
            try await mayContinue.wait()
            try await responder.write(gzip.piece("data: two\n\n"))
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let options = OutgoingRequest.Options().with { $0.decompresses = false }
            let stream =
                readsBody
                ? try await client.get(server.url(), options: options).body.events : client.events(server.url())
            var events = stream.makeAsyncIterator()
            #expect(try await events.next()?.data == "one")
            mayContinue.fire()
            #expect(try await events.next()?.data == "two")
        }
    }

    @Test("each line and each JSON line is delivered as soon as the server has flushed it")
    func lines() async throws {
        let mayContinue = TestSignal()
        try await withTestServer { _, responder in
            var gzip = try FlushedGzip()
            try await responder.sendHead(headers: [.contentType: "application/x-ndjson", .contentEncoding: "gzip"])
            try await responder.write(gzip.piece("1\n"))
            try await mayContinue.wait()
            try await responder.write(gzip.piece("2\n"))
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let options = OutgoingRequest.Options().with { $0.decompresses = false }
            var lines = try await client.get(server.url(), options: options).body.lines.makeAsyncIterator()
            #expect(try await lines.next() == "1")
            mayContinue.fire()
            #expect(try await lines.next() == "2")
            var values = try await client.get(server.url(), options: options).body.jsonLines(of: Int.self)
                .makeAsyncIterator()
            #expect(try await values.next() == 1)
            #expect(try await values.next() == 2)
        }
    }

    @Test("an event stream has no limit for its decoded size, even if the client requested the coding")
    func requested() async throws {
        let asked = Recorder<String>()
        try await withTestServer { request, responder in
            asked.append(request[.acceptEncoding] ?? "nothing")
            var gzip = try FlushedGzip()
            try await responder.sendHead(headers: [.contentType: "text/event-stream", .contentEncoding: "gzip"])
            for _ in 0..<4 { try await responder.write(gzip.piece(String(repeating: "data: a\n\n", count: 10_000))) }
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let options = OutgoingRequest.Options().with { $0.decompresses = true }
            var count = 0
            for try await event in Self.client(limiting: "decodedBytes").events(server.url(), options: options) {
                count += event.data == "a" ? 1 : 0
                if count == 40_000 { break }
            }
            #expect(count == 40_000 && asked.values == [ContentCoding.accepted])
        }
    }

    private static func client(limiting name: String) -> HTTPClient {
        var configuration = ClientConfiguration()
        configuration.decompresses = false
        switch name {
        case "decodedBytes": configuration.limits.decodedBytes = 100_000
        case "decodedRatio":
            configuration.limits.decodedRatio = 100
            configuration.limits.decodedRatioFloor = 100_000
        case "bodyBytes": configuration.limits.bodyBytes = 100_000
        default: break
        }
        return HTTPClient(configuration: configuration)
    }

    @Test(
        "the limits of decoding and of the body apply to decoded lines",
        arguments: ["decodedBytes", "decodedRatio", "bodyBytes", "bodyLimit"])
    func limits(name: String) async throws {
        let client = Self.client(limiting: name)
        let options = OutgoingRequest.Options().with { if name == "bodyLimit" { $0.bodyLimit = 100_000 } }
        try await withTestServer { _, responder in
            var gzip = try FlushedGzip()
            try await responder.sendHead(headers: [.contentEncoding: "gzip"])
            try await responder.write(gzip.piece(String(repeating: "a line\n", count: 50_000)))
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let response = try await client.get(server.url(), options: options)
            let error = await #expect(throws: SockeyeError.self) {
                for try await _ in response.body.lines {}
            }
            #expect(error?.code == .limitExceeded)
            #expect(error?.limit?.name == name)
        }
    }

    @Test("a stream in an unknown coding fails")
    func unknown() async throws {
        try await withTestServer { _, responder in
            try await responder.sendHead(headers: [.contentType: "text/event-stream", .contentEncoding: "x-secret"])
            try await responder.write("data: one\n\n")
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                for try await _ in client.events(server.url()) { Issue.record("an event arrived") }
            }
            #expect(error?.code == .badContentCoding)
            #expect(error?.message.contains("x-secret") == true)
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test("an event stream that ends before its content coding is complete is reconnected")
    func cut() async throws {
        try await withTestServer { request, responder in
            var gzip = try FlushedGzip()
            try await responder.sendHead(headers: [.contentType: "text/event-stream", .contentEncoding: "gzip"])
            try await responder.write(gzip.piece("retry: 1\nid: \(request["Last-Event-ID"] ?? "")x\ndata: a\n\n"))
            try await responder.finish()
        } run: { server in
            var ids: [String] = []
            for try await event in client.events(server.url()) {
                ids.append(event.id)
                if ids.count == 3 { break }
            }
            #expect(ids == ["x", "xx", "xxx"])
        }
    }
}
