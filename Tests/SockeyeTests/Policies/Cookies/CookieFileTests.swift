import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite("Cookie files", .timeLimit(.minutes(1))) struct CookieFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "cookies-\(UUID())")
    private let clock = ManualClock(unixTime: 1_800_000_000)

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "jar").path())
    }

    private func filled() throws -> CookiePolicy.Jar {
        let jar = CookiePolicy.Jar(clock: clock)
        let url = try HTTPURL("https://www.example.com/x/y")
        try jar.set("session=1; Secure; HttpOnly; SameSite=Lax", from: url)
        try jar.set("kept=ü; Domain=example.com; Max-Age=100; SameSite=None; Secure", from: url)
        try jar.set("short=1; Max-Age=1", from: url)
        return jar
    }

    @Test("a jar can be saved and loaded in either format", arguments: [CookiePolicy.Jar.FileFormat.netscape, .json])
    func roundTrip(format: CookiePolicy.Jar.FileFormat) async throws {
        try await inFolder { path in
            let jar = try filled()
            #expect(try await jar.save(to: path, as: format, includesSession: true) == 3)
            let read = CookiePolicy.Jar(clock: clock)
            #expect(try await read.load(from: path) == CookiePolicy.Jar.FileSummary.with(loaded: 3))
            #expect(read.cookies.map(\.name) == ["session", "kept", "short"])
            if format == .json { #expect(read.cookies == jar.cookies) }
            #expect(read.cookies(for: try HTTPURL("https://www.example.com/x/")).map(\.value) == ["1", "ü", "1"])
        }
    }

    @Test("session cookies and expired cookies are not saved or loaded")
    func session() async throws {
        try await inFolder { path in
            let jar = try filled()
            clock.advance(by: .seconds(1))
            #expect(try await jar.save(to: path) == 1)
            let read = CookiePolicy.Jar(clock: clock)
            clock.advance(by: .seconds(99))
            #expect(try await read.load(from: path) == CookiePolicy.Jar.FileSummary.with(expired: 1))
            #expect(read.count == 0)
        }
    }

    @Test("a cookie file is private, replaces an existing file and leaves nothing beside it")
    func permissions() async throws {
        try await inFolder { path in
            try Data("old".utf8).write(to: URL(filePath: path))
            try await filled().save(to: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["jar"])
        }
    }

    @Test("a file of 511 to 515 brackets is an error, although Foundation's decoder would crash", arguments: 511...515)
    func manyBrackets(count: Int) async throws {
        try await inFolder { path in
            try Data(String(repeating: "[", count: count).utf8).write(to: URL(filePath: path))
            let error = await #expect(throws: SockeyeError.self) {
                try await CookiePolicy.Jar(clock: clock).load(from: path)
            }
            #expect(error?.code == .cookieFileFailed)
        }
    }

    @Test("a cookie file is written neither over a pipe nor to a path with a NUL")
    func places() async throws {
        try await inFolder { path in
            let jar = try filled()
            try Data("old".utf8).write(to: URL(filePath: path))
            unsafe #expect(mkfifo(path + ".pipe", 0o600) == 0)
            for place in [path + ".pipe", path + "\0.txt", path + "/", ""] {
                let error = await #expect(throws: SockeyeError.self) { try await jar.save(to: place) }
                #expect(error?.code == .cookieFileFailed && (error?.underlying as? FileError)?.path == place)
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() == ["jar", "jar.pipe"])
        }
    }

    @Test("cookies from a file replace the same cookies in the jar")
    func merging() async throws {
        try await inFolder { path in
            try await filled().save(to: path, includesSession: true)
            let jar = CookiePolicy.Jar(clock: clock)
            try jar.set("session=2", from: HTTPURL("https://www.example.com/x/y"))
            try await jar.load(from: path)
            #expect(jar.cookies.map(\.value) == ["1", "ü", "1"])
        }
    }

    @Test(
        "unreadable entries of a file are skipped and counted",
        arguments: [
            ("a.test\tTRUE\t/\tFALSE\t0\ta\tb\nnonsense\n", 1, 1),
            (
                ##" [{"name":"a","value":"b","domain":"a.test"},{"name":"a"},7,{"name":"a","value":";","domain":"a.test"}]"##,
                1, 3
            ),
            ("", 0, 0), ("[]", 0, 0),
            (
                ##"[{"name":"a","value":"b","domain":".a.test","expirationDate":1e300,"sameSite":"no_restriction","secure":true}]"##,
                1, 0
            ),
            (##"[{"name":"a","value":"b","domain":".a.test","sameSite":"unspecified","hostOnly":false}]"##, 1, 0),
        ] as [(String, Int, Int)])
    func damaged(text: String, loaded: Int, unreadable: Int) async throws {
        try await inFolder { path in
            try Data(text.utf8).write(to: URL(filePath: path))
            let summary = try await CookiePolicy.Jar(clock: clock).load(from: path)
            #expect(summary == CookiePolicy.Jar.FileSummary.with(loaded: loaded, unreadable: unreadable))
        }
    }

    @Test("the error about a missing file, a folder or invalid JSON names the file and shows no content")
    func errors() async throws {
        try await inFolder { path in
            let jar = CookiePolicy.Jar(clock: clock)
            try Data("[{\"name\": \"s3cret".utf8).write(to: URL(filePath: path))
            for bad in [path, path + "-missing", folder.path()] {
                let error = await #expect(throws: SockeyeError.self) { try await jar.load(from: bad) }
                #expect(error?.code == .cookieFileFailed)
                #expect(error?.message.contains(bad) == true)
                #expect(!String(describing: error).contains("s3cret"))
            }
            let error = await #expect(throws: SockeyeError.self) { try await jar.save(to: path + "/deeper/jar") }
            #expect(error?.code == .cookieFileFailed)
        }
    }

    @Test("concurrent writers leave one complete file")
    func concurrentWriters() async throws {
        try await inFolder { path in
            let jar = try filled()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await jar.save(to: path, as: .json) } }
                try await group.waitForAll()
            }
            #expect(
                try await CookiePolicy.Jar(clock: clock).load(from: path)
                    == CookiePolicy.Jar.FileSummary.with(loaded: 2))
        }
    }
}

extension CookiePolicy.Jar.FileSummary {
    fileprivate static func with(loaded: Int = 0, expired: Int = 0, unreadable: Int = 0) -> CookiePolicy.Jar.FileSummary
    {
        CookiePolicy.Jar.FileSummary(loaded: loaded, expired: expired, unreadable: unreadable)
    }
}
