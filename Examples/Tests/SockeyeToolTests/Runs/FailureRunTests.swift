import Sockeye
import SockeyeTesting
import Testing

@Suite("sockeye's errors", .timeLimit(.minutes(3)))
struct FailureRunTests {
    @Test(arguments: [
        (["example.com/x"], 3, "did you mean https://example.com/x?"), (["ftp://example.com/"], 3, "invalidURL"),
        ([], 2, "the URL is missing"), (["http://h/", "--frob"], 2, "--frob"),
        (["http://h/", "-d", "a", "b=1"], 2, "content"),
        (["http://h/f", "--as-json", "-o", "f"], 2, "--output"), (["http://h/f", "--as-json", "-O"], 2, "--output"),
        (["http://name.invalid/", "--no-proxy"], 6, "name.invalid"),
        (["http://h/", "--cert", "a", "--retry", "-1"], 2, "retry"),
        (["http://h/", "--key", "k"], 2, "--cert"), (["http://h/", "--pin", "x"], 2, "--pin"),
        (["http://h/", "--max-time", "1e10"], 2, "--max-time"), (["bench", "http://h/", "-n", "0"], 2, "--requests"),
        (["bench", "http://h/", "-o", "f"], 2, "--output"), (["trace", "http://h/", "-o", "f"], 2, "--output"),
        (["download", "http://h/", "--sha256", "x"], 2, "SHA-256"), (["get"], 2, "after get"),
    ])
    func `an invalid command line is explained on standard error`(
        arguments: [String], status: Int32, part: String
    ) async throws {
        let run = try await Tool.run(arguments)
        #expect(run.status == status && run.output == "")
        #expect(run.error.contains(part), "\(run.error)")
    }

    @Test
    func `failures of networks and servers have curl's exit statuses`() async throws {
        let closed = try ClosedPort()
        let refused = try await Tool.run([closed.url()])
        #expect(refused.status == 7 && refused.error.contains("is a server listening at port \(closed.port)"))
        try await withTestServer { request in
            switch request.path {
            case "/404": .status(404)
            case "/401": .status(401)
            case "/never": .never
            case "/closed": .failure(.closed)
            case "/cut": .bytes(Bytes([UInt8](repeating: 1, count: 100))).cut(after: 50)
            case "/malformed": .failure(.malformed)
            default: .ok("x")
            }
        } run: { server in
            let expected: [(String, [String], Int32, String)] = [
                ("/404", [], 0, ""), ("/404", ["--fail"], 22, "404 Not Found"), ("/401", ["-f"], 22, "--user"),
                ("/never", ["-m", "0.2"], 28, "--max-time"), ("/closed", [], 52, "did you mean https://"),
                ("/cut", [], 18, "connectionClosed"),
            ]
            for (path, arguments, status, part) in expected {
                let run = try await Tool.run([server.url(path)] + arguments)
                #expect(run.status == status && run.error.contains(part), "\(path) \(run.status) \(run.error)")
                if arguments.contains("-f") || arguments.contains("--fail") {
                    #expect(try await Tool.run(["trace", server.url(path)] + arguments).status == status)
                }
                let silent = try await Tool.run([server.url(path), "-s"] + arguments)
                #expect(silent.status == status && silent.error == "")
            }
        }
    }

    @Test
    func `a response that is not HTTP has its own exit status`() async throws {
        let server = try await RawServer.start(script: [.readRequestHead, .send("SSH-2.0-OpenSSH\r\n\r\n"), .close])
        let run = try await Tool.run([server.url()])
        #expect(run.status == 8)
        await server.stop()
    }
}
