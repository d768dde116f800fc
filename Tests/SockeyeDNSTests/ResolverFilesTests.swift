#if AsyncDNS
import Foundation
import SockeyeCore
@testable import SockeyeDNS
import SockeyeTestSupport
import Testing

@testable import SockeyeNet

/// The files resolv.conf(5) and hosts(5), and the environment variables.
@Suite(.timeLimit(.minutes(1)))
struct ResolverFilesTests {
    @Test(
        "the options set the timeout per server and the number of attempts",
        arguments: [
            ("", nil, 5, 2), ("options timeout:3", nil, 3, 2), ("options rotate attempts:4 timeout:1", nil, 1, 4),
            ("# options timeout:3\n;options timeout:3\n", nil, 5, 2),
            ("nameserver 192.0.2.1\noptions timeout:2\noptions attempts:3\n", nil, 2, 3),
            ("options timeout:900 attempts:900", nil, 30, 5), ("options timeout:0 attempts:-1", nil, 1, 1),
            ("options timeout: attempts:x timeout:1x", nil, 5, 2), ("options timeout:3", "timeout:7", 7, 2),
        ] as [(String, String?, Int, Int)])
    func options(file: String, variable: String?, timeout: Int, attempts: Int) {
        let options = ResolverOptions(file: file, variable: variable)
        #expect(options.timeout == timeout)
        #expect(options.attempts == attempts)
    }

    /// Returns a resolver with its own configuration file and the test's server.
    private func resolver(
        _ text: String, asking server: TestNameServer, domains: [String]? = nil, _ folder: TemporaryFolder
    ) throws -> DNSResolver {
        var files = DNSResolver.Files()
        files.configuration = folder.path + "/resolv.conf"
        try text.write(toFile: files.configuration, atomically: true, encoding: .utf8)
        return DNSResolver(asking: server, searchDomains: domains, files: files)
    }

    /// Returns a server that knows only this name, with one address.
    private func server(of name: String) throws -> TestNameServer {
        try TestNameServer { question in
            [.send(question.name == name ? question.reply(["127.0.0.1"]) : question.reply(code: 3))]
        }
    }

    @Test(
        "short names are completed with the search domains, in the order that ndots gives",
        arguments: [
            ("search one.test two.test", "api", "api.two.test", ["api.one.test", "api.two.test"]),
            ("search one.test two.test", "api", "api", ["api.one.test", "api.two.test", "api"]),
            ("search one.test", "v1.api", "v1.api", ["v1.api"]),
            ("search one.test\noptions ndots:2", "v1.api", "v1.api.one.test", ["v1.api.one.test"]),
            ("search one.test", "v1.api", "v1.api.one.test", ["v1.api", "v1.api.one.test"]),
            ("search one.test\noptions ndots:5", "api.test.", "api.test", ["api.test"]),
            ("domain one.test", "api", "api.one.test", ["api.one.test"]),
        ])
    func search(file: String, host: String, known: String, asked: [String]) async throws {
        let folder = try TemporaryFolder()
        let server = try server(of: known)
        let resolver = try resolver(file, asking: server, folder)
        #expect(try await resolver.literals(of: host) == ["127.0.0.1:80"])
        #expect(server.questions.filter { $0.type == DNSQuestion.a }.map(\.name) == asked)
    }

    @Test("given search domains override the file's, and an empty list leaves names as they are")
    func givenDomains() async throws {
        let folder = try TemporaryFolder()
        let server = try server(of: "api.three.test")
        let file = "search one.test"
        let given = try resolver(file, asking: server, domains: ["three.test"], folder)
        #expect(try await given.literals(of: "api") == ["127.0.0.1:80"])
        let none = try resolver(file, asking: server, domains: [], folder)
        let count = server.questions.count
        await #expect(throws: ResolveError.notFound) { try await none.resolve("api", port: 80) }
        // The name is not completed with the domain of this host either.
        #expect(Set(server.questions[count...].map(\.name)) == ["api"])
    }

    @Test("a changed file takes effect with the next look-up")
    func change() async throws {
        let folder = try TemporaryFolder()
        let server = try server(of: "api.two.test")
        let resolver = try resolver("search one.test", asking: server, folder)
        await #expect(throws: ResolveError.notFound) { try await resolver.resolve("api", port: 80) }
        try "search two.test\n".write(toFile: folder.path + "/resolv.conf", atomically: true, encoding: .utf8)
        #expect(try await resolver.literals(of: "api") == ["127.0.0.1:80"])
    }

    @Test(
        "`rotate` spreads questions over the servers, and without it the first one gets them all",
        arguments: [true, false])
    func rotation(isOn: Bool) async throws {
        let folder = try TemporaryFolder()
        let servers = try (0..<2).map { _ in try TestNameServer { [.send($0.reply(["127.0.0.1"]))] } }
        var files = DNSResolver.Files()
        files.configuration = folder.path + "/resolv.conf"
        try (isOn ? "options rotate" : "").write(toFile: files.configuration, atomically: true, encoding: .utf8)
        let resolver = DNSResolver(asking: servers[0], servers[1], files: files)
        for index in 0..<10 { _ = try await resolver.resolve("a\(index).test", port: 80) }
        #expect(servers.map(\.questions.count) == (isOn ? [10, 10] : [20, 0]))
    }

    #if compiler(>=6.3)  // Exit tests take values since then (ST-0012).
    @Test("names in /etc/hosts are answered without a server, with a time to live of zero")
    func hosts() async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run {
                let folder = try TemporaryFolder()
                let path = folder.path + "/hosts"
                try "127.0.0.7 from-file.test alias.test\n::1 from-file.test\n".write(
                    toFile: path, atomically: true, encoding: .utf8)
                // No other thread of this process reads environment variables.
                _ = unsafe setenv("CARES_HOSTS", path, 1)
                let server = try TestNameServer { [.send($0.reply(["127.0.0.1"]))] }
                var files = DNSResolver.Files()
                files.takesHostsFromEnvironment = true
                files.configuration = folder.path + "/none"
                let resolver = DNSResolver(asking: server, files: files)
                let answer = try await resolver.answer(for: "from-file.test", port: 80)
                try demand(
                    Set(answer.addresses.map { "\($0)" }) == ["127.0.0.7:80", "[::1]:80"], "\(answer.addresses)")
                try demand(answer.timeToLive == .zero, "\(String(describing: answer.timeToLive))")
                let alias = try await resolver.literals(of: "alias.test")
                try demand(alias == ["127.0.0.7:80"], "\(alias)")
                try demand(server.questions.isEmpty, "no query for a name in the file")
                let other = try await resolver.literals(of: "other.test")
                try demand(other == ["127.0.0.1:80"], "\(other)")
            }
        }
    }
    #endif
}
#endif
