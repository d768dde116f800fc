import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

/// Ownership, permissions and removal of part files.
@Suite("Part files", .timeLimit(.minutes(1))) struct PartFileTests {
    private static let name = ".sockeye-1abc.part"

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func data(_ part: String) throws -> ResumeData {
        let text = """
            {"version":1,"url":"https://example.com/f","validator":"\\"v1\\"","bytesWritten":1,"totalBytes":10,\
            "temporaryPath":"\(part)"}
            """
        return try JSONDecoder().decode(ResumeData.self, from: Data(text.utf8))
    }

    private func failure(_ body: () async throws(FileFailure) -> Void) async -> Int32? {
        do throws(FileFailure) {
            try await body()
            return nil
        } catch {
            guard case .system(let error) = error else { return nil }
            return error.code
        }
    }

    @Test("a part file stays in its folder if the destination names that folder in another way")
    func sameFolder() async throws {
        let folder = try TemporaryFolder()
        let file = try await DownloadFile.create(beside: folder("x"))
        try await file.append(Bytes("abc"))
        try await file.relocate(beside: folder("./y"))
        try await file.append(Bytes("def"))
        _ = try await file.move(to: folder("./y"), .replace)
        #expect(FileManager.default.contents(atPath: folder("y")) == Data("abcdef".utf8) && folder.names == ["y"])
    }

    // MARK: Rights

    @Test("a part file is private until it is moved, even during synchronisation")
    func isPrivate() async throws {
        let folder = try TemporaryFolder()
        let modes = Recorder<mode_t>()
        var calls = FileCalls.system
        calls.synchronize = { descriptor in
            var status = stat()
            unsafe fstat(descriptor, &status)
            if status.st_mode & S_IFMT == S_IFREG { modes.append(status.st_mode & 0o777) }
            return 0
        }
        let file = try await DownloadFile.create(beside: folder("x"), calls: calls)
        try await file.append(Bytes("abc"))
        _ = try await file.move(to: folder("x"), .replace)
        try folder.write("", to: "y")
        #expect(modes.values == [0o600])
        let usual = SystemFeature.creationMask.isSupported ? try mode(folder("y")) : 0o600
        #expect(try mode(folder("x")) == usual)
    }

    @Test("a part file that could not be moved is private again")
    func isPrivateAgain() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "x")
        let file = try await DownloadFile.create(beside: folder("x"))
        #expect(
            await failure { () async throws(FileFailure) in _ = try await file.move(to: folder("x"), .fail) } == EEXIST)
        #expect(try mode(file.path) == 0o600)
    }

    @Test("a part file gets the permissions of the file that it replaces", arguments: [0o600, 0o640, 0o444])
    func rights(wanted: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "x")
        unsafe chmod(folder("x"), mode_t(wanted))
        let file = try await DownloadFile.create(beside: folder("x"))
        _ = try await file.move(to: folder("x"), .replace)
        #expect(try mode(folder("x")) == wanted)
    }

    @Test(
        "a part file gets the group of the file that it replaces", .enabled(if: geteuid() == 0, "needs root's rights"))
    func group() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "x")
        unsafe #expect(chown(folder("x"), geteuid(), 4711) == 0 && chmod(folder("x"), 0o640) == 0)
        let file = try await DownloadFile.create(beside: folder("x"))
        _ = try await file.move(to: folder("x"), .replace)
        #expect(try mode(folder("x")) == 0o640)
        #expect(SystemFile.status(of: folder("x"))?.group == 4711)
    }

    @Test("the group of a part file gets no rights that another group had", arguments: [0o660, 0o640, 0o604])
    func otherGroup(mode: Int) {
        #expect(FileMode.of(UInt32(mode), hasGroup: true) == UInt32(mode))
        #expect(FileMode.of(UInt32(mode), hasGroup: false) == UInt32(mode) & 0o707)
    }

    // MARK: Origin

    /// Files that may lie at the path in untrusted resume data.
    enum Trap: CaseIterable {
        case otherName, secondName, link, otherOwner, nameInFolder

        /// Creates the file and returns the path for the resume data.
        func create(in folder: TemporaryFolder) throws -> String {
            try folder.write("secret", to: "secret")
            let part = folder(PartFileTests.name)
            switch self {
            case .otherName: return folder("secret")
            case .secondName: unsafe #expect(Glibc.link(folder("secret"), part) == 0)
            case .link: unsafe #expect(symlink(folder("secret"), part) == 0)
            case .otherOwner:
                try folder.write("secret", to: PartFileTests.name)
                unsafe #expect(chown(part, 4711, 4711) == 0)
            case .nameInFolder:
                unsafe #expect(mkdir(part, 0o700) == 0)
                try folder.write("secret", to: PartFileTests.name + "/secret")
                return part + "/secret"
            }
            return part
        }

        static var possible: [Trap] { allCases.filter { $0 != .otherOwner || geteuid() == 0 } }
    }

    @Test("files named by untrusted resume data are neither removed nor written", arguments: Trap.possible)
    func traps(trap: Trap) async throws {
        let folder = try TemporaryFolder()
        let data = try data(trap.create(in: folder))
        let names = folder.names
        await data.discard()
        #expect(folder.names == names)
        var settings = DownloadSettings(destination: .file(folder("x")))
        settings.resumeData = data
        let mock = MockTransport { _ in .ok("no request is sent") }
        let error = await #expect(throws: SockeyeError.self) {
            try await ResumableDownload(
                HTTPClient(transport: mock), OutgoingRequest(url: "https://example.com/f"), settings
            )
            .run()
        }
        #expect(error?.code == .fileFailed && error?.resumeData == nil && mock.requests.isEmpty)
        #expect(folder.names == names)
        for place in ["secret", Self.name, Self.name + "/secret"] {
            if let text = folder.text(place) { #expect(text == "secret") }
        }
    }

    /// Creates the part file of a download that has ended, and returns its path.
    private func keptPart(in folder: TemporaryFolder) async throws -> String {
        let file = try await DownloadFile.create(beside: folder("x"))
        file.keep()
        return file.path
    }

    @Test("discarding resume data removes its part file")
    func discarded() async throws {
        let folder = try TemporaryFolder()
        try await data(keptPart(in: folder)).discard()
        #expect(folder.names == [])
    }

    @Test("discarding resume data does nothing while a download continues its part file")
    func discardedInUse() async throws {
        let folder = try TemporaryFolder()
        let path = try await keptPart(in: folder)
        let names = folder.names
        let file = try await DownloadFile.reopen(path)
        try await data(path).discard()
        #expect(names.count == 1 && folder.names == names)
        file.keep()
    }

    // MARK: Stale ones

    private func age(_ path: String, by seconds: Int) {
        var times = [
            timespec(tv_sec: time(nil) - seconds, tv_nsec: 0), timespec(tv_sec: time(nil) - seconds, tv_nsec: 0),
        ]
        unsafe #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }

    @Test("removing stale parts removes old part files of killed processes and nothing else")
    func stale() async throws {
        let folder = try TemporaryFolder()
        let stale = [".sockeye-1.part", ".sockeye-2zz.partial"]
        let others = [
            ".sockeye-.part", ".sockeye-A.part", ".sockeye-1.parts", ".sockeye-12345678901234.part", "x.part",
            ".sockeye-young.part", ".sockeye-link.part", ".sockeye-twice.part", ".sockeye-kept.part",
        ]
        for name in stale + others where name != ".sockeye-link.part" {
            try folder.write("text", to: name)
            if !name.contains("young") { age(folder(name), by: 1000) }
        }
        unsafe #expect(symlink(folder("x.part"), folder(".sockeye-link.part")) == 0)
        unsafe #expect(link(folder(".sockeye-twice.part"), folder("second")) == 0)
        unsafe #expect(mkdir(folder(".sockeye-folder.part"), 0o700) == 0)
        let used = try await DownloadFile.create(beside: folder("x"))
        age(used.path, by: 1000)
        let kept = try data(folder(".sockeye-kept.part"))
        let before = Set(folder.names)
        let removed = try await ResumeData.removeStaleParts(
            beside: folder("x"), olderThan: .seconds(900), keeping: [kept])
        #expect(removed.sorted() == stale.map { folder($0) })
        #expect(Set(folder.names) == before.subtracting(stale))
    }

    @Test("the age of stale part files may have any value", arguments: [Int64.min, .max])
    func extremeAge(seconds: Int64) async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: ".sockeye-1.part")
        let removed = try await ResumeData.removeStaleParts(beside: folder("x"), olderThan: .seconds(seconds))
        #expect(removed == (seconds < 0 ? [folder(".sockeye-1.part")] : []))
    }

    @Test("a search for stale part files never keeps a download from opening a young part file")
    func youngPart() async throws {
        let folder = try TemporaryFolder()
        let file = try await DownloadFile.create(beside: folder("x"))
        file.keep()
        let path = file.path
        _ = consume file
        let search = Task {
            while !Task.isCancelled {
                _ = try? await ResumeData.removeStaleParts(beside: folder("x"), olderThan: .seconds(86_400))
            }
        }
        defer { search.cancel() }
        for _ in 0..<500 { try await DownloadFile.reopen(path).keep() }
    }

    @Test("removing stale parts of a missing folder is an error")
    func noFolder() async throws {
        let error = await #expect(throws: SockeyeError.self) {
            try await ResumeData.removeStaleParts(beside: "/nonexistent/folder/x", olderThan: .zero)
        }
        #expect(error?.code == .fileFailed && (error?.underlying as? FileError)?.code == ENOENT)
    }
}
