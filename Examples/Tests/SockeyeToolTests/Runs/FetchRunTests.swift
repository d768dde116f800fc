import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite("sockeye URL", .timeLimit(.minutes(3)))
struct FetchRunTests {
    /// Answers with a description of the request.
    @Sendable
    private static func echo(_ request: TestRequest) async throws -> TestServerResponse {
        let type = request[.contentType] ?? "none"
        return .text("\(request.method) \(request.target) \(type)\n\(try await request.text())")
    }

    @Test(arguments: [
        ([], "GET /p none\n"), (["-X", "DELETE"], "DELETE /p none\n"), (["--query", "a=b c"], "GET /p?a=b%20c none\n"),
        (["-d", "a=1", "-d", "b=2"], "POST /p application/x-www-form-urlencoded\na=1&b=2"),
        (["-d", "a,b", "--content-type", "text/csv"], "POST /p text/csv\na,b"),
        (["-d", "a,b", "-H", "Content-Type: text/csv"], "POST /p text/csv\na,b"),
        (["-d", "-1"], "POST /p application/x-www-form-urlencoded\n-1"),
        (["-d", "@-"], "POST /p application/x-www-form-urlencoded\nfrom stdin"),
        (["--data-urlencode", "n=a&b"], "POST /p application/x-www-form-urlencoded\nn=a%26b"),
        (["-G", "-d", "a=1"], "GET /p?a=1 none\n"),
        (["--data-json", "{\"a\": 1.50}"], "POST /p application/json\n{\"a\":1.50}"),
        (["name=coast", "depth:=12"], "POST /p application/json\n{\"name\":\"coast\",\"depth\":12}"),
        (["-X", "PATCH", "a=1"], "PATCH /p application/json\n{\"a\":\"1\"}"),
    ])
    func `sends what curl and httpie would`(arguments: [String], expected: String) async throws {
        try await withTestServer(handler: Self.echo) { server in
            let run = try await Tool.run([server.url("/p")] + arguments, input: "from stdin")
            #expect(run.output == expected && run.status == 0 && run.error == "")
        }
    }

    @Test
    func `the method may stand before the URL, and files are sent as they are or in forms`() async throws {
        let folder = try Tool.Folder()
        try folder.write("content", to: "file.txt")
        try await withTestServer(handler: Self.echo) { server in
            let put = try await Tool.run(["put", server.url("/p"), "-T", "file.txt"], in: folder)
            #expect(put.output == "PUT /p none\ncontent")
            let form = try await Tool.run(
                [server.url("/p"), "-F", "title=Coast", "-F", "photo=@file.txt;type=image/jpeg"], in: folder)
            #expect(form.output.hasPrefix("POST /p multipart/form-data; boundary="))
            for part in ["name=\"title\"", "Coast", "filename=\"file.txt\"", "Content-Type: image/jpeg", "content"] {
                #expect(form.output.contains(part))
            }
            let data = try await Tool.run([server.url("/p"), "-d", "@file.txt"], in: folder)
            #expect(data.output.hasSuffix("\ncontent"))
            let missing = try await Tool.run([server.url("/p"), "-T", "nothing"], in: folder)
            #expect(missing.status == 26)
        }
    }

    @Test
    func `the head is printed when it is asked for, and the content goes to a file`() async throws {
        let folder = try Tool.Folder()
        try await withTestServer { request in
            request.method == .head ? .status(204, headers: ["X-A": "head"]) : .ok("content", headers: ["X-A": "b"])
        } run: { server in
            let included = try await Tool.run([server.url(), "-i"])
            #expect(included.output.hasPrefix("HTTP/1.1 200 OK\n") && included.output.contains("\nX-A: b\n"))
            #expect(included.output.hasSuffix("\n\ncontent"))
            let head = try await Tool.run([server.url(), "-I"])
            #expect(head.output.hasPrefix("HTTP/1.1 204 No Content\n") && head.output.contains("X-A: head"))
            let file = try await Tool.run([server.url("/dir/name.txt"), "-o", "f.txt"], in: folder)
            #expect(file.output == "" && folder.read("f.txt") == Data("content".utf8))
            _ = try await Tool.run([server.url("/dir/name.txt"), "-O"], in: folder)
            #expect(folder.read("name.txt") == Data("content".utf8))
            let nowhere = try await Tool.run([server.url(), "-o", "missing/f.txt"], in: folder)
            #expect(nowhere.status == 23 && nowhere.error.contains("missing/f.txt cannot be written"))
        }
    }

