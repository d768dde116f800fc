import Foundation
import SockeyePlatform
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Logins from a netrc file", .timeLimit(.minutes(1))) struct NetrcPolicyTests {
    private static let text = """
        machine a.example login ada password l
        machine a.example login bob password b
        machine plain.example login ada password l
        default login any password one
        """

    /// Runs a test with a file of this content.
    private func withFile(_ text: String = text, _ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "netrc-\(UUID().uuidString)").path()
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test("logins are sent without a challenge to named machines, over https or if plain text is allowed")
    func unasked() async throws {
        try await withFile { path in
            let mock = MockTransport { .ok($0["Authorization"] ?? "none") }
            let client = HTTPClient(transport: mock).adding(try .netrc(path))
            #expect(try await client.get("https://a.example/").text() == "Basic YWRhOmw=")
            #expect(try await client.get("https://bob@A.example:444/").text() == "Basic Ym9iOmI=")
            #expect(try await client.get("http://plain.example/").text() == "none")
            #expect(try await client.get("https://other.example/").text() == "none")
            let allowed = HTTPClient(transport: mock).adding(try .netrc(path, allowsPlaintext: true))
            #expect(try await allowed.get("http://plain.example/").text() == "Basic YWRhOmw=")
        }
    }

    @Test("logins answer challenges; the default login is sent only to origins that the caller requested")
    func challenges() async throws {
        try await withFile { path in
            let mock = MockTransport { request in
                if request.path == "/redirect" { return .redirect(to: "https://evil.example/") }
                if let answer = request["Authorization"], answer.hasPrefix("Digest") || request.url.host != "a.example"
                {
                    return .ok(answer)
                }
                return .status(401, headers: [.wwwAuthenticate: "Digest realm=r, nonce=n, qop=auth"])
            }
            let client = HTTPClient(transport: mock).adding(try .netrc(path))
            #expect(try await client.get("https://a.example/").text().contains("username=\"ada\""))
            #expect(try await client.get("http://plain.example/").text().contains("username=\"ada\""))
            #expect(try await client.get("https://other.example/").text().contains("username=\"any\""))
            #expect(try await client.get("https://third.example/redirect").status == .unauthorized)
            #expect(mock.requests.last?.url.host == "evil.example" && mock.requests.last?["Authorization"] == nil)
        }
    }

    @Test("the answer to a Digest challenge is reused for URLs that have only its user, but not for another user")
    func userInURL() async throws {
        try await withFile { path in
            let mock = MockTransport()
            let client = HTTPClient(transport: mock).adding(try .netrc(path))
            mock.enqueue(.status(401, headers: [.wwwAuthenticate: "Digest realm=r, nonce=n, qop=auth"]))
            mock.enqueue(.ok(), .ok(), .ok())
            for user in ["bob", "bob", "ada"] {
                #expect(try await client.get("https://\(user)@a.example/").status == .ok)
            }
            let sent = mock.requests.map { $0["Authorization"] ?? "none" }
            #expect(sent.count == 4)
            #expect(sent.first == "Basic Ym9iOmI=" && sent.last == "Basic YWRhOmw=")
            let answers = sent.filter { $0.hasPrefix("Digest username=\"bob\"") }
            #expect(answers.count == 2 && answers.last?.contains("nc=00000002") == true)
        }
    }

    @Test("a netrc file that others can write is refused", arguments: [0o666, 0o664, 0o620, 0o602, 0o646])
    func writable(mode: mode_t) async throws {
        try await withFile { path in
            unsafe #expect(chmod(path, mode) == 0)
            let error = #expect(throws: SockeyeError.self) { try AuthenticationPolicy.netrc(path) }
            #expect(error?.code == .badConfiguration && error?.message.contains("chmod go-w") == true)
            for fine: mode_t in [0o600, 0o644, 0o400] {
                unsafe #expect(chmod(path, fine) == 0)
                #expect(throws: Never.self) { try AuthenticationPolicy.netrc(path) }
            }
        }
    }

    @Test("a symbolic link, a folder or a pipe is refused as a netrc file, without waiting")
    func links() async throws {
        try await withFile { path in
            let link = path + "-link"
            let pipe = path + "-pipe"
            defer { for path in [link, pipe] { unsafe unlink(path) } }
            unsafe #expect(symlink(path, link) == 0 && mkfifo(pipe, 0o600) == 0)
            let error = #expect(throws: SockeyeError.self) { try AuthenticationPolicy.netrc(link) }
            #expect(error?.code == .badConfiguration && error?.message.contains("symbolic link") == true)
            for other in [pipe, "/tmp", "/dev/null", path + "\0.txt"] {
                #expect(throws: SockeyeError.self) { try AuthenticationPolicy.netrc(other) }
            }
        }
    }

    @Test("a netrc file is refused if its owner is neither the user of the process nor root")
    func owners() async throws {
        try await withFile { path in
            unsafe #expect(chmod(path, 0o600) == 0)
            // Only root can give the file to another user.
            let owners = geteuid() == 0 ? [0, 1000] : [geteuid()]
            for owner in owners {
                if owner != geteuid() { unsafe #expect(chown(path, owner, gid_t.max) == 0) }
                let status = try #require(SystemFile.status(of: path))
                #expect(PermissionCheckedFile.objection(to: status, user: owner) == nil)
                #expect((PermissionCheckedFile.objection(to: status, user: owner + 1) == nil) == (owner == 0))
            }
        }
    }

    @Test("a netrc file that cannot be read or parsed is an error that shows no secret")
    func faults() async throws {
        let missing = #expect(throws: SockeyeError.self) { try AuthenticationPolicy.netrc("/nonexistent/netrc") }
        #expect(missing?.code == .badConfiguration && missing?.phase == .prepare)
        try await withFile("machine a login \"s3cret") { path in
            let error = #expect(throws: SockeyeError.self) { try AuthenticationPolicy.netrc(path) }
            #expect(error?.code == .badConfiguration && !"\(error as Any)".contains("s3cret"))
        }
        try await withFile { path in
            var text = ""
            dump(try AuthenticationPolicy.netrc(path), to: &text)
            #expect(!text.contains("ada") && !text.contains("one"))
        }
    }
}
