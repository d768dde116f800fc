package import SockeyeCore
package import SockeyeEngine
package import SockeyePlatform
import Synchronization

/// A temporary file in the folder of its destination, renamed when it is complete.
///
/// The destination is unchanged until ``moveIntoPlace(_:_:mode:)`` replaces it atomically. If the file was synchronized
/// before the replacement, there is either the old or the new file even after a power failure. ``remove()`` removes the
/// temporary file. If no method removed, moved or kept it, a disk thread removes it soon after the last reference to
/// this object is released. A process that crashes or is killed leaves the file behind.
///
/// The synchronous methods block, except ``keep()`` and ``beginRemoval()``. The asynchronous ones run slow work on
/// ``DiskThreadPool``. The file is locked while this object exists, so that no other download resumes it and the search
/// for stale files does not remove it.
package final class TemporaryFile: Sendable {
    /// The suffix of the file's name. The name does not contain the destination's name, which may already have the
    /// maximum length.
    package enum Kind: String, CaseIterable {
        /// A partial download that a later task or process can resume.
        case resumable = ".part"
        case temporary = ".partial"
    }

    private static let prefix = ".sockeye-"

    package let path: String
    /// The size of the file in bytes when this value was created.
    package let initialCount: Int
    /// The path to name in errors.
    private let subject: String
    private let handle: FileHandle
    private let calls: FileCalls
    /// The threads for the disk of this file.
    package let disk: DiskThreadPool
    /// True once the file was kept or moved, or once its removal was started.
    private let isSettled = Atomic(false)

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
        beginRemoval()
    }

    // MARK: Opening

    /// Creates a file in this folder, which must exist.
    ///
    /// - Parameters:
    ///   - mode: The file's mode, subject to the process's umask.
    ///   - subject: The path to name in errors; nil for the file's own path.
    package static func create(
        in folder: String, _ kind: Kind, mode: UInt32, subject: String? = nil, calls: FileCalls = .system
    ) throws(FileError) -> TemporaryFile {
        // The name has 64 random bits. One collision may be chance, three are not.
        for _ in 1...3 {
            let number = String(UInt64.random(in: .min ... .max), radix: 36)
            let path = (folder.hasSuffix("/") ? folder : folder + "/") + prefix + number + kind.rawValue
            let handle: FileHandle
            do {
                handle = try FileHandle(opening: path, for: .creating, mode: mode)
            } catch {
                guard error.systemError == .exists else {
                    throw FileError("create", subject ?? path, error.systemError)
                }
                continue
            }
            do throws(FileError) {
                try handle.lock(path)
                let device = try handle.status(path).device
                return TemporaryFile(handle, path, subject: subject, .of(calls.device ?? device), calls)
            } catch {
                // No value exists yet, so no deinitializer removes the file.
                SystemFile.remove(path)
                throw error
            }
        }
        throw FileError("create a file in", folder, .exists)
    }

    /// Creates a file that will become, or replace, the file at `path`.
    static func create(
        for path: String, mode: UInt32, calls: FileCalls = .system
    ) throws(FileError) -> TemporaryFile {
        try FilePath.check(path, .replace)
        return try create(in: FilePath.folder(of: path), .temporary, mode: mode, subject: path, calls: calls)
    }

    /// Reopens a resumable file that was kept.
    ///
    /// - Throws: `ENOENT` if the file is missing, and `EWOULDBLOCK` if another download has it open. `EINVAL` if this
    ///   library cannot have created it, and `EPERM` if it belongs to another user or has a second link.
    package static func reopen(_ path: String, calls: FileCalls = .system) throws(FileError) -> TemporaryFile {
        guard isName(FilePath.name(of: path), of: [.resumable]), !path.utf8.contains(0) else {
            throw FileError("resume", path, .invalidArgument)
        }
        let handle = try FileHandle(opening: path, for: .updating)
        let status = try handle.status(path)
        try checkOrigin(of: status, path)
        // The file is locked before a `TemporaryFile` is created. If locking failed later, the deinitializer would
        // remove a file that another download uses.
        try handle.lock(path)
        // Another process may have removed the file after it was opened and before it was locked.
        guard isEntry(path, of: status) else { throw FileError("open", path, .notFound) }
        return TemporaryFile(handle, path, count: Int(status.size), .of(calls.device ?? status.device), calls)
    }

    /// True if this library may have created a file with this name.
    package static func isName(_ name: some StringProtocol, of kinds: [Kind] = Kind.allCases) -> Bool {
        guard name.hasPrefix(prefix), let kind = kinds.first(where: { name.hasSuffix($0.rawValue) }) else {
            return false
        }
        let number = name.utf8.dropFirst(prefix.utf8.count).dropLast(kind.rawValue.utf8.count)
        return (1...13).contains(number.count)
            && number.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
            }
    }

    /// Throws unless the file is regular, has a single link and belongs to the process's user. The library creates only
    /// such files. But the path may come from any source, and in a shared folder other users can create files with
    /// names like those of this library.
    package static func checkOrigin(of status: FileStatus, _ path: String) throws(FileError) {
        guard status.isRegular else { throw FileError("resume", path, .invalidArgument) }
        guard status.owner == SystemProcess.user, status.linkCount == 1 else {
            throw FileError("resume", path, .notPermitted)
        }
    }

    /// Removes a resumable file that was kept. Does nothing if the path leads to any other file, or while a download
    /// has the file open.
    package static func remove(_ path: String) {
        guard isName(FilePath.name(of: path), of: [.resumable]), !path.utf8.contains(0) else { return }
        guard let handle = try? FileHandle(opening: path, for: .readingNoLink), let status = try? handle.status(path),
            (try? checkOrigin(of: status, path)) != nil, isUnused(handle, path), isEntry(path, of: status)
        else { return }
        withExtendedLifetime(handle) { _ = SystemFile.remove(path) }
    }

    /// Tries to lock the file. Returns false if a download has locked it. A download that has ended does not count,
    /// even if a disk thread still holds the lock for it.
    private static func isUnused(_ handle: FileHandle, _ path: String) -> Bool {
        func canLock() -> Bool { (try? handle.lock(path)) != nil }
        // The disk thread may close the file after the first attempt and before `ClosingFiles` is asked. The second
        // attempt then succeeds.
        return canLock() || ClosingFiles.contains(path) || canLock()
    }

    private static func isEntry(_ path: String, of status: FileStatus) -> Bool {
        SystemFile.entryStatus(of: path)?.identity == status.identity
    }

    // MARK: Content

    /// Writes all bytes at `position`. Advances `position` by the number of bytes written, also before an error.
    package func write(_ bytes: Bytes, at position: inout Int) throws(FileError) {
        var start = 0
        while start < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe calls.write(handle.descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...]), position)
            }
            guard written > 0 else {
                let error = SystemError(ofResult: written)
                if error == .interrupted { continue }
                // A write of 0 bytes without an error means that the disk is full.
                throw FileError("write", subject, error ?? .noSpace)
            }
            start += written
            position += written
        }
    }

    /// Truncates the file to its first `count` bytes.
    package func truncate(to count: Int) throws(FileError) {
        if let error = SystemFile.truncate(handle.descriptor, to: count) {
            throw FileError("truncate", subject, error)
        }
    }

    /// Reads a range of the file and passes it to `take` piece by piece. Throws `EIO` if the file is too short.
    package func read(_ range: Range<Int>, _ take: (Bytes) -> Void) throws(FileError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let block = ByteStorage.allocate(capacity: min(256 << 10, range.upperBound - position))
            let result = unsafe calls.readUninterrupted(handle.descriptor, block.mutableBytes, position)
            guard result > 0 else { throw FileError("read", subject, SystemError(ofResult: result) ?? .inputOutput) }
            take(Bytes(storage: block, offset: 0, count: result))
            position += result
        }
    }

    // MARK: Completion

    /// Keeps the file after the last reference is released, for a later ``reopen(_:calls:)``.
    package func keep() {
        isSettled.store(true, ordering: .relaxed)
    }

    /// Removes the file on a disk thread, unless it was kept or moved, and waits for that; see
    /// ``DiskThreadPool/remove(_:)``.
    package func remove() async {
        guard let removal = takeRemoval() else { return }
        await disk.remove(removal)
    }

    /// Starts to remove the file on a disk thread, unless it was kept or moved, and returns at once.
    package func beginRemoval() {
        if let removal = takeRemoval() { disk.beginRemoval(removal) }
    }

    /// Returns the work that removes the file; nil if the file was kept or moved, or if the work was taken before.
    private func takeRemoval() -> (@Sendable () -> Void)? {
        guard !isSettled.exchange(true, ordering: .relaxed) else { return nil }
        return { [handle, path, calls] in
            calls.remove(path)
            // Closing the last descriptor of a removed file frees its blocks. For 4 GB on ext4 that took 0.8 seconds,
            // and the descriptor may be closed on any thread. So the blocks are freed here.
            if (try? handle.status(path))?.linkCount == 0 { _ = SystemFile.truncate(handle.descriptor, to: 0) }
        }
    }

    /// Marks the file as unused by its download, although a disk thread may still work on it. A download that reopens
    /// the file then waits for that thread instead of failing.
    package func markUnused() {
        handle.leave(path)
    }

    /// Gives the file to a group. Returns false if that is impossible, for example because this user is not a member of
    /// the group.
    package func take(group: UInt32) -> Bool {
        if let own = try? handle.status(path), own.group == group { return true }
        return SystemFile.setGroup(handle.descriptor, to: group) == nil
    }

    /// True if the file still exists at its path; a cleanup job may have removed it.
    package var isInPlace: Bool {
        guard let own = try? handle.status(path) else { return false }
        return Self.isEntry(path, of: own)
    }

    /// Synchronizes the file to the disk (fsync).
    func synchronize() throws(FileError) {
        let code = calls.synchronize(handle.descriptor)
        guard code == 0 else { throw FileError("synchronize", subject, SystemError(code)) }
    }

    /// Renames the file to its destination. Missing folders are created. Returns the final path.
    ///
    /// - Parameter mode: The new mode, set immediately before the move, so that other users cannot read the file
    ///   earlier. If the move fails, the mode becomes 0600 again. Nil keeps the mode.
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

    /// Moves the file to another folder of the same file system, and returns a new value for it. The old value must not
    /// be used afterwards. If `folder` is the file's present folder, even by another path, nothing is moved and nil is
    /// returned.
    ///
    /// - Parameter count: The size of the file in bytes, which becomes ``initialCount``.
    package func relocated(to folder: String, _ count: Int) throws(FileError) -> TemporaryFile? {
        guard isInPlace else { throw FileError("move", subject, .notFound) }
        guard !FilePath.leadToSameFile(folder, FilePath.folder(of: path)) else { return nil }
        let place = (folder.hasSuffix("/") ? folder : folder + "/") + FilePath.name(of: path)
        _ = try FilePath.move(path, to: place, .fail)
        keep()
        return TemporaryFile(handle, place, count: count, disk, calls)
    }

    /// Synchronizes the folder, so that the new name survives a power failure. Errors are ignored, because some file
    /// systems cannot do that, and the content is on the disk already.
    private func synchronizeFolder(of place: String) {
        guard let folder = try? FileHandle(opening: FilePath.folder(of: place), for: .folder) else { return }
        _ = calls.synchronize(folder.descriptor)
    }

    /// Synchronizes the file to the disk, moves it to the destination, and returns the final path.
    ///
    /// - Parameter mode: The new mode; nil keeps the mode.
    package func finish(
        at destination: String, _ existing: ExistingFilePolicy = .replace, mode: UInt32? = nil
    ) async throws(FileFailure) -> String {
        try await disk.run { () throws(FileError) in try self.synchronize() }
        // Not `run`: after a cancellation it would throw at once, although the disk thread would still complete the
        // move. `runToEnd` waits for a move that has begun.
        let place = try await disk.runToEnd { () throws(FileError) in
            try self.moveIntoPlace(destination, existing, mode: mode)
        }
        // The file is in place now, even if its folder cannot be synchronized.
        try? await disk.run { self.synchronizeFolder(of: place) }
        return place
    }

    /// Creates or replaces a small file atomically. The new file is readable only by its owner.
    ///
    /// - Parameter synchronizing: If false, a power failure may leave an empty file.
    package static func replace(_ path: String, by contents: Bytes, synchronizing: Bool = true) throws(FileError) {
        let file = try create(for: path, mode: 0o600)
        do throws(FileError) {
            var position = 0
            try file.write(contents, at: &position)
            if synchronizing { try file.synchronize() }
            let place = try file.moveIntoPlace(path, .replace)
            if synchronizing { file.synchronizeFolder(of: place) }
        } catch {
            // At once, because the caller may look at the folder.
            file.takeRemoval()?()
            throw error
        }
    }
}