    @Test
    func `JSON in a pipe is unchanged, and indented on request`() async throws {
        try await withTestServer { _ in
            .bytes(Bytes(#"{"a":[1.50,null]}"#), contentType: "application/json")
        } run: { server in
            #expect(try await Tool.run([server.url()]).output == #"{"a":[1.50,null]}"#)
            let formatted = try await Tool.run([server.url(), "--pretty", "format"])
            #expect(formatted.output == "{\n  \"a\": [\n    1.50,\n    null\n  ]\n}\n")
            let colored = try await Tool.run([server.url(), "--pretty", "colors"])
            #expect(colored.output.contains("\u{1B}[35m1.50\u{1B}[0m"))
        }
    }

    @Test
    func `redirects are followed, limited or returned`() async throws {
        try await withTestServer { request in
            let number = Int(request.path.dropFirst()) ?? 0
            return number == 0 ? .text("there") : .redirect(to: "/\(number - 1)")
        } run: { server in
            #expect(try await Tool.run([server.url("/3"), "-L"]).output == "there")
            let limited = try await Tool.run([server.url("/3"), "--max-redirs", "2"])
            #expect(limited.status == 47 && limited.error.contains("--max-redirs"))
            let manual = try await Tool.run([server.url("/3"), "--no-redirects", "-i"])
            #expect(manual.status == 0 && manual.output.hasPrefix("HTTP/1.1 302 Found"))
        }
    }

    @Test
    func `cookies are sent, kept in a file and read from it`() async throws {
        let folder = try Tool.Folder()
        try await withTestServer { request in
            .text(request["Cookie"] ?? "none", headers: ["Set-Cookie": "s=1; Path=/"])
        } run: { server in
            #expect(try await Tool.run([server.url(), "-b", "a=1; b=2"]).output == "a=1; b=2")
            let arguments = [server.url(), "-b", "jar", "-c", "jar"]
            #expect(try await Tool.run(arguments, in: folder).output == "none")
            #expect(try await Tool.run(arguments, in: folder).output == "s=1")
            let missing = try await Tool.run([server.url(), "-b", "nothing"], in: folder)
            #expect(missing.output == "none" && missing.status == 0)
            let folderAsFile = try await Tool.run([server.url(), "-b", "."], in: folder)
            #expect(folderAsFile.status == 26)
        }
    }

    @Test
    func `credentials are sent by the requested scheme`() async throws {
        try await withTestServer { request in
            .text(request[.authorization] ?? "none")
        } run: { server in
            #expect(try await Tool.run([server.url(), "-u", "ada:pw"]).output == "Basic YWRhOnB3")
            #expect(try await Tool.run([server.url(), "--bearer", "token"]).output == "Bearer token")
            let asked = try await Tool.run([server.url(), "-u", "ada"])
            #expect(asked.status == 2 && asked.error.contains("NAME:PASSWORD"))
            let elsewhere = ["http://example.com:1/", "--resolve", "example.com:1:127.0.0.1", "-u", "ada:pw"]
            let refused = try await Tool.run(elsewhere)
            #expect(refused.status == 94 && refused.error.contains("https://example.com:1/"))
            #expect(!refused.error.contains("pw"))
        }
    }

    @Test
    func `requests go through a proxy, by option or by environment, or around it`() async throws {
        try await withTestServer { request in
            .text("proxy \(request.target) \(request[.proxyAuthorization] ?? "")")
        } run: {
            proxy in
            try await withTestServer { _ in
                .text("server")
            } run: { server in
                let address = "http://user:secret@127.0.0.1:\(proxy.port)"
                let run = try await Tool.run(["http://example.com/x", "-x", address])
                #expect(run.output == "proxy http://example.com/x Basic dXNlcjpzZWNyZXQ=")
                let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
                #expect(
                    try await Tool.run(["http://example.com/y"], environment: environment).output
                        == "proxy http://example.com/y ")
                let around = [
                    "http://example.com:\(server.port)/", "--resolve", "example.com:\(server.port):127.0.0.1",
                ]
                #expect(try await Tool.run(around + ["--no-proxy"], environment: environment).output == "server")
            }
        }
    }

    @Test
    func `--curl prints a curl command`() async throws {
        let run = try await Tool.run(["https://example.com/a?b", "name=coast", "-u", "ada:secret", "--curl"])
        #expect(run.status == 0 && run.output.hasPrefix("curl "))
        #expect(run.output.contains("https://example.com/a?b") && !run.output.contains("secret"))
    }

    @Test
    func `secrets are shown only to those who ask for them`() async throws {
        try await withTestServer { _ in
            .text("ok", headers: ["Set-Cookie": "s=cookie"])
        } run: { server in
            let arguments = [server.url("/p?token=query"), "-u", "ada:password", "-H", "X-Api-Key: field", "-v"]
            let secrets = ["query", "YWRhOnBhc3N3b3Jk", "field", "s=cookie"]
            let masked = try await Tool.run(arguments)
            #expect(masked.output == "ok" && masked.error.contains("> GET /p?token=*** HTTP/1.1"))
            for secret in secrets { #expect(!masked.error.contains(secret), "\(secret)") }
            let shown = try await Tool.run(arguments + ["--show-secrets"])
            for secret in secrets { #expect(shown.error.contains(secret), "\(secret)") }
            let command = try await Tool.run(arguments + ["--curl", "--show-secrets"])
            #expect(command.output.contains("X-Api-Key: field"))
        }
    }

    @Test
    func `other users do not see credentials in the list of processes`() async throws {
        let isSeen = TestSignal()
        try await withTestServer { request in
            try await isSeen.wait()
            return .text(request[.authorization] ?? "none")
        } run: { server in
            let fetch = try Tool.start([server.url(), "--user=ada:pw"])
            try await server.wait { $0.requests == 1 }
            #expect(fetch.visibleWords.dropFirst() == [server.url(), "--user=******"])
            isSeen.fire()
            #expect(try await fetch.outcome().output == "Basic YWRhOnB3")
        }
    }

    @Test
    func `--json prints one JSON object, also for errors`() async throws {
        try await withTestServer { request in
            request.path == "/a" ? .redirect(to: "/b") : .json(["ok": true], headers: ["X-A": "1"])
        } run: { server in
            let json = try await Tool.run([server.url("/a"), "--as-json"]).json
            #expect(json["status"] == 200 && json["body"] == ["ok": true] && json["encoding"] == "json")
            #expect(json["url"]?.string == server.url("/b") && json["history"]?[0]?["status"] == 302)
            #expect(json["timing"]?["exchanges"]?.array?.count == 2)
        }
        let failed = try await Tool.run(["example.com", "--as-json"])
        #expect(failed.status == 3 && failed.error == "")
        #expect(try failed.json["error"]?["hint"] == "did you mean https://example.com?")
    }

    @Test
    func `--as-json with -C prints no content that does not begin at the offset`() async throws {
        try await withTestServer { _ in
            .text("whole")
        } run: { server in
            let run = try await Tool.run([server.url(), "-C", "3", "--as-json"])
            let json = try run.json
            #expect(run.status == 33 && json["body"] == nil && json["error"] != nil, "\(json)")
        }
    }
}
