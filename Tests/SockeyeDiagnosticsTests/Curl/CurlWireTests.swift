import Foundation
import Sockeye
import SockeyeCore
import SockeyeDiagnostics
import SockeyeTestSupport
import SockeyeTesting
import Testing

private let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

/// Compares the request that curl sends, run by the system's shell, with the request that the client sends.
@Suite("curl commands on the wire", .timeLimit(.minutes(3)), .enabled(if: hasCurl, "curl is not installed"))
struct CurlWireTests {
    /// A request as received by the server.
    private struct Seen: Equatable, CustomStringConvertible {
        let line: String
        let fields: [String]
        let content: Bytes

        var description: String { "\(line)\n\(fields.joined(separator: "\n"))\n\n\(content.map { $0 })" }
    }

    private func withRecorder(
        _ body: (TestServer, Recorder<Seen>, _ folder: String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let seen = Recorder<Seen>()
        try await withTestServer { request in
            let content = try await request.body.collect()
            let fields = request.headers.map { "\($0.name.description.lowercased()): \($0.value)" }.sorted()
            seen.append(Seen(line: "\(request.method) \(request.target)", fields: fields, content: content))
            return .ok("answer")
        } run: { server in
            try await body(server, seen, folder.path())
        }
    }

    /// Runs a command in a folder with the shell of the system, without the user's settings.
    private func run(_ command: String, in folder: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let environment = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C"]
                        let done = try ShellCommand(command, in: folder, environment: environment)
                        #expect(done.status == 0, "\(command)")
                        return done.output
                    })
            }
        }
    }

    private func check(
        _ request: OutgoingRequest, _ client: HTTPClient, _ seen: Recorder<Seen>, in folder: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let response = try await client.send(request)
        _ = try await response.text()
        let command = try await request.curlCommand(as: client, showingSecrets: true)
        #expect(command.isComplete, sourceLocation: sourceLocation)
        _ = try await run("\(command)", in: folder)
        let (own, curls) = (seen.values.dropLast().last, seen.values.last)
        #expect(own == curls, "\(command)", sourceLocation: sourceLocation)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before, "a command was run")
    }

    /// Values that a shell, curl or printf could interpret.
    private static let hostile = [
        "plain", "", " lead and trail ", "it's", "'", "''", "\"quoted\"", "$(touch x)", "`touch x`", "${HOME}", "$HOME",
        "\\",
        "\\n", "\\0101", "a\\'b", "@/etc/passwd", "@-", "-d", "--output x", "; touch x", "| touch x", "& touch x",
        "> x", "#x",
        "!x", "%s%d%n", "%", "{a,b}", "[1-3]", "*", "?", "~", "é", "日本", "\u{301}'", "'\u{301}", "a\nb", "a\n", "\nb",
        "a\tb", "<x", "=", "a=b;c", "\u{1F600}",
    ]

    @Test("any text content arrives unchanged", arguments: [false, true])
    func contents(isTyped: Bool) async throws {
        try await withRecorder { server, seen, folder in
            for value in Self.hostile {
                var request = try OutgoingRequest(method: .post, url: server.url(), body: .string(value))
                if isTyped { request.headers[.contentType] = "text/plain" }
                try await check(request, HTTPClient(), seen, in: folder)
            }
        }
    }

    @Test("bytes of every value and in any order arrive unchanged")
    func bytes() async throws {
        try await withRecorder { server, seen, folder in
            var random = SplitMix(seed: 7)
            var contents = [
                Bytes(Array(0...255)), Bytes([0]), Bytes([0, 0, 10, 0]), Bytes([13, 10]),
                Bytes(repeatElement(0, count: 3000)),
            ]
            for _ in 0..<40 {
                let alphabet: [UInt8] = [0, 10, 13, 27, 34, 37, 39, 48, 49, 55, 92, 120, 128, 255]
                contents.append(
                    Bytes(
                        (0..<Int.random(in: 1...60, using: &random)).map { _ in
                            alphabet.randomElement(using: &random) ?? 0
                        }))
            }
            for content in contents {
                let request = try OutgoingRequest(method: .put, url: server.url(), body: .bytes(content))
                try await check(request, HTTPClient(), seen, in: folder)
            }
        }
    }

    @Test("fields arrive unchanged")
    func fields() async throws {
        try await withRecorder { server, seen, folder in
            for value in Self.hostile where !value.contains("\n") {
                let request = try OutgoingRequest(
                    url: server.url("/x"), headers: ["X-Value": value, "X-Value": "second"])
                try await check(request, HTTPClient(), seen, in: folder)
            }
        }
    }

    @Test("targets arrive unchanged")
    func targets() async throws {
        try await withRecorder { server, seen, folder in
            for target in [
                "/", "/a%2Fb/%2e%2e/c", "/?a=[1-3]&b={x,y}", "/'$(touch%20x)'", "/a;b=c?d=e&f=;g#h", "/@x?@=%00", "/*",
            ] {
                try await check(try OutgoingRequest(url: server.url(target)), HTTPClient(), seen, in: folder)
            }
        }
    }

    @Test(
        "every method arrives with the same Content-Length as the client's own request, or without one",
        arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "x-Y!"])
    func methods(name: String) async throws {
        try await withRecorder { server, seen, folder in
            let method = try #require(HTTPRequest.Method(name))
            try await check(try OutgoingRequest(method: method, url: server.url()), HTTPClient(), seen, in: folder)
        }
    }

    @Test("files, forms with files and long texts arrive unchanged")
    func files() async throws {
        try await withRecorder { server, seen, folder in
            let path = folder + "-it's $(touch x)"
            try Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: URL(filePath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let client = HTTPClient()
            try await check(
                try OutgoingRequest(method: .put, url: server.url(), body: .file(path)), client, seen, in: folder)
            for isLarge in [false, true] {
                var form = MultipartForm()
                form.field("title", "it's $(touch x)")
                if isLarge { try form.file("f", at: path) }
                form.data("d", [0, 1, 2], filename: "x\"y.bin")
                var request = try OutgoingRequest(method: .post, url: server.url())
                try request.setBody(form)
                try await check(request, client, seen, in: folder)
            }
            let text = String(repeating: "word ", count: 3000)
            try await check(
                try OutgoingRequest(method: .post, url: server.url(), body: .string(text)), client, seen, in: folder)
        }
    }

    @Test("a client's cookies, credentials, compression and options arrive unchanged")
    func clients() async throws {
        try await withRecorder { server, seen, folder in
            let jar = CookiePolicy.Jar()
            _ = jar.set(try ClientCookie(name: "c", value: "it's", domain: "127.0.0.1", isHostOnly: true))
            let client = HTTPClient().scoped(baseURL: server.url("/v1"), headers: ["X-A": "$(touch x)"])
                .adding(.cookies(jar)).adding(.setting("X-B", to: "'"))
            let base = server.url("/v1/x").replacing("http://", with: "http://ada:p%20w@")
            try await check(try OutgoingRequest(url: base), client, seen, in: folder)
            var options = OutgoingRequest.Options.compressing(.gzip)
            options.closesConnection = true
            let request = try OutgoingRequest(
                method: .post, url: server.url("/v1/y"), headers: ["Expect": "100-continue", "User-Agent": "me"],
                body: "some text", options: options)
            try await check(request, client, seen, in: folder)
        }
    }
}
