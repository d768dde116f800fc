import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Uploads of bodies.
@Suite struct UploadTests {
    private let client = HTTPClient()

    @Test("upload-02: async sequence that yields empty chunks", .timeLimit(.minutes(1)), arguments: [nil, 6])
    func emptyChunks(length: Int?) async throws {
        let chunks = AsyncStream<[UInt8]> { continuation in
            for text in ["", "ab", "", "", "cd", "ef", ""] { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }
        try await withEchoServer { server, log in
            let response = try await client.post(server.url(), .stream(chunks, length: length))
            #expect(response.status == .ok)
            #expect(log.all[0].body == Bytes("abcdef"))
            #expect(log.all[0].values("content-length") == (length == nil ? [] : ["6"]))
        }
    }

    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test("upload-04: a 1 GB body from a generator while the server reads slowly", .timeLimit(.minutes(1)))
    func slowReader() async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(SlowUpload.run)
        }
    }
    #endif

    @Test(
        "upload-09: Expect: 100-continue, server answers 100; answers 417; says nothing; says 401 at once",
        .timeLimit(.minutes(1)))
    func expectContinue() async throws {
        var options = OutgoingRequest.Options()
        options.expectContinue = .seconds(20)
        let ok: RawStep = .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let asking: [RawStep] = [
            .readRequestHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readBytes(7), ok, .readToEnd,
        ]
        let refusing: [RawStep] = [
            .readRequestHead, .send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"), .readToEnd,
        ]
        let granted = try await RawServer.start(script: asking)
        #expect(try await client.post(granted.url(), .body("content"), options: options).status == .ok)
        #expect(granted.receivedText().hasSuffix("\r\n\r\ncontent"))
        // 417: the request is repeated without the expectation (RFC 9110 10.1.1). No byte of the body was sent before.
        let refused = try await RawServer.start(scripts: [refusing, [.readRequest, ok, .readToEnd]])
        #expect(try await client.post(refused.url(), .body("content"), options: options).status == .ok)
        #expect(refused.receivedText(0).hasSuffix("\r\n\r\n") && refused.receivedText(1).hasSuffix("\r\n\r\ncontent"))
        #expect(!refused.receivedText(1).lowercased().contains("expect:"))
        options.expectContinue = .milliseconds(300)
        let silent = try await RawServer.start(script: [.readRequestHead, .readBytes(7), ok, .readToEnd])
        #expect(try await client.post(silent.url(), .body("content"), options: options).status == .ok)
        let denying = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno"), .readToEnd,
        ])
        options.expectContinue = .seconds(20)
        let response = try await client.post(denying.url(), .body("content"), options: options)
        #expect(response.status == .unauthorized)
        #expect(try await response.text() == "no")
        // The server cannot know if the body will follow, so the connection is closed. The body was not sent.
        try await denying.wait { $0.openConnections == 0 }
        #expect(denying.receivedText().hasSuffix("\r\n\r\n"))
    }
}
