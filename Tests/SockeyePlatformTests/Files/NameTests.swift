import Foundation
import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("Names of files", .timeLimit(.minutes(1)))
struct NameTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a file is moved to a free name, and replaces another only on request")
    func moving() throws {
        try folder.write("a", to: "f")
        try folder.write("b", to: "g")
        #expect(SystemFile.move(folder("f"), to: folder("g"), replacing: false) == .exists)
        #expect(folder.text("f") == "a" && folder.text("g") == "b")
        #expect(SystemFile.move(folder("f"), to: folder("h"), replacing: false) == nil)
        #expect(folder.names == ["g", "h"])
        #expect(SystemFile.move(folder("h"), to: folder("g"), replacing: true) == nil)
        #expect(folder.names == ["g"] && folder.text("g") == "a")
        #expect(SystemFile.move(folder("h"), to: folder("g"), replacing: true) == .notFound)
        #expect(SystemFile.move(folder("h"), to: folder("i"), replacing: false) == .notFound)
    }

    @Test("a removed name is gone, and its open file stays readable")
    func removing() throws {
        let file = try SystemFile.open(folder.write("salmon", to: "f"), for: .reading)
        defer { SystemFile.close(file) }
        #expect(SystemFile.remove(folder("f")) == nil)
        #expect(SystemFile.remove(folder("f")) == .notFound)
        #expect(try SystemFile.status(of: file).linkCount == 0)
        #expect(try SystemFile.contents(of: file, upTo: 10) == Array("salmon".utf8))
    }

    @Test("a path with a NUL is refused, so that no file with the shorter name is moved, removed, created or examined")
    func nul() throws {
        try folder.write("a", to: "f")
        let path = folder("f") + "\0g"
        for replacing in [false, true] {
            #expect(SystemFile.move(path, to: folder("h"), replacing: replacing) == .invalidArgument)
            #expect(SystemFile.move(folder("f"), to: folder("h") + "\0", replacing: replacing) == .invalidArgument)
        }
        #expect(SystemFile.remove(path) == .invalidArgument)
        #expect(SystemFile.createFolder(folder("h") + "\0") == .invalidArgument)
        #expect(folder.names == ["f"] && folder.text("f") == "a")
        #expect(SystemFile.status(of: path) == nil && SystemFile.entryStatus(of: path) == nil)
        #expect(!SystemFile.isReadable(path) && !SystemFile.isUsableFolder(folder.path + "\0"))
        #expect(throws: SystemError.invalidArgument) { try SystemFile.names(in: folder.path + "\0") }
    }

    @Test("names in an open folder stay valid after the folder is renamed")
    func relative() throws {
        #expect(SystemFile.createFolder(folder("a")) == nil)
        try folder.write("x", to: "a/f")
        let open = try SystemFile.open(folder("a"), for: .folder)
        defer { SystemFile.close(open) }
        #expect(SystemFile.move(folder("a"), to: folder("b"), replacing: false) == nil)
        SystemFile.close(try SystemFile.open("f", in: open, for: .reading))
        #expect(SystemFile.entryStatus(of: "f", in: open)?.size == 1)
        #expect(SystemFile.remove("f", in: open) == nil)
        #expect(SystemFile.entryStatus(of: "f", in: open) == nil)
    }

    @Test("a folder lists its names, long and non-ASCII ones included")
    func names() throws {
        let long = String(repeating: "n", count: 255)
        for name in [long, "é🐟", ".hidden"] { try folder.write("", to: name) }
        #expect(try SystemFile.names(in: folder.path).sorted() == [".", "..", ".hidden", long, "é🐟"].sorted())
        #expect(throws: SystemError.notFound) { try SystemFile.names(in: folder("missing")) }
        #expect(throws: SystemError.notAFolder) { try SystemFile.names(in: folder(".hidden")) }
        #expect(throws: SystemError.nameTooLong) { try SystemFile.open(folder(long + "n"), for: .creating) }
    }

    @Test("a folder is created with its mode, and not a second time")
    func folders() {
        #expect(SystemFile.createFolder(folder("a"), mode: 0o700) == nil)
        #expect(SystemFile.createFolder(folder("a")) == .exists)
        #expect(SystemFile.createFolder(folder("b/c")) == .notFound)
        #expect(SystemFile.status(of: folder("a"))?.mode == 0o700)
    }

    @Test("files, folders and other kinds are distinguished")
    func kinds() throws {
        try folder.write("salmon", to: "f")
        let status = try #require(SystemFile.status(of: folder("f")))
        #expect(status.isRegular && !status.isFolder && status.size == 6 && status.linkCount == 1)
        #expect(status.owner == SystemProcess.user)
        #expect(SystemFile.status(of: folder.path)?.isFolder == true)
        #expect(SystemFile.status(of: "/dev/null")?.kind == .other)
        #expect(SystemFile.status(of: folder("missing")) == nil && SystemFile.version(of: folder("missing")) == nil)
    }

    @Test("a status has the times of the file")
    func times() throws {
        let before = SystemClock.unixTime
        let status = try #require(SystemFile.status(of: folder.write("x", to: "f")))
        // The clock of a file system may lag behind.
        #expect((before - 5...SystemClock.unixTime + 5).contains(Int64(status.modified.seconds)))
        #expect((0..<1_000_000_000).contains(status.changed.nanoseconds))
    }

    @Test("a write gives a file another version, and a file that replaces another has another identity")
    func versions() throws {
        let path = try folder.write("a", to: "f")
        let first = try #require(SystemFile.status(of: path))
        #expect(SystemFile.status(of: path)?.version == first.version)
        let file = try SystemFile.open(path, for: .appending)
        SystemFile.append([1], to: file)
        SystemFile.close(file)
        let second = try #require(SystemFile.status(of: path))
        #expect(second.identity == first.identity && second.version != first.version)
        #expect(SystemFile.move(try folder.write("b", to: "g"), to: path, replacing: true) == nil)
        #expect(SystemFile.status(of: path)?.identity != first.identity)
    }

    @Test("readable files and usable folders are distinguished from missing ones")
    func access() throws {
        try folder.write("x", to: "f")
        #expect(SystemFile.isReadable(folder("f")) && SystemFile.isReadable(folder.path))
        #expect(!SystemFile.isReadable(folder("missing")))
        #expect(SystemFile.isUsableFolder(folder.path) && !SystemFile.isUsableFolder(folder("missing")))
        #expect(!SystemFile.isUsableFolder(folder("f")))
    }
}
