import Sockeye
import SockeyeEngine
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import SockeyeStreams

@Suite("Multipart responses", .timeLimit(.minutes(1)))
struct MultipartReaderTests {
    private static let ranges =
        "--r\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-3/9\r\n\r\nabcd\r\n"
        + "--r\r\nContent-Range: bytes 7-8/9\r\n\r\nhi\r\n--r--\r\nepilogue"

    private func response(
        _ body: String, type: String = "multipart/byteranges; boundary=r"
    ) throws -> IncomingResponse {
        IncomingResponse(
            status: .partialContent, headers: [.contentType: type], body: Bytes(body), url: try HTTPURL("http://x/"))
    }

    private func text(_ part: MultipartReader.Part) async throws -> String {
        String(decoding: try await part.bytes(), as: UTF8.self)
    }

    @Test("parts have their fields and content, and the connection is reused", arguments: [1, 7, 1 << 20])
    func ranges(piece: Int) async throws {
        let content = Bytes(Self.ranges)
        try await withTestServer { _ in
            let pieces = stride(from: 0, to: content.count, by: piece).map {
                content.slice($0..<min($0 + piece, content.count))
            }
            return .stream(Elements(pieces), headers: [.contentType: "multipart/byteranges; boundary=\"r\""])
        } run: { server in
            // The time stands still, so that the rest of the body arrives in time on a busy machine, too.
            let client = HTTPClient(clock: ManualClock())
            for _ in 0..<2 {
                var found: [String] = []
                let response = try await client.get(server.url())
                let parts = try MultipartReader(
                    ResponseByteSource(response, clock: client.scope.settings.clock), type: response.contentType,
                    limits: MultipartLimits(), request: nil)
                for try await part in parts {
                    found.append("\(part.headers[.contentRange] ?? "-") \(try await text(part))")
                }
                #expect(found == ["bytes 0-3/9 abcd", "bytes 7-8/9 hi"])
            }
            #expect(server.activity.connections == 1)
        }
    }

