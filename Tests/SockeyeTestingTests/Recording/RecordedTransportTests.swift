import Foundation
import Sockeye
import SockeyeTestSupport
import Testing

@testable import SockeyeTesting

@Suite("Recording and replaying", .timeLimit(.minutes(2)))
struct RecordedTransportTests {
    private let path = FileManager.default.temporaryDirectory.path + "/sockeye-\(UUID().uuidString)/recording.txt"

    /// Runs the same calls against a server while recording, and from the file after the server was stopped.
    private func twice(
        rules: RecordingRules = RecordingRules(), matching: RecordedTransport.Matching = .init(), server: TestServer,
        _ body: (HTTPClient) async throws -> Void
    ) async throws -> String {
        try await withRecording(path, mode: .record, rules: rules, matching: matching, run: body)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let requests = server.activity.requests
        await server.stop()
        try await withRecording(path, mode: .replay, rules: rules, matching: matching, run: body)
        #expect(server.activity.requests == requests)
        // Replaying does not change the file.
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        return text
    }

    private func remove() {
        try? FileManager.default.removeItem(atPath: String(path.dropLast("/recording.txt".count)))
    }

    @Test("the file of a recording is readable only by its owner, even if others could read the file that it replaces")
    func mode() async throws {
        defer { remove() }
        let server = try TestServer { _ in .ok("1") }
        for _ in 0..<2 {
            try await withRecording(path, mode: .record) { client in _ = try await client.get(server.url("/")).text() }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
        await server.stop()
    }

    @Test("a replay gives the same answers without a network")
    func answers() async throws {
        defer { remove() }
        let server = try TestServer { request in
            switch request {
            case "GET /json": .json(["id": 1]).adding("X-Twice", "a").adding("X-Twice", "b")
            case "HEAD /json": .json(["id": 1])
            case "GET /binary": .bytes(Bytes((0..<1000).map { UInt8($0 % 256) }))
            case "POST /echo": .text(try await request.text()).trailers(["Sum": "1"])
            case "GET /none": .status(.noContent)
            default: .text("not here", status: .notFound)
            }
        }
        let text = try await twice(server: server) { client in
            let json = try await client.get(server.url("/json"))
            #expect(json.status == .ok && json.reason == "OK" && json[.contentLength] == "8")
            #expect(json.headers[values: "X-Twice"] == ["a", "b"])
            #expect(try await json.json(JSONValue.self) == ["id": 1])
            #expect(try await client.head(server.url("/json")).bytes().isEmpty)
            #expect(try await client.get(server.url("/binary")).bytes() == Bytes((0..<1000).map { UInt8($0 % 256) }))
            let echo = try await client.post(server.url("/echo"), .text("gr\u{FC}\u{DF}e\n"))
            #expect(try await echo.text() == "gr\u{FC}\u{DF}e\n")
            #expect(echo.trailers?["Sum"] == "1")
            #expect(try await client.get(server.url("/none")).status == .noContent)
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url("/x"), as: JSONValue.self)
            }
            #expect(error?.code == .unacceptableStatus && error?.response?.body == Bytes("not here"))
        }
        #expect(text.contains("\n< {\"id\":1}\n") && text.contains("\n> gr\u{FC}\u{DF}e\n>\n"))
    }

    @Test("a call is one exchange for monitors and metrics, while recording and while replaying")
    func observed() async throws {
        defer { remove() }
        let server = try TestServer { _ in .ok("1") }
        _ = try await twice(server: server) { client in
            let ended = Recorder<Int>()
            let observed = client.monitored(.calls) { event in
                if case .exchangeEnded(let exchange) = event { ended.append(exchange.metrics.bodyBytesReceived) }
            }
            let response = try await observed.get(server.url("/"))
            #expect(try await response.text() == "1")
            #expect(ended.values.count == 1 && response.metrics?.exchanges.count == 1)
        }
    }

    @Test("finish waits for an exchange that is being recorded before it writes the file")
    func concurrentEnd() async throws {
        defer { remove() }
        try await withTestServer { _ in
            .ok("left unread")
        } run: { server in
            let (isRecording, isWritten) = (TestSignal(), DispatchSemaphore(value: 0))
            var rules = RecordingRules()
            rules.rewrite { text in
                guard !isRecording.isFired else { return text }
                isRecording.fire()
                // Blocks the recorder for 300 ms. The signal comes only after `finish`, which has to wait for the
                // recorder.
                _ = isWritten.wait(timeout: .now() + .milliseconds(300))
                return text
            }
            let transport = try RecordedTransport(path, mode: .record, rules: rules)
            _ = try await HTTPClient(transport: transport).get(server.url())
            try await isRecording.wait()
            try await transport.finish()
            isWritten.signal()
            #expect(transport.count == 1)
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("left unread"))
        }
    }

    @Test("redirects, challenges, cookies and retries work while recording and while replaying")
    func policies() async throws {
        defer { remove() }
        let count = Recorder<String>()
        let server = try TestServer { request in
            switch request {
            case "GET /moved": .redirect(to: "/secret").adding(.setCookie, "session=s3cret-cookie; Path=/")
            case "GET /secret":
                request[.authorization] == nil
                    ? .status(401, headers: [.wwwAuthenticate: "Basic realm=\"x\""])
                    : .ok(request[.cookie] == "session=s3cret-cookie" ? "in" : "no cookie")
            default:
                if count.values.isEmpty { .failing503(count) } else { .ok("again") }
            }
        }
        let text = try await twice(server: server) { client in
            let storage = Credential.Storage()
            try storage.set(.user("ada", password: "s3cret-password"), for: server.url("/"))
            let jar = CookiePolicy.Jar()
            let full = client.adding(.credentials(storage)).adding(.cookies(jar)).adding(.retry(max: 1, backoff: .none))
            let response = try await full.get(server.url("/moved"))
            #expect(try await response.text() == "in")
            #expect(response.history.map(\.reason) == [.redirected, .challenged])
            #expect(jar.count == 1)
            #expect(try await full.get(server.url("/busy")).text() == "again")
        }
        #expect(!text.contains("s3cret") && !text.contains("czNjcmV0"))
        #expect(text.contains("> Authorization: Basic (removed)\n"))
        #expect(text.contains("< Set-Cookie: session=(removed); Path=/\n"))
    }

    @Test("streamed requests and responses are recorded, and replayed responses arrive in their pieces")
    func streams() async throws {
        defer { remove() }
        let read = TestSignal()
        let server = try TestServer { request, responder in
            _ = try await request.body.collect()
            try await responder.sendInterim(.earlyHints, headers: ["Link": "</a>"])
            try await responder.sendHead()
            try await responder.write("first")
            try await read.wait()
            try await responder.write("second")
            try await responder.finish()
        }
        let text = try await twice(server: server) { client in
            let interims = Recorder<String>()
            var options = OutgoingRequest.Options()
            options.onInterim = { interims.append("\($0.status.code) \($0.headers["Link"] ?? "")") }
            let body = OutgoingRequest.Body.stream(Pieces(["a", "b"])).trailers { ["T": "1"] }
            let response = try await client.post(server.url(), .body(body), options: options)
            var pieces: [String] = []
            for try await piece in response.body {
                pieces.append(String(decoding: piece, as: UTF8.self))
                read.fire()
            }
            #expect(pieces == ["first", "second"])
            #expect(interims.values == ["103 </a>"])
        }
        #expect(text.contains("* chunked\n>\n> ab\n* trailers\n> T: 1\n"))
        #expect(text.contains("* pieces 5 6\n<\n< firstsecond\n"))
    }

    @Test("multipart forms are matched although their boundaries differ each time")
    func multipart() async throws {
        defer { remove() }
        let server = try TestServer { request in .ok(String(try await request.body.discard())) }
        let lengths = Recorder<String>()
        func run(_ client: HTTPClient) async throws {
            let response = try await client.post(
                server.url(),
                .multipart { form in
                    form.field("title", "Coast")
                    form.data("photo", Bytes([0, 1, 2]), filename: "a.bin", contentType: "application/octet-stream")
                })
            lengths.append(try await response.text())
        }
        _ = try await twice(server: server, run)
        #expect(lengths.values.count == 2 && lengths.values[0] == lengths.values[1])
        let other = try RecordedTransport(path, mode: .replay)
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient(transport: other).post(server.url(), .multipart { $0.field("title", "Sea") })
        }
        #expect((error?.underlying as? TestServerError)?.code == .unexpectedRequest)
    }

    @Test("network errors before and during a response are recorded")
    func errors() async throws {
        defer { remove() }
        let closed = try ClosedPort()
        let server = try TestServer { request in
            switch request {
            case "GET /half": .ok("half of it").cut(after: 4)
            default: .never
            }
        }
        let seen = Recorder<String>()
        let text = try await twice(server: server) { client in
            for (url, options) in [
                (closed.url(), .init()), (server.url("/half"), .init()),
                (server.url("/never"), .timeout(head: .milliseconds(50))),
            ] as [(String, OutgoingRequest.Options)] {
                let error = await #expect(throws: SockeyeError.self) {
                    try await client.get(url, options: options).bytes()
                }
                if let error { seen.append("\(error.code) \(error.phase) \(error.blame) \(error.url ?? "")") }
            }
        }
        #expect(seen.values.count == 6 && seen.values.prefix(3).elementsEqual(seen.values.suffix(3)))
        #expect(seen.values[0].hasPrefix("connectFailed connect network"))
        #expect(seen.values[1].hasPrefix("connectionClosed body peer"))
        #expect(seen.values[2].hasPrefix("timeout head peer"))
        #expect(text.contains("\n< half\n* error connectionClosed body peer "))
    }

    @Test("content codings are undone before recording, and their fields removed")
    func codings() async throws {
        defer { remove() }
        let coded: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x2B, 0xCE, 0x4D, 0xCC, 0xC9, 1, 0, 0x13, 0xEA, 0x45, 0x75, 5, 0, 0, 0,
        ]
        let server = try TestServer { _ in .bytes(Bytes(coded), headers: [.contentEncoding: "gzip"]) }
        let text = try await twice(server: server) { client in
            let response = try await client.get(server.url())
            #expect(response[.contentEncoding] == nil && response[.contentLength] == nil)
            #expect(response.body.expectedLength == nil)
            let content = try? await response.text()
            #expect(content == "small")
        }
        #expect(text.contains("* decoded\n<\n< small\n"))
    }

    /// A transport that returns a response after it has read the body.
    private struct ReadingTransport: HTTPTransport {
        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            let response = IncomingResponse(status: .ok, body: Bytes("a"), url: request.url)
            _ = try await response.bytes()
            return response
        }
    }

    @Test("a body that the network's transport has already read is recorded as an error, not as empty")
    func readBefore() async throws {
        defer { remove() }
        let recorded = try RecordedTransport(path, mode: .record, over: HTTPClient(transport: ReadingTransport()))
        let response = try await HTTPClient(transport: recorded).get("https://a.test/")
        let error = await #expect(throws: SockeyeError.self) { try await response.bytes() }
        #expect(error?.code == .bodyConsumed)
        try await recorded.finish()
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("* error bodyConsumed body caller "))
    }

    @Test("an unread body is recorded and available to the replay")
    func unread() async throws {
        defer { remove() }
        let server = try TestServer { _ in .source(length: 100_000) }
        let recorded = try RecordedTransport(path, mode: .record)
        let client = HTTPClient(transport: recorded)
        _ = try await client.get(server.url("/dropped")).status
        let held = try await client.get(server.url("/held"))
        var partly = try await client.get(server.url("/partly")).body.makeAsyncIterator()
        let first = try await partly.next()?.count ?? 0
        try await recorded.finish()
        #expect(recorded.count == 3)
        #expect(TestPattern.matches(try await held.bytes(), at: 0))
        var rest = first
        while let piece = try await partly.next() { rest += piece.count }
        #expect(rest == 100_000)
        await server.stop()
        try await withRecording(path, mode: .replay) { client in
            for path in ["/dropped", "/held", "/partly"] {
                let bytes = try await client.get(server.url(path)).bytes()
                #expect(bytes.count == 100_000 && TestPattern.matches(bytes, at: 0))
            }
        }
    }

    @Test("in the mode recordMissing, only exchanges that the file lacks are requested and added")
    func missing() async throws {
        defer { remove() }
        let server = try TestServer { request in .ok(request.path + (try await request.text())) }
        for (mode, paths) in [
            (.recordMissing, ["/a"]), (.recordMissing, ["/a", "/b"]), (.recordMissing, ["/a", "/b"]),
            (.replay, ["/b", "/a"]),
        ] as [(RecordedTransport.Mode, [String])] {
            try await withRecording(path, mode: mode) { client in
                for path in paths {
                    let reply = try await client.put(server.url(path), .body(.stream(Pieces(["x", "y"]))))
                    #expect(try await reply.text() == path + "xy")
                }
            }
        }
        #expect(server.activity.requests == 2)
    }

    @Test("a replay in strict order refuses a request out of order and reports unused exchanges")
    func refuses() async throws {
        defer { remove() }
        let server = try TestServer { _ in .ok() }
        try await withRecording(path, mode: .record) { client in
            for name in ["a", "b"] { try await client.post(server.url("/users"), .json(["name": name])) }
        }
        let strict = try RecordedTransport(path, mode: .replay, matching: .init(order: .strict))
        let client = HTTPClient(transport: strict).adding(.retry(max: 2, backoff: .none))
        let error = await #expect(throws: SockeyeError.self) {
            try await client.post(server.url("/users"), .json(["name": "b"]))
        }
        #expect(error?.description.contains("the next one, number 1, differs") == true)
        #expect(error?.description.contains(#"body: .name: "a" expected, got "b""#) == true)
        #expect(error?.history.isEmpty == true)
        let failure = await #expect(throws: TestServerError.self) { try await strict.finish() }
        #expect(failure?.code == .unexpectedRequest)
        let half = try RecordedTransport(path, mode: .replay, matching: .init(order: .strict))
        try await HTTPClient(transport: half).post(server.url("/users"), .json(["name": "a"]))
        let unused = await #expect(throws: TestServerError.self) { try await half.finish() }
        #expect(unused?.code == .verificationFailed && unused?.message.contains("POST http://") == true)
    }

    @Test("the error for a missing file says how to record it, and a failed test writes no file")
    func files() async throws {
        defer { remove() }
        let missing = #expect(throws: TestServerError.self) { try RecordedTransport(path, mode: .replay) }
        #expect(missing?.code == .badRecording && missing?.message.contains("SOCKEYE_RECORD=all") == true)
        struct Oops: Error {}
        await #expect(throws: Oops.self) { try await withRecording(path, mode: .record) { _ in throw Oops() } }
        #expect(!FileManager.default.fileExists(atPath: path))
        let server = try TestServer { _ in .source(length: 1000) }
        let small = try RecordedTransport(path, mode: .record, bodyLimit: 999)
        #expect(try await HTTPClient(transport: small).get(server.url()).bytes().count == 1000)
        let tooLarge = await #expect(throws: TestServerError.self) { try await small.finish() }
        #expect(tooLarge?.code == .badRecording && tooLarge?.message.contains("999 bytes") == true)
        let relative = try RecordedTransport("folder/x.txt", mode: .record)
        #expect(
            relative.path == #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/folder/x.txt")
    }

    @Test("a call's body limit applies while recording and while replaying")
    func limits() async throws {
        defer { remove() }
        let server = try TestServer { _ in .ok("hello") }
        let text = try await twice(server: server) { client in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url(), options: .limit(body: 4))
            }
            #expect(error?.code == .limitExceeded && error?.limit?.name == "bodyLimit")
        }
        #expect(text.contains("\n< hello\n"))
    }
}

extension TestServerResponse {
    /// Returns 503 and notes it.
    fileprivate static func failing503(_ notes: Recorder<String>) -> TestServerResponse {
        notes.append("503")
        return .status(.serviceUnavailable)
    }
}
