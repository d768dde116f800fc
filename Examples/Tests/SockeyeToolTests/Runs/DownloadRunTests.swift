import Foundation
import Glibc
import Sockeye
import SockeyeTesting
import Testing

@Suite("sockeye download", .timeLimit(.minutes(3)))
struct DownloadRunTests {
    static let content = Bytes((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    @Test
    func `fetches a file under the name that the server suggests, and tells machines about it`() async throws {
        let folder = try Tool.Folder()
        try await withTestServer { request in
            .resource(Self.content, for: request, eTag: "\"v1\"")
        } run: { server in
            let run = try await Tool.run(["download", server.url("/dir/big.bin"), "--as-json"], in: folder)
            #expect(try run.json["bytes"] == JSONValue(Self.content.count))
            #expect(try run.json["path"]?.string?.hasSuffix("big.bin") == true && run.status == 0)
            #expect(folder.read("big.bin") == Data(Self.content))
            let wrong = try await Tool.run(
                ["download", server.url("/big"), "--sha256", String(repeating: "0", count: 64)], in: folder)
            #expect(wrong.status == 110 && folder.names == ["big.bin"], "\(folder.names)")
            let parallel = try await Tool.run(
                ["download", server.url("/x"), "-o", "parts.bin", "--parallel", "2"], in: folder)
            #expect(parallel.status == 0 && folder.read("parts.bin") == Data(Self.content))
        }
    }

    @Test
    func `a failure status leaves no file`() async throws {
        let folder = try Tool.Folder()
        try await withTestServer { _ in
            .text("gone", status: 404)
        } run: { server in
            let run = try await Tool.run(["download", server.url("/big.bin")], in: folder)
            #expect(run.status == 22 && run.error.contains("404"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
        }
    }

    @Test
    func `a server cannot forge the resume file of a later download, nor choose its destination`() async throws {
        let folder = try Tool.Folder()
        try folder.write("mine", to: ".bashrc")
        try await withTestServer { request in
            guard request.path == "/first" else { return .resource(Self.content, for: request, eTag: "\"v1\"") }
            let state = """
                {"version":1,"url":"http://\(request["Host"] ?? "")/tool","validator":"\\"v1\\"","bytesWritten":0,"existing":"replace",\
                "temporaryPath":"\(folder.path(".sockeye-0.part"))","destinationPath":"\(folder.path(".bashrc"))"}
                """
            return .text(state, headers: ["Content-Disposition": "attachment; filename=tool.sockeye-resume"])
        } run: { server in
            let first = try await Tool.run(["download", server.url("/first"), "--as-json"], in: folder)
            #expect(try first.json["path"]?.string?.hasSuffix("/tool.sockeye-resume_") == true && first.status == 0)
            let second = try await Tool.run(["download", server.url("/tool"), "-o", "tool"], in: folder)
            #expect(second.status == 0 && folder.read("tool") == Data(Self.content))
            let forged = folder.path("tool.sockeye-resume")
            try FileManager.default.moveItem(atPath: folder.path("tool.sockeye-resume_"), toPath: forged)
            // Other users can read it, as most downloads; on a system that does not tell the umask, no download.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: forged)
            let third = try await Tool.run(["download", server.url("/tool"), "-o", "tool"], in: folder)
            #expect(third.status != 0 && third.error.contains("tool.sockeye-resume"), "\(third.error)")
            #expect(folder.read(".bashrc") == Data("mine".utf8))
        }
    }

    /// A resume file at the place where the command looks for one.
    enum ResumeFile: CaseIterable {
        case own, readableByOthers, ofOtherUser, fromOtherFolder

        static var possible: [ResumeFile] { allCases.filter { $0 != .ofOtherUser || geteuid() == 0 } }

        /// Writes the file, and in its folder the first bytes of the content, which a resumed download continues.
        func write(for url: String, in folder: Tool.Folder) throws {
            let part = folder.path(self == .fromOtherFolder ? "other/.sockeye-1abc.part" : ".sockeye-1abc.part")
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "other"), withIntermediateDirectories: false)
            try Data(DownloadRunTests.content.slice(0..<1000)).write(to: URL(filePath: part))
            let path = try folder.write(
                """
                {"version":1,"url":"\(url)","validator":"\\"v1\\"","bytesWritten":1000,"totalBytes":3000000,\
                "temporaryPath":"\(part)","destinationPath":"\(folder.path(".bashrc"))"}
                """, to: "tool.sockeye-resume")
            chmod(path, self == .readableByOthers ? 0o644 : 0o600)
            if self == .ofOtherUser { chown(path, 4711, 4711) }
        }
    }

