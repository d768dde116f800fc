import Crypto
import Foundation
import Sockeye
import SockeyeTesting
import Synchronization
import Testing

@testable import MirrorExample

#if ASYNC_HTTP_CLIENT
@testable import MirrorExampleBefore
#endif

@Suite("A program ported from async-http-client", .timeLimit(.minutes(1)))
struct MirrorExampleTests {
    /// The program with Sockeye and, if the build has it, the one with async-http-client.
    enum Program: CaseIterable {
        #if ASYNC_HTTP_CLIENT
        case before
        #endif
        case after

        func run(server: String, folder: String) async throws -> Outcome {
            let report: any Encodable
            let token = "secret"
            switch self {
            #if ASYNC_HTTP_CLIENT
            case .before:
                report = try await MirrorExampleBefore.FileMirror.run(server: server, token: token, folder: folder)
            #endif
            case .after: report = try await MirrorExample.FileMirror.run(server: server, token: token, folder: folder)
            }
            return try JSONDecoder().decode(Outcome.self, from: JSONEncoder().encode(report))
        }
    }

    struct Outcome: Codable, Equatable {
        var copied: [String]
        var unchanged: [String]
        var failed: [String]
    }

    @Test("both programs copy, skip, repeat, follow and report alike", arguments: Program.allCases)
    func outcome(of program: Program) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-mirror-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("sixth".utf8).write(to: folder.appending(path: "old"))
        let server = ListServer()
        let outcome = try await withTestServer { (request: TestRequest) -> TestServerResponse in
            try await server.answer(request)
        } run: { test in
            try await program.run(server: test.url("api"), folder: folder.path())
        }
        #expect(outcome == Outcome(copied: ["a", "b c", "moved"], unchanged: ["old"], failed: ["damaged", "lost"]))
        #expect(server.report == outcome)
        #expect(server.hasRefused)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(names.sorted() == ["a", "b c", "moved", "old"])
        for name in names {
            let expected = ListServer.contents[name] ?? ""
            #expect(try Data(contentsOf: folder.appending(path: name)) == Data(expected.utf8))
        }
    }
}

extension MirrorExampleTests {
    @Test(
        "both programs refuse names that lead out of the folder",
        arguments: Program.allCases, ["..", ".", "", "../a", "/a", "a\0"])
    func names(program: Program, name: String) async throws {
        let page = ListServer.Page(files: [.init(name: name, sha256: "00")], next: nil)
        try await withTestServer { _ in
            TestServerResponse.json(page)
        } run: { test in
            let error = await #expect(throws: (any Error).self) {
                try await program.run(server: test.url("api"), folder: "/nowhere")
            }
            #expect(error.map { "\($0)" } == "a name of no file in the folder")
        }
    }
}

/// The server that the programs copy from. It refuses the first request for `b c`, and has no content for `lost`.
private final class ListServer: Sendable {
    typealias Outcome = MirrorExampleTests.Outcome

    struct Page: Codable {
        struct File: Codable {
            var name: String
            var sha256: String
        }

        var files: [File]
        var next: Int?
    }

    static let contents = [
        "a": "first", "b c": "second", "damaged": "third", "lost": "fourth", "moved": "fifth", "old": "sixth",
    ]

    private let state = Mutex<(hasRefused: Bool, report: Outcome?)>((false, nil))

    var hasRefused: Bool { state.withLock { $0.hasRefused } }
    var report: Outcome? { state.withLock { $0.report } }

    func answer(_ request: TestRequest) async throws -> TestServerResponse {
        guard request[.authorization] == "Bearer secret", request[.userAgent] == "mirror/1.0" else {
            return .status(401)
        }
        switch request.path {
        case "/api/list": return .json(Self.page(Int(request.query?.dropFirst("page=".count) ?? "") ?? 1))
        case "/api/files/a": return .text("first")
        case "/api/files/b%20c": return refuses() ? .status(503, headers: [.retryAfter: "0"]) : .text("second")
        case "/api/files/damaged": return .text("other")
        case "/api/files/moved": return .redirect(to: "/api/elsewhere")
        case "/api/elsewhere": return .text("fifth")
        case "/api/report":
            let report = try await request.json(Outcome.self)
            state.withLock { $0.report = report }
            return .status(204)
        default: return .status(404)
        }
    }

    /// Returns true for the first call.
    private func refuses() -> Bool {
        state.withLock { state in
            defer { state.hasRefused = true }
            return !state.hasRefused
        }
    }

    /// Two files in each page.
    private static func page(_ number: Int) -> Page {
        let names = contents.keys.sorted()
        let files = names.dropFirst(2 * (number - 1)).prefix(2).map { name in
            let digest = SHA256.hash(data: Data((contents[name] ?? "").utf8))
            return Page.File(name: name, sha256: digest.map { String(format: "%02x", $0) }.joined())
        }
        return Page(files: files, next: 2 * number < names.count ? number + 1 : nil)
    }
}
