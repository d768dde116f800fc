import NIOCore
import NIOHTTP1
import Sockeye
import SockeyeNIO
import SockeyeTesting
import Testing

@Suite("Values of NIO", .timeLimit(.minutes(1)))
struct NIOValuesTests {
    @Test("a buffer of any length is sent, and the content becomes a buffer", arguments: [0, 5, 16 << 10, 3 << 20])
    func buffers(length: Int) async throws {
        try await withTestServer { request in
            .bytes(try await request.body.collect())
        } run: { server in
            var sent = ByteBuffer(string: "skipped")
            sent.moveReaderIndex(to: sent.writerIndex)
            sent.writeBytes((0..<length).map { TestPattern.byte(at: $0) })
            let response = try await HTTPClient().put(server.url(), .buffer(sent))
            #expect(response.body.expectedLength == length)
            #expect(try await response.buffer() == sent)
        }
    }

    @Test("a long buffer is sent from its own memory")
    func noCopy() async throws {
        let length = 64 << 20
        let buffer = ByteBuffer(repeating: 7, count: length)
        let before = HeapUsage.current()
        try await withTestServer { request in
            var received = 0
            var peak = 0
            for try await piece in request.body {
                received += piece.count
                peak = max(peak, HeapUsage.current() - before)
            }
            #expect(request["Content-Length"] == "\(length)")
            #expect(received == length)
            #expect(peak < 16 << 20)
            return .ok()
        } run: { server in
            let response = try await HTTPClient().put(server.url(), .buffer(buffer))
            #expect(response.status == .ok)
        }
    }

    @Test("a long buffer is sent again after a redirect")
    func replay() async throws {
        let buffer = ByteBuffer(repeating: 7, count: 1 << 20)
        try await withTestServer { request in
            let content = try await request.body.collect()
            #expect(content == Bytes(buffer.readableBytesView))
            return request.target == "/" ? .redirect(to: "/next", status: 307) : .ok("arrived")
        } run: { server in
            let response = try await HTTPClient().put(server.url(), .buffer(buffer))
            #expect(try await response.text() == "arrived")
        }
    }

    @Test("a sequence of buffers is sent as it arrives, and received as it arrives")
    func streams() async throws {
        let (buffers, more) = AsyncStream<ByteBuffer>.makeStream()
        let hasFirst = TestSignal()
        try await withTestServer { (request: TestRequest, responder: TestResponder) in
            var received = ""
            for try await piece in request.body {
                received += String(decoding: piece, as: UTF8.self)
                if received == "one" { more.yield(ByteBuffer(string: "two")) }
                if received == "onetwo" { more.finish() }
            }
            try await responder.sendHead()
            try await responder.write(received)
            try await hasFirst.wait()
            try await responder.write("three")
            try await responder.finish()
        } run: { server in
            more.yield(ByteBuffer(string: "one"))
            let response = try await HTTPClient().put(server.url(), .buffers(buffers))
            var received = ""
            for try await buffer in response.buffers {
                received += String(buffer: buffer)
                if received == "onetwo" { hasFirst.fire() }
            }
            #expect(received == "onetwothree")
        }
    }

    @Test("content beyond the limit is an error, with and without Content-Length", arguments: [true, false])
    func limit(hasLength: Bool) async throws {
        try await withTestServer { _ in
            let pieces = AsyncStream<Bytes> { continuation in
                continuation.yield(Bytes("12345"))
                continuation.yield(Bytes("6"))
                continuation.finish()
            }
            return .stream(pieces, length: hasLength ? 6 : nil)
        } run: { server in
            let client = HTTPClient()
            #expect(try await client.get(server.url()).buffer(upTo: 6) == ByteBuffer(string: "123456"))
            let response = try await client.get(server.url())
            let error = await #expect(throws: SockeyeError.self) { try await response.buffer(upTo: 5) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test("a length that no buffer can have is refused, whatever the limit is")
    func announcedLength() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\n"
        let server = try await RawServer.start(script: [.readRequest, .send(head), .readToEnd])
        let response = try await HTTPClient().get(server.url())
        let error = await #expect(throws: SockeyeError.self) { try await response.buffer(upTo: .max) }
        #expect(error?.code == .limitExceeded)
        await server.stop()
    }

    @Test("fields keep their order and repetitions in both directions")
    func fields() {
        let fields: HTTPHeaders = ["Set-Cookie": "a=1", "x-other": "", "set-cookie": "b=2"]
        let headers = Headers(fields)
        #expect(headers.map(\.name.description) == ["Set-Cookie", "x-other", "set-cookie"])
        #expect(headers.map(\.value) == ["a=1", "", "b=2"])
        #expect(Array(HTTPHeaders(headers)).map { "\($0)" } == Array(fields).map { "\($0)" })
    }

    @Test("methods and statuses are converted")
    func methodsAndStatuses() throws {
        #expect(try HTTPRequest.Method(.PATCH) == .patch)
        #expect(try HTTPRequest.Method(.RAW(value: "PURGE")).rawValue == "PURGE")
        #expect(throws: HTTPRequest.Method.InvalidMethod.self) { try HTTPRequest.Method(.RAW(value: "A B")) }
        let url = try HTTPURL("http://a.example/")
        #expect(HTTPResponseStatus(of: IncomingResponse(status: .notFound, url: url)) == .notFound)
        let own = HTTPResponse.Status(code: 299, reasonPhrase: "Own")
        let status = HTTPResponseStatus(of: IncomingResponse(status: own, url: url))
        #expect(status.code == 299 && status.reasonPhrase == "Own")
    }
}
