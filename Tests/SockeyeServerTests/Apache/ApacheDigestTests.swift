import HTTPTypes
import Sockeye
import Synchronization
import Testing

/// Digest authentication with Apache's mod_auth_digest: MD5, qop auth, and nonces that expire in several ways.
@Suite(
    "Apache: Digest", .enabled(if: ApacheServer.isInstalled, "\(ApacheServer.missing)"), .timeLimit(.minutes(1)))
struct ApacheDigestTests {
    let apache: ApacheServer
    let log: ApacheLog
    let client: HTTPClient

    init() throws {
        apache = try ApacheServer.shared.get()
        log = ApacheLog(server: apache)
        client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
    }

    @Test("Apache accepts the client, even if user name and password need quoting", arguments: ApacheServer.users)
    func accepted(user: String, password: String) async throws {
        let client = HTTPClient().adding(.digest(user: user, password: password))
        let response = try await client.get(apache.url("/digest/hello", mark: log.mark))
        #expect(try await response.text() == ApacheServer.hello)
        #expect(response.history.map(\.reason) == [.challenged])
        #expect(try await log.entries(2).map(\.status) == [401, 200])
    }

    @Test("the client answers with the credentials of the URL or of a storage", arguments: [true, false])
    func otherSources(fromURL: Bool) async throws {
        let storage = Credential.Storage()
        var url = apache.url("/digest/hello")
        if fromURL {
            url = url.replacing("http://", with: "http://ada:love%20lace@")
        } else {
            try storage.set(.user("ada", password: "love lace"), for: apache.url("/"), realm: "sea")
        }
        let client = HTTPClient().adding(.credentials(storage))
        for challenges in [1, 0] {
            let response = try await client.get(url)
            #expect(try await response.text() == ApacheServer.hello)
            #expect(response.history.count == challenges)
        }
    }

    @Test("the client returns the 401 for a wrong password after exactly one answer")
    func refused() async throws {
        let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: "wrong"))
        for _ in 0..<2 {
            let log = ApacheLog(server: apache)
            let response = try await client.get(apache.url("/digest/hello", mark: log.mark))
            #expect(response.status == .unauthorized && response.history.count == 1)
            #expect(try await !response.bytes().isEmpty)
            let entries = try await log.entries(2)
            #expect(entries.map(\.status) == [401, 401] && entries.map(\.count) == [nil, 1])
        }
    }

    @Test("the client sends many requests with one nonce and increasing nonce counts, which Apache checks")
    func counts() async throws {
        for _ in 0..<64 {
            let response = try await client.get(apache.url("/digest/counted", mark: log.mark))
            #expect(try await response.text() == ApacheServer.hello)
        }
        let entries = try await log.entries(65)
        #expect(entries.map(\.status) == [401] + Array(repeating: 200, count: 64))
        #expect(entries.dropFirst().map(\.count) == Array(1...64))
        #expect(Set(entries.compactMap(\.nonce)).count == 1)
        #expect(entries.map(\.number) == Array(0...64), "all on one connection")
    }

    @Test("the client sends credentials to all URLs in the domain of the challenge")
    func domain() async throws {
        _ = try await client.get(apache.url("/digest/hello", mark: log.mark)).bytes()
        _ = try await client.get(apache.url("/domain/hello", mark: log.mark)).bytes()
        #expect(try await log.entries(3).map(\.status) == [401, 200, 200])
        // Outside the protection space no credentials are sent.
        #expect(try await client.get(apache.url("/hello", mark: log.mark)).text() == ApacheServer.hello)
        #expect(try await log.entries(4).last?.nonce == nil)
    }

    @Test("the client uses the nonce of nextnonce if each nonce is valid for one request only")
    func nextNonce() async throws {
        for _ in 0..<10 {
            let response = try await client.get(apache.url("/digest/once", mark: log.mark))
            #expect(try await response.text() == ApacheServer.hello)
        }
        let entries = try await log.entries(11)
        #expect(entries.map(\.status) == [401] + Array(repeating: 200, count: 10))
        #expect(Set(entries.compactMap(\.nonce)).count == 10 && entries.compactMap(\.count).allSatisfy { $0 == 1 })
    }

    @Test("if its nonce has become stale, the client sends the request again with the new nonce")
    func stale() async throws {
        // If the machine is busy for longer than a nonce lives, additional nonces expire, and the test is repeated.
        for _ in 0..<5 {
            let log = ApacheLog(server: apache)
            let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
            let first = try await client.get(apache.url("/digest/short", mark: log.mark))
            // The nonce lives for two seconds of Apache's clock. Apache gives no signal when they have passed.
            try await Task.sleep(for: .milliseconds(2200))
            let second = try await client.get(apache.url("/digest/short", mark: log.mark))
            guard first.history.count == 1, second.history.count == 1 else { continue }
            #expect(try await second.text() == ApacheServer.hello)
            #expect(second.history.first?.headers?[.wwwAuthenticate]?.contains("stale=true") == true)
            #expect(try await log.entries(4).map(\.status) == [401, 200, 401, 200])
            return
        }
        Issue.record("each nonce had expired before its first use")
    }

    @Test("after a restart of Apache the client answers the new challenge without asking the handler again")
    func restarted() async throws {
        let asked = Mutex<[Int]>([])
        let client = HTTPClient().adding(
            .challengeHandler { challenge in
                asked.withLock { $0.append(challenge.previousFailures) }
                return .useCredential(.user(ApacheServer.user, password: ApacheServer.password))
            })
        let first = try ApacheServer()
        _ = try await client.get(first.url("/digest/hello")).bytes()
        await client.pool?.closeIdle()
        first.stop()
        let second = try first.restarted()
        defer { second.stop() }
        let log = ApacheLog(server: second)
        for _ in 0..<2 {
            let response = try await client.get(second.url("/digest/hello", mark: log.mark))
            #expect(try await response.text() == ApacheServer.hello)
        }
        #expect(try await log.entries(3).map(\.status) == [401, 200, 200])
        #expect(asked.withLock { $0 } == [0])
    }

    @Test("64 concurrent requests are accepted, and the next 64 have distinct nonce counts")
    func concurrent() async throws {
        for wave in 0..<2 {
            let log = ApacheLog(server: apache)
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<64 {
                    group.addTask { try await client.get(apache.url("/digest/hello", mark: log.mark)).text() }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: ApacheServer.hello, count: 64))
            guard wave > 0 else { continue }
            let entries = try await log.entries(64)
            #expect(entries.allSatisfy { $0.status == 200 })
            #expect(Set(entries.map { "\($0.nonce ?? "") \($0.count ?? 0)" }).count == 64, "each count occurs once")
        }
    }
}
