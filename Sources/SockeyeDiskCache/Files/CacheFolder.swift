#if DiskCache
import SockeyeCore
import SockeyeEngine
import SockeyeEssentials
import SockeyePlatform

/// The folder of a store, and the files in it:
///
/// ```
/// FOLDER/sockeye-cache.lock        locked (flock) by the one store that has the folder open
///        sockeye-cache.sqlite      the entries, with small bodies (and SQLite's -wal and -shm)
///        sockeye-cache-bodies/     *.body, a file for each larger body
/// ```
final class CacheFolder: Sendable {
    private static let suffix = ".body"

    let path: String
    /// The folder of the bodies. Files are opened and removed relative to this descriptor, which stays valid if the
    /// folder is renamed. Only ``bodyNames()`` needs the original path.
    let bodies: FileHandle
    /// The threads for the folder's disk.
    let disk: DiskThreadPool
    let calls: FileCalls

    var databasePath: String { path + "/sockeye-cache.sqlite" }
    private static func bodiesPath(in path: String) -> String { path + "/sockeye-cache-bodies" }

    /// Opens the folder, which is created if it does not exist.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` for a folder that belongs to another user or is
    ///   writable by other users; otherwise the code of a file error, such as
    ///   ``SockeyeError/Code-swift.struct/fileFailed``.
    init(_ path: String, calls: FileCalls) throws(SockeyeError) {
        // An absolute path, because SQLite opens further connections later, when the working directory may have
        // changed.
        let path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        do throws(FileError) {
            _ = try Self.openOwn(path)
            bodies = try Self.openOwn(Self.bodiesPath(in: path))
            let device = try bodies.status(path).device
            disk = .of(calls.device ?? device)
        } catch {
            guard error.systemError == .notPermitted, error.operation == "use" else { throw SockeyeError(error) }
            throw .badConfiguration(
                "\(error.path) belongs to another user, or others can write to it (to prevent that, run `chmod go-w`)")
        }
        self.path = path
        self.calls = calls
    }

    /// Opens a folder, which is created if it does not exist. Refuses a folder that another user owns or can write to.
    private static func openOwn(_ path: String) throws(FileError) -> FileHandle {
        try create(path)
        let folder = try FileHandle(opening: path, for: .folder)
        let status = try folder.status(path)
        guard status.owner == SystemProcess.user, !status.isWritableByOthers else {
            throw FileError("use", path, .notPermitted)
        }
        return folder
    }

    private static func create(_ path: String) throws(FileError) {
        if SystemFile.status(of: path) != nil { return }
        let parent = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
        if !parent.isEmpty { try create(parent) }
        if let error = SystemFile.createFolder(path, mode: 0o700), error != .exists {
            throw FileError("create", path, error)
        }
    }

    /// Locks the folder for as long as the result lives.
    func lock() throws(SockeyeError) -> FileHandle {
        let path = path + "/sockeye-cache.lock"
        do throws(FileError) {
            let handle = try FileHandle(opening: path, for: .appending, mode: 0o600)
            try handle.lock(path)
            return handle
        } catch {
            guard error.systemError == .wouldBlock else { throw SockeyeError(error) }
            throw .badConfiguration("\(self.path) is in use by another DiskCacheStore, in this or another process")
        }
    }

    // MARK: Bodies

    static func newBodyName() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
            + suffix
    }

    private static func isBodyName(_ name: String) -> Bool {
        name.hasSuffix(suffix)
            && name.utf8.dropLast(suffix.utf8.count).allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
            }
    }

    /// Returns the names of all existing bodies.
    func bodyNames() throws -> [String] {
        try SystemFile.names(in: Self.bodiesPath(in: path)).filter(Self.isBodyName)
    }

    func removeBodies(_ names: some Sequence<String>) {
        for name in names where Self.isBodyName(name) { SystemFile.remove(name, in: bodies.descriptor) }
    }

    // MARK: The database

    /// Creates the database file with permissions for this user alone; SQLite gives its other files the same mode.
    func prepareDatabase() throws(FileError) {
        let file = try FileHandle(opening: databasePath, for: .appending, mode: 0o600)
        if try file.status(databasePath).mode & 0o077 != 0 { _ = SystemFile.setMode(file.descriptor, to: 0o600) }
    }

    func removeDatabase() {
        for suffix in ["", "-wal", "-shm", "-journal"] { calls.remove(databasePath + suffix) }
    }

    // MARK: Threads

    /// Runs `work`, which blocks, on a disk thread. If the task is cancelled, throws `CancellationError` at once; work
    /// that has begun continues.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do throws(FileFailure) {
            result = try await disk.run { () throws(FileError) in Result { try work() } }
        } catch {
            throw CancellationError()
        }
        return try result.get()
    }

    /// As ``perform(_:)``, but the work is done even if the caller is cancelled before the work began.
    func performAlways(_ work: @escaping @Sendable () throws -> Void) async throws {
        let claim = WorkClaim()
        do {
            try await perform { if claim.take() { try work() } }
        } catch let error as CancellationError {
            disk.begin { if claim.take() { try? work() } }
            throw error
        }
    }
}

extension SockeyeError {
    fileprivate static func badConfiguration(_ message: String) -> SockeyeError {
        SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: message))
    }
}
#endif
