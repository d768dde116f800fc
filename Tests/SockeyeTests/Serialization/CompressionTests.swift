import Sockeye
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Compressed requests", .timeLimit(.minutes(1)))
struct CompressedRequestTests {
    private let text = String(repeating: "The quick brown fox. ", count: 5000)

    /// The codings whose libraries are linked.
    private static let compressions = [OutgoingRequest.Compression.gzip, .deflate, .brotli, .zstandard].filter {
        $0.coding.isLinked
    }

    private static func decoded(_ body: Bytes, _ coding: String) throws -> Bytes {
        let decoder = ContentDecoder(try ContentCoding.parse([coding]), limits: DecodingLimits())
        decoder.push(body)
        var pieces: [Bytes] = []
        while let piece = try decoder.next() { pieces.append(piece) }
        try decoder.finish()
        return Bytes(pieces.joined())
    }

    @Test("a body in memory is sent compressed, with its length", arguments: compressions)
    func memory(compression: OutgoingRequest.Compression) async throws {
        try await withTestServer { request in
            let coding = request["Content-Encoding"] ?? ""
            let body = try await request.body.collect(upTo: 1 << 20)
            #expect(request["Content-Length"] == String(body.count))
            return .bytes(try Self.decoded(body, coding), headers: ["X-Coding": coding])
        } run: { server in
            let response = try await HTTPClient().post(
                server.url(), .body(.string(text)), options: .compressing(compression))
            #expect(response["X-Coding"] == compression.coding.rawValue)
            #expect(try await response.text() == text)
        }
    }

    @Test("a stream is compressed while it is sent, in chunks", arguments: compressions)
    func stream(compression: OutgoingRequest.Compression) async throws {
        try await withTestServer { request in
            let coding = request["Content-Encoding"] ?? ""
            #expect(request["Transfer-Encoding"] == "chunked")
            return .bytes(try Self.decoded(try await request.body.collect(upTo: 1 << 20), coding))
        } run: { server in
            let pieces = Elements(Array(repeating: Array("0123456789".utf8), count: 10_000))
            let body = OutgoingRequest.Body.stream(pieces, length: 100_000)
            let response = try await HTTPClient().post(server.url(), .body(body), options: .compressing(compression))
            #expect(try await response.text() == String(repeating: "0123456789", count: 10_000))
        }
    }

    @Test("a declared length is the length before compression, and is enforced", arguments: [99, 101])
    func length(declared: Int) async throws {
        try await withTestServer { request in
            _ = try? await request.body.collect(upTo: 1 << 20)
            return .ok()
        } run: { server in
            let body = OutgoingRequest.Body.stream(Elements([[UInt8](repeating: 0, count: 100)]), length: declared)
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().post(server.url(), .body(body), options: .compressing(.gzip))
            }
            #expect(error?.code == .bodyLengthMismatch)
            _ = server.takeFailures()
        }
    }

    @Test("JSON values, forms and the parameters of a scope's serializer can be compressed")
    func values() async throws {
        let mock = MockTransport { request in
            .bytes(try Self.decoded(request.body, request["Content-Encoding"] ?? ""))
        }
        var settings = ParameterSerializer.Options()
        settings.requestOptions.compression = .gzip
        let api = HTTPClient(transport: mock).scoped(
            baseURL: "http://example.com/", requestSerializer: .form(options: settings))
        #expect(try await api.post("x", .parameters(["a": 1]), as: .text) == "a=1")
        #expect(try await api.post("x", .json([1]), options: .compressing(.deflate), as: .text) == "[1]")
    }

    @Test("a small, empty or already coded body is not compressed")
    func exceptions() async throws {
        let mock = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: mock)
        let large = OutgoingRequest.Options.compressing(OutgoingRequest.Compression(.gzip, minimumLength: 100))
        try await client.post("http://example.com/", .body("small"), options: large)
        try await client.post("http://example.com/", options: .compressing(.gzip))
        _ = try await client.get("http://example.com/", options: .compressing(.gzip))
        #expect(mock.requests.allSatisfy { $0["Content-Encoding"] == nil })
        try await client.post(
            "http://example.com/", .body("coded"), headers: [.contentEncoding: "br"], options: .compressing(.gzip))
        #expect(mock.requests.last?["Content-Encoding"] == "br")
        #expect(mock.requests.last?.text == "coded")
    }

    @Test(
        "a coding that is not linked fails the request before it is sent",
        arguments: [OutgoingRequest.Compression.brotli, .zstandard].filter { !$0.coding.isLinked })
    func unlinked(compression: OutgoingRequest.Compression) async throws {
        let mock = MockTransport { _ in .ok() }
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient(transport: mock).post(
                "http://example.com/", .body(.string(text)), options: .compressing(compression))
        }
        #expect(error?.code == .badConfiguration)
        #expect(error?.message.contains("needs the trait") == true)
        #expect(mock.requests.isEmpty)
    }

    @Test("the coding identity leaves the body unchanged")
    func identity() async throws {
        let mock = MockTransport { _ in .ok() }
        try await HTTPClient(transport: mock).post(
            "http://example.com/", .body("plain"), options: .compressing(OutgoingRequest.Compression(.identity)))
        #expect(mock.requests.first?.text == "plain")
        #expect(mock.requests.first?["Content-Encoding"] == nil)
    }

    @Test("levels outside the scale become the nearest level")
    func levels() {
        #expect(OutgoingRequest.Compression(.gzip, level: 99).level == 9)
        #expect(OutgoingRequest.Compression(.gzip, level: -1).level == 1)
    }
}