    @Test(arguments: ResumeFile.possible)
    func `a resume file is used if it is the user's own, private and beside the part, and else ends the command`(
        file: ResumeFile
    ) async throws {
        let folder = try Tool.Folder()
        try await withTestServer { request in
            .resource(Self.content, for: request, eTag: "\"v1\"")
        } run: { server in
            try file.write(for: server.url("/tool"), in: folder)
            let run = try await Tool.run(["download", server.url("/tool"), "-o", "tool"], in: folder)
            if file == .own {
                #expect(run.status == 0 && run.error.contains("going on: 1000 of 3000000 bytes"), "\(run.error)")
                #expect(folder.read("tool") == Data(Self.content))
            } else {
                #expect(run.status != 0 && run.error.contains("tool.sockeye-resume"), "\(run.error)")
                #expect(folder.read("tool") == nil && server.activity.requests == 0)
            }
            #expect(folder.read(".bashrc") == nil)
        }
    }

    @Test
    func `the state of another URL is discarded with its bytes, and the command says so`() async throws {
        let folder = try Tool.Folder()
        try await withTestServer { request in
            .resource(Self.content, for: request, eTag: "\"v1\"")
        } run: { server in
            try ResumeFile.own.write(for: server.url("/other"), in: folder)
            let run = try await Tool.run(["download", server.url("/tool"), "-o", "tool"], in: folder)
            let part = "discarding an earlier download: 1000 of 3000000 bytes of \(server.url("/other"))"
            #expect(run.status == 0 && run.error.contains(part), "\(run.error)")
            #expect(folder.read("tool") == Data(Self.content))
            #expect(folder.names == ["other", "tool"])
        }
    }

    @Test
    func `bytes are discarded, and not called kept, if the state cannot be written`() async throws {
        let folder = try Tool.Folder()
        let state = folder.url.appending(path: "f.sockeye-resume")
        try await withTestServer { request in
            // A file cannot replace a folder.
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
            return .resource(Self.content, for: request, eTag: "\"v1\"").cut(after: 1_000_000, by: .silence)
        } run: { server in
            let run = try Tool.start(["download", server.url("/f"), "-o", "f"], in: folder)
            func count() -> Int {
                folder.names.first { $0.hasSuffix(".part") }.flatMap { folder.read($0)?.count } ?? 0
            }
            while count() == 0 { try await Task.sleep(for: .milliseconds(10)) }
            run.interrupt()
            let stopped = try await run.outcome()
            #expect(stopped.status == 130 && stopped.error.contains("it will start over"), "\(stopped.error)")
            #expect(folder.names == ["f.sockeye-resume"])
        }
    }

    /// Output names: that of the server, a given one, and one that is too long with the ending of the state.
    @Test(arguments: [nil, "out.bin", String(repeating: "x", count: 245), String(repeating: "ü", count: 125)])
    func `after Ctrl-C the next run continues the download`(output: String?) async throws {
        let folder = try Tool.Folder()
        let isFirst = TestSignal()
        try await withTestServer { request in
            if !isFirst.isFired {
                isFirst.fire()
                return .resource(Self.content, for: request, eTag: "\"v1\"").cut(after: 1_000_000, by: .silence)
            }
            return .resource(Self.content, for: request, eTag: "\"v1\"")
                .adding("X-Range", request[.range] ?? "none")
        } run: { server in
            let name = output ?? "big.bin"
            let arguments = ["download", server.url("/big.bin")] + (output.map { ["-o", $0] } ?? [])
            let run = try Tool.start(arguments, in: folder)
            // The resume data is saved from the first bytes on.
            func state() -> String? { folder.names.first { $0.hasSuffix(".sockeye-resume") } }
            while state() == nil { try await Task.sleep(for: .milliseconds(10)) }
            run.interrupt()
            let stopped = try await run.outcome()
            #expect(stopped.status == 130 && stopped.error.contains("run again to go on"), "\(stopped.error)")
            #expect(folder.read(name) == nil)
            // The file contains the URL, and its query may be a secret.
            let rights = try FileManager.default.attributesOfItem(atPath: folder.path(try #require(state())))
            #expect(rights[.posixPermissions] as? Int == 0o600)
            let again = try await Tool.run(arguments, in: folder)
            #expect(again.status == 0 && again.error.contains("going on: "), "\(again.error)")
            #expect(folder.read(name) == Data(Self.content))
            #expect(folder.names == [name])
        }
    }
}
