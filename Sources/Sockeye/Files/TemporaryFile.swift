package import SockeyeCore
package import SockeyeEngine
import SockeyePlatform
import Synchronization

/// A temporary file that is written beside its destination and renamed when it is complete: how the library writes
/// every file.
///
/// Until ``moveIntoPlace(_:_:)`` nobody sees it under the name that is wanted, and what is there stays. It is removed with
/// the last reference unless it was moved or ``keep()`` was called; only a process that is killed leaves it behind. Of two
/// files there is at every moment either the old or the new one, also after a power failure.
///
/// Everything blocks but ``finish(at:_:mode:)``, which leaves what takes long to ``DiskThreadPool``. As long as it is temporary it
/// is locked, so that nobody else goes on with it, or takes it for one that a killed process left (``StaleTemporaryFiles``).
package final class TemporaryFile: Sendable {
    /// What the name ends in. It does not have the name that is wanted in it, which may be as long as names can be.
    enum Kind: String, CaseIterable {
        /// For a later process to go on with.
        case resumable = ".part"
        case temporary = ".partial"
    }

    private static let prefix = ".sockeye-"

    let path: String
    /// How many bytes were in it when it was opened.
    let initialCount: Int
    /// The file that errors are about.
    private let subject: String
    private let handle: FileHandle
    private let calls: FileCalls
    /// The threads for its disk.
    let disk: DiskThreadPool
    private let isKept = Atomic(false)

    private init(
        _ handle: FileHandle, _ path: String, subject: String? = nil, count: Int = 0, _ disk: DiskThreadPool,
        _ calls: FileCalls
    ) {
        self.handle = handle
        self.path = path
        self.subject = subject ?? path
        self.disk = disk
        self.calls = calls
        initialCount = count
    }

    deinit {
        abandon()
    }

    // MARK: Opening

    /// A new one in this folder, which must exist.
    ///
    /// - Parameters:
    ///   - mode: Its rights, of which the process's umask takes some.
    ///   - subject: The file that errors are about; nil: itself.
    static func create(
        in folder: String, _ kind: Kind, mode: UInt32, subject: String? = nil, calls: FileCalls = .system
    ) throws(FileError) -> TemporaryFile {
        // 64 random bits: a name that is taken is bad luck once, and something else the third time.
        for attempt in 1... {
            let number = String(UInt64.random(in: .min ... .max), radix: 36)
            let path = (folder.hasSuffix("/") ? folder : folder + "/") + prefix + number + kind.rawValue
            let handle: FileHandle
            do {
                handle = try FileHandle(opening: path, for: .creating, mode: mode)
            } catch {
                if error.systemError == .exists, attempt < 3 { continue }
                throw FileError("create", subject ?? path, error.systemError)
            }
            do throws(FileError) {
                try handle.lock(path)
                let device = try handle.status(path).device
                return TemporaryFile(handle, path, subject: subject, .of(calls.device ?? device), calls)
            } catch {
                // There is no value yet whose deinitializer would do that.
                SystemFile.remove(path)
                throw error
            }
        }
        throw FileError("create a file in", folder, .exists)
    }

    /// A new one for what is to become, or to replace, the file at a path that is in a folder.
    static func create(
        for path: String, mode: UInt32, calls: FileCalls = .system
    ) throws(FileError) -> TemporaryFile {
        try FilePath.check(path, .replace)
        return try create(in: FilePath.folder(of: path), .temporary, mode: mode, subject: path, calls: calls)
    }

    /// A resumable one that was kept.
    ///
    /// - Throws: With `ENOENT` when it is gone, with `EWOULDBLOCK` when somebody else has it open, with `EINVAL` for what
    ///   this library did not make, and with `EPERM` for what belongs to another user or has a second name.
    static func reopen(_ path: String, calls: FileCalls = .system) throws(FileError) -> TemporaryFile {
        guard isName(FilePath.name(of: path), of: [.resumable]), !path.utf8.contains(0) else {
            throw FileError("resume", path, .invalidArgument)
        }
        let handle = try FileHandle(opening: path, for: .updating)
        let status = try handle.status(path)
        try checkOrigin(of: status, path)
        // Before there is a value, whose deinitializer would remove the file.
        try handle.lock(path)
        // Removing a temporary file takes its lock, too.
        guard isPlace(path, of: status) else { throw FileError("open", path, .notFound) }
        return TemporaryFile(handle, path, count: Int(status.size), .of(calls.device ?? status.device), calls)
    }

    /// Whether a file may have been made here, by its name.
    static func isName(_ name: some StringProtocol, of kinds: [Kind] = Kind.allCases) -> Bool {
        guard name.hasPrefix(prefix), let kind = kinds.first(where: { name.hasSuffix($0.rawValue) }) else {
            return false
        }
        let number = name.utf8.dropFirst(prefix.utf8.count).dropLast(kind.rawValue.utf8.count)
        return (1...13).contains(number.count)
            && number.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
            }
    }

    /// Refuses what was not made here, or may be somebody else's by now: a path may come from anywhere, and in a folder that
    /// others write to anything may have a name of ours.
    static func checkOrigin(of status: FileStatus, _ path: String) throws(FileError) {
        guard status.isRegular else { throw FileError("resume", path, .invalidArgument) }
        guard status.owner == SystemProcess.user, status.linkCount == 1 else {
            throw FileError("resume", path, .notPermitted)
        }
    }

    /// Removes a resumable one that was kept, if it is one; by whatever path.
    static func remove(_ path: String) {
        guard isName(FilePath.name(of: path), of: [.resumable]), !path.utf8.contains(0) else { return }
        guard let handle = try? FileHandle(opening: path, for: .readingNoLink), let status = try? handle.status(path),
            (try? checkOrigin(of: status, path)) != nil, isPlace(path, of: status)
        else { return }
        SystemFile.remove(path)
    }

    private static func isPlace(_ path: String, of status: FileStatus) -> Bool {
        SystemFile.entryStatus(of: path)?.identity == status.identity
    }

    // MARK: Content

    /// Writes all of the bytes at a position, which moves behind what was written: also before an error.
    func write(_ bytes: Bytes, at position: inout Int) throws(FileError) {
        var start = 0
        while start < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe calls.write(handle.descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...]), position)
            }
            guard written > 0 else {
                let error = SystemError(ofResult: written)
                if error == .interrupted { continue }
                // A disk that takes nothing and does not say why is full.
                throw FileError("write", subject, error ?? .noSpace)
            }
            start += written
            position += written
        }
    }

    /// Drops what is behind the first `count` bytes.
    func truncate(to count: Int) throws(FileError) {
        if let error = SystemFile.truncate(handle.descriptor, to: count) {
            throw FileError("truncate", subject, error)
        }
    }

    /// Reads a part of it, piece by piece.
    func read(_ range: Range<Int>, _ take: (Bytes) -> Void) throws(FileError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let block = ByteStorage.allocate(capacity: min(256 << 10, range.upperBound - position))
            let result = unsafe calls.readUninterrupted(handle.descriptor, block.mutableBytes, position)
            guard result > 0 else { throw FileError("read", subject, SystemError(ofResult: result) ?? .inputOutput) }
            take(Bytes(storage: block, offset: 0, count: result))
            position += result
        }
    }

    // MARK: The end

    /// Lets the file be when the last reference goes, for a later ``reopen(_:calls:)``.
    func keep() {
        isKept.store(true, ordering: .relaxed)
    }

    /// Removes it now, unless it was kept or moved: a thread that works on it may have it for a moment longer.
    func abandon() {
        if !isKept.load(ordering: .relaxed) { SystemFile.remove(path) }
    }

    /// Nobody uses it any more: who opens it again may wait for what a thread still does to it.
    func leave() {
        handle.leave(path)
    }

    /// Whether it still is where it was made: somebody may have cleaned up.
    var isInPlace: Bool {
        guard let own = try? handle.status(path) else { return false }
        return Self.isPlace(path, of: own)
    }

    /// Brings everything to the disk.
    func synchronize() throws(FileError) {
        let code = calls.synchronize(handle.descriptor)
        guard code == 0 else { throw FileError("synchronize", subject, SystemError(code)) }
    }

    /// Gives the file its name, at once; folders that are missing are created. Returns what it is called.
    ///
    /// - Parameter mode: Its rights from now on, which it gets in the last moment: until then it is nobody else's to read.
    ///   Nil: as they are.
    func moveIntoPlace(
        _ destination: String, _ existing: ExistingFilePolicy, mode: UInt32? = nil
    ) throws(FileError) -> String {
        guard isInPlace else { throw FileError("move", subject, .notFound) }
        try FilePath.createFolders(FilePath.folder(of: destination))
        if let mode, let error = SystemFile.setMode(handle.descriptor, to: mode) {
            throw FileError("move", subject, error)
        }
        do throws(FileError) {
            let place = try FilePath.move(path, to: destination, existing)
            keep()
            return place
        } catch {
            if mode != nil { _ = SystemFile.setMode(handle.descriptor, to: 0o600) }
            throw error
        }
    }

    /// The same file in another folder of the same file system. This one is none any more.
    func relocated(to folder: String, _ count: Int) throws(FileError) -> TemporaryFile {
        guard isInPlace else { throw FileError("move", subject, .notFound) }
        let place = (folder.hasSuffix("/") ? folder : folder + "/") + FilePath.name(of: path)
        _ = try FilePath.move(path, to: place, .fail)
        keep()
        return TemporaryFile(handle, place, count: count, disk, calls)
    }

    /// Makes a new name last. Not every file system can; the content is safe in any case.
    private func synchronizeFolder(of place: String) {
        guard let folder = try? FileHandle(opening: FilePath.folder(of: place), for: .folder) else { return }
        _ = calls.synchronize(folder.descriptor)
    }

    /// Puts the file to its place when all of it is on the disk, and returns where that is.
    ///
    /// - Parameter mode: Its rights from then on; nil: as they are.
    func finish(
        at destination: String, _ existing: ExistingFilePolicy = .replace, mode: UInt32? = nil
    ) async throws(FileFailure) -> String {
        try await disk.run { () throws(FileError) in try self.synchronize() }
        // To its end: it would go on after a cancellation that says that nothing happened.
        let place = try await disk.runToEnd { () throws(FileError) in
            try self.moveIntoPlace(destination, existing, mode: mode)
        }
        // The file is in its place now, whatever comes of this.
        try? await disk.run { self.synchronizeFolder(of: place) }
        return place
    }

    /// Has a small file be either there with these contents, on the disk and for its owner only, or as it was.
    ///
    /// - Parameter synchronizing: False where a power failure may leave an empty file.
    package static func replace(_ path: String, by contents: Bytes, synchronizing: Bool = true) throws(FileError) {
        let file = try create(for: path, mode: 0o600)
        var position = 0
        try file.write(contents, at: &position)
        if synchronizing { try file.synchronize() }
        let place = try file.moveIntoPlace(path, .replace)
        if synchronizing { file.synchronizeFolder(of: place) }
    }
}
