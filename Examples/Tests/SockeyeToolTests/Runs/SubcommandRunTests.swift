import Foundation
import Sockeye
import SockeyeTesting
import Testing

/// Options of the client that every subcommand takes.
@Suite("sockeye's subcommands and shared options", .timeLimit(.minutes(3)))
struct SubcommandRunTests {
    private static let commands = [
        ["fetch"], ["trace"], ["bench", "-n", "1"], ["download", "-o", "file", "--silent"],
    ]

    @Test(arguments: commands)
    func `cookies are read from a file and written to one`(command: [String]) async throws {
        let folder = try Tool.Folder()
        try await withTestServer { request in
            let cookies = request["Cookie"] == "s=1" ? "s=2; Path=/" : "s=1; Path=/"
            return .text("content", headers: ["Set-Cookie": cookies])
        } run: { server in
            func jar() throws -> String { String(decoding: try #require(folder.read("jar")), as: UTF8.self) }
            let arguments = command + [server.url("/file"), "-b", "jar", "-c", "jar"]
            let first = try await Tool.run(arguments, in: folder)
            #expect(first.status == 0, "\(first.error)")
            #expect(try jar().contains("s\t1"))
            let second = try await Tool.run(arguments, in: folder)
            #expect(second.status == 0, "\(second.error)")
            #expect(try jar().contains("s\t2"))
        }
    }

    @Test(arguments: [
        (["fetch"], "/cut", 18), (["trace"], "/cut", 18), (["bench", "-n", "1"], "/cut", 18),
        (["fetch", "-f"], "/404", 22), (["trace", "-f"], "/404", 22), (["download", "-o", "file"], "/404", 22),
    ])
    func `cookies of a response that fails are written, too`(
        command: [String], path: String, status: Int32
    ) async throws {
        let folder = try Tool.Folder()
        try await withTestServer { request in
            let fields: Headers = ["Set-Cookie": "s=1; Path=/"]
            if request.path == "/404" { return .text("missing", status: 404, headers: fields) }
            return .bytes(Bytes("0123456789"), headers: fields).cut(after: 5)
        } run: { server in
            let run = try await Tool.run(command + [server.url(path), "-c", "jar"], in: folder)
            #expect(run.status == status, "\(run.status) \(run.error)")
            let jar = String(decoding: try #require(folder.read("jar")), as: UTF8.self)
            #expect(jar.contains("s\t1"))
        }
    }

    @Test(arguments: commands)
    func `a field that the client sends by default can be omitted`(command: [String]) async throws {
        let folder = try Tool.Folder()
        let isOmitted = TestSignal()
        try await withTestServer { request in
            if request["User-Agent"] == nil { isOmitted.fire() }
            return .text("content")
        } run: { server in
            let run = try await Tool.run(command + [server.url("/file"), "-H", "User-Agent:"], in: folder)
            #expect(run.status == 0 && isOmitted.isFired, "\(run.error)")
        }
    }
}
