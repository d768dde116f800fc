import Glibc
package import SockeyeCore

/// The temporary file that a download is written to, beside its destination and moved there when it is complete. What is at
/// the destination meanwhile is not touched.
///
/// One task uses it. It is readable for its owner only as long as it is temporary, locked against a second download, and
/// removed with the last reference unless it was moved or ``keep()`` was called.
package final class DownloadFile {
    /// Where it is now.
    package let path: String
    /// How many bytes are in it.
    package private(set) var count: Int
    private let handle: FileHandle
    private let calls: FileCalls
    private var isKept = false

    private static let prefix = ".sockeye-"
    private static let suffix = ".part"

    private init(_ handle: FileHandle, _ path: String, count: Int, _ calls: FileCalls) {
        self.handle = handle
        self.path = path
        self.count = count
        self.calls = calls
    }

    deinit {
        if !isKept { unlink(path) }
    }

    // MARK: Opening

    /// A new one in the folder of `destination`, which is created if it is missing.
    package static func create(
        beside destination: String, calls: FileCalls = .system
    ) throws(FileError) -> DownloadFile {
        let folder = FilePath.folder(of: destination)
        try FilePath.createFolders(folder)
        // 64 random bits: a name that is taken is bad luck once, and something else the third time.
        for attempt in 1... {
            let number = String(UInt64.random(in: .min ... .max), radix: 36)
            let path = (folder.hasSuffix("/") ? folder : folder + "/") + prefix + number + suffix
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            let code = errno
            if descriptor >= 0 { return try locked(FileHandle(owning: descriptor), path, calls) }
            guard code == EEXIST, attempt < 3 else { throw FileError("create", path, code) }
        }
        throw FileError("create a file in", folder, EEXIST)
    }

    /// One that was kept, to go on behind what is in it.
    ///
    /// - Throws: With `ENOENT` when it is gone, with `EWOULDBLOCK` when another download uses it, and with `EINVAL` for
    ///   what no download made.
    package static func reopen(_ path: String, calls: FileCalls = .system) throws(FileError) -> DownloadFile {
        let name = FilePath.name(of: path)
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), !path.utf8.contains(0) else {
            throw FileError("resume", path, EINVAL)
        }
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("open", path, errno) }
        return try locked(FileHandle(owning: descriptor), path, calls)
    }

    private static func locked(
        _ handle: FileHandle, _ path: String, _ calls: FileCalls
    ) throws(FileError) -> DownloadFile {
        var status = stat()
        guard fstat(handle.descriptor, &status) == 0 else { throw FileError("examine", path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("resume", path, EINVAL) }
        // A file system without locks has none to respect.
        if flock(handle.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw FileError("lock", path, EWOULDBLOCK)
        }
        return DownloadFile(handle, path, count: Int(status.st_size), calls)
    }

    // MARK: Writing

    /// Writes behind what is there. After an error, what came before it counts.
    package func append(_ bytes: Bytes) throws(FileError) {
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                calls.write(handle.descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...]), count)
            }
            guard written > 0 else {
                if written == -Int(EINTR) { continue }
                // A disk that takes nothing and does not say why is full.
                throw FileError("write", path, written == 0 ? ENOSPC : Int32(clamping: -written))
            }
            start += written
            count += written
        }
    }

    /// Drops what is behind the first `count` bytes.
    package func truncate(to count: Int) throws(FileError) {
        guard ftruncate(handle.descriptor, off_t(count)) == 0 else { throw FileError("truncate", path, errno) }
        self.count = count
    }

    // MARK: The end

    /// Lets the file be when the last reference goes, for a later ``reopen(_:calls:)``.
    package func keep() {
        isKept = true
    }

    /// Whether it still is where it was made: somebody may have cleaned up.
    package var isInPlace: Bool {
        var own = stat()
        guard fstat(handle.descriptor, &own) == 0, let there = FilePath.status(path) else { return false }
        return own.st_ino == there.st_ino && own.st_dev == there.st_dev
    }

    /// Puts the file to its destination when all of it is on the disk, and returns where that is. The mode becomes that
    /// of any new file. Of two files there is at every moment either the old or the new one, also after a power failure.
    package func move(to destination: String, _ existing: ExistingFilePolicy) async throws(SockeyeError) -> String {
        let (handle, calls, path) = (handle, calls, path)
        let mode = FileMode.ofNewFiles
        let code = try await DiskWorkers.run { () -> Int32 in
            guard fchmod(handle.descriptor, mode) == 0 else { return errno }
            return calls.synchronize(handle.descriptor)
        }
        let place: String
        do throws(FileError) {
            guard code == 0 else { throw FileError("synchronize", path, code) }
            guard isInPlace else { throw FileError("move", path, ENOENT) }
            try FilePath.createFolders(FilePath.folder(of: destination))
            place = try FilePath.move(path, to: destination, existing)
        } catch {
            throw SockeyeError(error)
        }
        isKept = true
        await synchronizeFolder(of: place)
        return place
    }

    /// Makes the new name last. The file is there whether or not that works.
    private func synchronizeFolder(of path: String) async {
        let folder = FilePath.folder(of: path)
        let calls = calls
        _ = try? await DiskWorkers.run { () -> Int32 in
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno }
            return calls.synchronize(FileHandle(owning: descriptor).descriptor)
        }
    }

    /// Hands over the whole file, piece by piece and on another thread.
    package func read(_ take: @escaping @Sendable (Bytes) -> Void) async throws(SockeyeError) {
        let (handle, path, count) = (handle, path, count)
        var position = 0
        while position < count {
            let start = position
            // In turns, so that nothing goes on for long after a cancellation.
            let end = min(count, start + Self.turn)
            let failure = try await DiskWorkers.run { Self.read(handle, path, start..<end, take) }
            if let failure { throw SockeyeError(failure) }
            position = end
        }
    }

    private static let turn = 16 << 20

    private static func read(
        _ handle: FileHandle, _ path: String, _ range: Range<Int>, _ take: (Bytes) -> Void
    ) -> FileError? {
        var position = range.lowerBound
        while position < range.upperBound {
            let block = ByteStorage.allocate(capacity: min(256 << 10, range.upperBound - position))
            let result = pread(handle.descriptor, block.baseAddress, block.byteCapacity, off_t(position))
            guard result > 0 else {
                if result < 0, errno == EINTR { continue }
                return FileError("read", path, result == 0 ? EIO : errno)
            }
            take(Bytes(storage: block, offset: 0, count: result))
            position += result
        }
        return nil
    }
}
