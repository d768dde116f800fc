import Foundation
import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("The system's calls for files", .timeLimit(.minutes(1)))
struct FileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ file: Int32, _ text: String, at position: Int) -> Int {
        unsafe Array(text.utf8).withUnsafeBytes { unsafe SystemFile.write(file, $0, at: position) }
    }

    private func read(_ file: Int32, _ count: Int, at position: Int) -> Result<[UInt8], SystemError> {
        var room = [UInt8](repeating: 0, count: count)
        let count = unsafe room.withUnsafeMutableBytes { unsafe SystemFile.read(file, into: $0, at: position) }
        return SystemError(ofResult: count).map { .failure($0) } ?? .success(Array(room.prefix(count)))
    }

    /// The error of opening a file; nil if it can be opened.
    private func refusal(of path: String, for access: FileAccess) -> SystemError? {
        do {
            SystemFile.close(try SystemFile.open(path, for: access))
            return nil
        } catch {
            return error
        }
    }

    @Test("a new file is written and read at positions")
    func positions() throws {
        let file = try SystemFile.open(folder("f"), for: .creating)
        defer { SystemFile.close(file) }
        #expect(write(file, "salmon", at: 2) == 6)
        #expect(read(file, 10, at: 0) == .success([0, 0] + Array("salmon".utf8)))
        #expect(read(file, 3, at: 4) == .success(Array("lmo".utf8)))
        #expect(read(file, 3, at: 8) == .success([]))
        #expect(read(file, 3, at: -1) == .failure(.invalidArgument))
    }

    @Test("opening fails if a file is missing, exists already, is of the wrong kind, or has a NUL in its path")
    func refusals() throws {
        try folder.write("x", to: "f")
        #expect(refusal(of: folder("g"), for: .reading) == .notFound)
        #expect(refusal(of: folder("f"), for: .creating) == .exists)
        #expect(refusal(of: folder("f") + "\0", for: .reading) == .invalidArgument)
        #expect(refusal(of: folder("f"), for: .folder) == .notAFolder)
        #expect(refusal(of: folder.path, for: .updating) == .isFolder)
    }

    @Test("a symbolic link is followed only if the access allows it")
    func links() throws {
        try folder.write("x", to: "f")
        try FileManager.default.createSymbolicLink(atPath: folder("l"), withDestinationPath: folder("f"))
        #expect(refusal(of: folder("l"), for: .reading) == nil)
        for access in [FileAccess.readingNoLink, .updating, .appending] {
            #expect(refusal(of: folder("l"), for: access) == .symbolicLink)
        }
        #expect(SystemFile.status(of: folder("l"))?.kind == .regular)
        #expect(SystemFile.entryStatus(of: folder("l"))?.kind == .symbolicLink)
    }

    @Test("a new file has the permissions asked for, less those of the process's mask")
    func mode() throws {
        let file = try SystemFile.open(folder("f"), for: .creating, mode: 0o640)
        defer { SystemFile.close(file) }
        let mask = SystemProcess.creationMask ?? 0o22
        #expect(try SystemFile.status(of: file).mode == 0o640 & ~mask)
        #expect(SystemFile.setMode(file, to: 0o604) == nil)
        let status = try SystemFile.status(of: file)
        #expect(status.mode == 0o604 && !status.isWritableByOthers)
        #expect(SystemFile.setMode(file, to: 0o620) == nil)
        #expect(try SystemFile.status(of: file).isWritableByOthers)
    }

    @Test("appending goes to the end of an existing file, and creates a missing one")
    func appending() throws {
        for _ in 0..<2 {
            let file = try SystemFile.open(folder("f"), for: .appending)
            SystemFile.append(Array("ab".utf8), to: file)
            SystemFile.close(file)
        }
        #expect(folder.text("f") == "abab")
    }

    @Test("a file is truncated, and extended with zeros")
    func truncating() throws {
        let file = try SystemFile.open(folder.write("salmon", to: "f"), for: .updating)
        defer { SystemFile.close(file) }
        #expect(SystemFile.truncate(file, to: 2) == nil && folder.text("f") == "sa")
        #expect(SystemFile.truncate(file, to: 3) == nil && folder.text("f") == "sa\0")
        #expect(SystemFile.truncate(file, to: -1) == .invalidArgument)
    }

    @Test("synchronizing succeeds for a file, and fails for a descriptor that is not open")
    func synchronizing() throws {
        let file = try SystemFile.open(folder("f"), for: .creating)
        defer { SystemFile.close(file) }
        _ = write(file, "x", at: 0)
        SystemFile.writeBack(file, from: 0, count: 1)
        #expect(SystemFile.synchronize(file) == nil)
        #expect(SystemFile.synchronize(-1) == .badDescriptor)
    }

    @Test("the whole content is read, unless it is longer than the limit")
    func contents() throws {
        let text = String(repeating: "salmon ", count: 20_000)
        let path = try folder.write(text, to: "f")
        #expect(try SystemFile.contents(of: path, limit: text.utf8.count) == Array(text.utf8))
        #expect(try SystemFile.contents(of: path, limit: text.utf8.count - 1) == nil)
        #expect(try SystemFile.contents(of: folder.write("", to: "g"), limit: 0) == [])
        #expect(try SystemFile.contents(of: "/dev/zero", limit: 1000) == nil)
        #expect(throws: SystemError.isFolder) { try SystemFile.contents(of: folder.path, limit: 10) }
    }

    @Test("another descriptor of the same file shares its position")
    func duplicates() throws {
        let file = try SystemFile.open(folder.write("salmon", to: "f"), for: .reading)
        let other = try SystemFile.duplicate(file)
        #expect(other != file)
        SystemFile.close(file)
        #expect(try SystemFile.contents(of: other, upTo: 100) == Array("salmon".utf8))
        SystemFile.close(other)
        #expect(throws: SystemError.badDescriptor) { try SystemFile.duplicate(other) }
    }

    @Test("an exclusive lock is refused to another open file, and ends with its descriptor")
    func locks() throws {
        let path = try folder.write("x", to: "f")
        let (first, second) = (try SystemFile.open(path, for: .updating), try SystemFile.open(path, for: .updating))
        #expect(SystemFile.lock(first) == nil && SystemFile.lock(first) == nil)
        #expect(SystemFile.lock(second) == .wouldBlock)
        SystemFile.close(first)
        #expect(SystemFile.lock(second) == nil)
        SystemFile.close(second)
    }

    @Test("reads from the page cache return bytes of the file, or fail on systems without such reads")
    func cachedReads() throws {
        let file = try SystemFile.open(folder.write("salmon", to: "f"), for: .reading)
        defer { SystemFile.close(file) }
        #expect(read(file, 6, at: 0) == .success(Array("salmon".utf8)))
        var room = [UInt8](repeating: 0, count: 6)
        let count = unsafe room.withUnsafeMutableBytes { unsafe SystemFile.readCached(file, into: $0, at: 0) }
        if count >= 0 { #expect(room.prefix(count).elementsEqual("salmon".utf8.prefix(count))) }
        let cached = SystemFile.cachedPrefix(file, 0..<6, isOwned: true)
        #expect((0...6).contains(cached ?? 0))
        if !SystemFeature.cachedReads.isSupported { #expect(count < 0 && cached == nil) }
        if SystemFeature.cachedReads.isSupported { #expect(SystemFile.cachedPrefix(file, 3..<3, isOwned: true) == 0) }
    }

    @Test(
        "bytes past the end of a file count as cached, also on tmpfs", .needs(.cachedReads),
        .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "this system has no /dev/shm"))
    func cachedTail() throws {
        let path = "/dev/shm/sockeye-\(UUID().uuidString)"
        let file = try SystemFile.open(path, for: .creating)
        defer {
            SystemFile.close(file)
            try? FileManager.default.removeItem(atPath: path)
        }
        #expect(write(file, String(repeating: "salmon", count: 2000), at: 0) == 12_000)
        for range in [0..<12_000, 0..<262_144, 5_000..<262_144, 11_999..<12_001, 12_000..<262_144, 500_000..<500_001] {
            #expect(SystemFile.cachedPrefix(file, range, isOwned: true) == range.count, "\(range)")
        }
    }
}