    @Test("if the server does not end the body after the last part, the iteration ends and the connection is closed")
    func openEnd() async throws {
        try await withTestServer { _, responder in
            try await responder.sendHead(headers: [.contentType: "multipart/byteranges; boundary=r"])
            try await responder.write(Bytes(Self.ranges))
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            // The deadlines of the client never come.
            let client = HTTPClient(clock: ManualClock())
            let response = try await client.get(server.url())
            var found: [String] = []
            for try await part in try response.parts() { found.append(try await text(part)) }
            #expect(found == ["abcd", "hi"])
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test("if the body breaks off after the last part, the iteration ends without an error")
    func brokenEnd() async throws {
        try await withTestServer { _, responder in
            try await responder.sendHead(
                headers: [.contentType: "multipart/byteranges; boundary=r"], length: Self.ranges.utf8.count + 1)
            try await responder.write(Bytes(Self.ranges))
            responder.close()
        } run: { server in
            var found: [String] = []
            for try await part in try await HTTPClient().get(server.url()).parts() {
                found.append(try await text(part))
            }
            #expect(found == ["abcd", "hi"])
        }
    }

    @Test("a wrong checksum of the content coding is an error, even if it arrives after the last part")
    func wrongChecksum() async throws {
        let content = Bytes(Self.ranges)
        let (low, high) = (UInt8(content.count), UInt8(0))
        // A gzip header, and one stored block (RFC 1951 3.2.4, RFC 1952 2.3). The checksum follows later.
        let coded = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [1, low, high, ~low, ~high] + Array(content)
        let hasParts = TestSignal()
        try await withTestServer { _, responder in
            try await responder.sendHead(
                headers: [.contentType: "multipart/byteranges; boundary=r", .contentEncoding: "gzip"],
                length: coded.count + 8)
            try await responder.write(Bytes(coded))
            try await hasParts.wait()
            try await responder.write(Bytes([1, 2, 3, 4, low, 0, 0, 0]))
            try await responder.finish()
        } run: { server in
            // The clock stands still, so that the drain of the epilogue does not time out.
            let client = HTTPClient(clock: ManualClock())
            let response = try await client.get(server.url())
            var parts = try MultipartReader(
                ResponseByteSource(response, clock: client.scope.settings.clock), type: response.contentType,
                limits: MultipartLimits(), request: nil
            ).makeAsyncIterator()
            for _ in 0..<2 { _ = try #require(try await parts.next()) }
            hasParts.fire()
            let error = await #expect(throws: SockeyeError.self) { try await parts.next() }
            #expect(error?.code == .badContentCoding)
        }
    }

    @Test("the last part cannot be read either after it was skipped")
    func skippingLast() async throws {
        var parts = try response(Self.ranges).parts().makeAsyncIterator()
        _ = try await parts.next()
        let last = try #require(try await parts.next())
        #expect(try await parts.next() == nil)
        let error = await #expect(throws: SockeyeError.self) { try await last.bytes() }
        #expect(error?.code == .bodyConsumed)
    }

    @Test("unread parts are skipped and cannot be read later")
    func skipping() async throws {
        var parts = try response(Self.ranges).parts().makeAsyncIterator()
        let first = try #require(try await parts.next())
        var content = first.body.makeAsyncIterator()
        #expect(try await content.next() == Bytes("abcd"))
        let second = try #require(try await parts.next())
        let error = await #expect(throws: SockeyeError.self) { _ = try await content.next() }
        #expect(error?.code == .bodyConsumed)
        #expect(try await text(second) == "hi")
        #expect(try await text(second) == "", "the part was read to its end")
        #expect(try await parts.next() == nil)
        #expect(try await parts.next() == nil)
    }

    @Test("parts of a form have names and file names, and nested multipart content can be read")
    func nested() async throws {
        let body =
            "--r\r\nContent-Disposition: form-data; name=\"a%22\"; filename=\"b.txt\"\r\nContent-Type: text/plain\r\n\r\n1\r\n"
            + "--r\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\n\r\nx\r\n--in\r\n\r\ny\r\n--in--\r\n--r--"
        var parts = try response(body, type: "multipart/form-data; boundary=r").parts().makeAsyncIterator()
        let first = try #require(try await parts.next())
        #expect(first.name == "a\"")
        #expect(first.filename == "b.txt")
        #expect(first.contentType?.essence == "text/plain")
        let second = try #require(try await parts.next())
        #expect(second.name == nil)
        var inside: [String] = []
        for try await part in try second.parts() { inside.append(try await text(part)) }
        #expect(inside == ["x", "y"])
        #expect(try await parts.next() == nil)
    }

    @Test("a multipart response needs a multipart type with a boundary")
    func types() throws {
        for (type, code) in [
            ("text/plain", SockeyeError.Code.unacceptableContentType), ("multipart/mixed", .malformedResponse),
            ("multipart/mixed; boundary=\"\"", .malformedResponse),
        ] {
            let error = #expect(throws: SockeyeError.self) { try response("", type: type).parts() }
            #expect(error?.code == code)
            #expect(error?.url == "http://x/")
        }
    }

    @Test("malformed or too many parts fail, and fail again at the next call")
    func malformed() async throws {
        var limits = MultipartLimits()
        limits.parts = 1
        let cases: [(String, SockeyeError.Code)] = [
            ("--r\r\n\r\n1", .malformedResponse), ("none", .malformedResponse),
            ("--r\r\n\r\n1\r\n--r\r\n\r\n2\r\n--r--", .limitExceeded),
        ]
        for (body, code) in cases {
            var parts = try response(body).parts(limits: limits).makeAsyncIterator()
            for _ in 0..<2 {
                let error = await #expect(throws: SockeyeError.self) {
                    while (try await parts.next()) != nil {}
                }
                #expect(error?.code == code)
                #expect(error?.blame != .caller)
            }
        }
    }

    @Test("a part can be collected up to a limit")
    func limit() async throws {
        var parts = try response(Self.ranges).parts().makeAsyncIterator()
        let part = try #require(try await parts.next())
        let error = await #expect(throws: SockeyeError.self) { _ = try await part.bytes(upTo: 3) }
        #expect(error?.code == .limitExceeded)
    }
}
