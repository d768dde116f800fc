import CSockeyeSystem
import Glibc

/// What a file is opened for (open(2)). It is never handed on to child processes (O_CLOEXEC).
package struct FileAccess: Sendable {
    fileprivate let flags: Int32

    /// To read, without waiting for a FIFO's writer, who may never come; regular files do not know that flag.
    package static var reading: FileAccess { FileAccess(flags: O_RDONLY | O_NONBLOCK | O_NOCTTY) }
    /// To read; a path that ends in a symbolic link is refused.
    package static var readingNoLink: FileAccess { FileAccess(flags: reading.flags | O_NOFOLLOW) }
    /// To read and write what is there and no link.
    package static var updating: FileAccess { FileAccess(flags: O_RDWR | O_NONBLOCK | O_NOFOLLOW) }
    /// To read and write a new file.
    package static var creating: FileAccess { FileAccess(flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW) }
    /// To append to a file that is there and no link, or to a new one. Does not wait for a FIFO's reader.
    package static var appending: FileAccess {
        FileAccess(flags: O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
    }
    /// To write to a pipe, a terminal or another device, without ever waiting for it.
    package static var writing: FileAccess { FileAccess(flags: O_WRONLY | O_NONBLOCK | O_NOCTTY) }
    package static var folder: FileAccess { FileAccess(flags: O_RDONLY | O_DIRECTORY) }
    /// To read to the end, a FIFO included, whose writer is waited for.
    fileprivate static var readingWhole: FileAccess { FileAccess(flags: O_RDONLY) }
}

/// The system calls on files, by path or descriptor. All of them block the thread.
///
/// A name in `folder` is looked up in an open folder, whatever path leads to that now.
package enum SystemFile {
    /// Stands for the folder that relative paths start from.
    package static var workingFolder: Int32 { AT_FDCWD }

    /// Opens a file, unless only the ``DescriptorReserve`` is left (EMFILE).
    ///
    /// - Parameter mode: The rights of a new file, of which the process's umask takes some.
    package static func open(
        _ path: String, in folder: Int32 = workingFolder, for access: FileAccess, mode: UInt32 = 0o600
    ) throws(SystemError) -> Int32 {
        // A NUL would end the path early, and name another file.
        guard !path.utf8.contains(0) else { throw .invalidArgument }
        let number = unsafe openat(folder, path, access.flags | O_CLOEXEC, mode)
        let descriptor = DescriptorReserve.admit(number, for: .file)
        guard descriptor < 0 else { return descriptor }
        let error = SystemError.last
        // It was made by this call and is of no use.
        if number >= 0, access.flags & O_EXCL != 0 { remove(path, in: folder) }
        throw error
    }

    package static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    // MARK: Content

    /// Reads at a position (pread(2)); returns the number of bytes, or the negative error number.
    package static func read(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer, at position: Int) -> Int {
        let count = unsafe pread(descriptor, room.baseAddress, room.count, position)
        return count < 0 ? -Int(errno) : count
    }

    /// As ``read(_:into:at:)``, of what is in the system's cache: `wouldBlock` where nothing is, another error where the
    /// system cannot tell.
    package static func readCached(
        _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer, at position: Int
    ) -> Int {
        unsafe sockeye_read_cached(descriptor, room.baseAddress, room.count, position)
    }

    /// How many bytes of a range are in the system's cache, by a look here and there; nil where that cannot be told, as
    /// on some file systems of files of others.
    package static func cachedPrefix(_ descriptor: Int32, _ range: Range<Int>, isOwned: Bool) -> Int? {
        let count = sockeye_cached_prefix(descriptor, range.lowerBound, range.count, isOwned ? 1 : 0)
        return count < 0 ? nil : count
    }

    /// Writes at a position (pwrite(2)); returns the number of bytes taken, or the negative error number.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        let count = unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, position)
        return count < 0 ? -Int(errno) : count
    }

    /// Has the system begin to bring a part of the file to the disk (sync_file_range). A hint: it promises nothing.
    package static func writeBack(_ descriptor: Int32, from start: Int, count: Int) {
        sockeye_write_back(descriptor, start, count)
    }

    /// One write(2), whatever becomes of it.
    package static func append(_ bytes: [UInt8], to descriptor: Int32) {
        _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
    }

    /// How bytes go to a descriptor that is not the library's own.
    package enum Writing: Sendable {
        /// write(2), where the open file stands.
        case appending
        /// send(2), without waiting for room, whatever the flags of the socket.
        case toSocket
    }

    /// Writes without SIGPIPE; returns the number of bytes taken, or the negative error number.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ writing: Writing) -> Int {
        switch writing {
        case .appending:
            return PipeSignal.withheld {
                let count = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                return count < 0 ? -Int(errno) : count
            } mayHaveCome: {
                $0 == -Int(EPIPE)
            }
        case .toSocket:
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            let count = unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
            return count < 0 ? -Int(errno) : count
        }
    }

    /// Another descriptor of the same open file (fcntl(2)), closed for child processes.
    package static func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32 {
        let other = DescriptorReserve.admit(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), for: .file)
        guard other >= 0 else { throw .last }
        return other
    }

    /// Waits until everything is on the disk (fsync(2)).
    package static func synchronize(_ descriptor: Int32) -> SystemError? {
        fsync(descriptor) == 0 ? nil : .last
    }

    /// Drops what is behind the first `count` bytes.
    package static func truncate(_ descriptor: Int32, to count: Int) -> SystemError? {
        ftruncate(descriptor, count) == 0 ? nil : .last
    }

    /// The bytes of a file; nil where it has more than `limit`, as a device that never ends.
    package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        let descriptor = try open(path, for: .readingWhole)
        defer { close(descriptor) }
        let contents = try contents(of: descriptor, upTo: limit)
        return contents.count > limit ? nil : contents
    }

    /// The bytes of a file from where it is read, or those up to some point behind `limit`.
    package static func contents(of descriptor: Int32, upTo limit: Int) throws(SystemError) -> [UInt8] {
        var contents: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 32 << 10)
        while contents.count <= limit {
            let count = unsafe Glibc.read(descriptor, &block, block.count)
            if count == 0 { break }
            if count > 0 {
                contents.append(contentsOf: block[..<count])
            } else if SystemError.last != .interrupted {
                throw .last
            }
        }
        return contents
    }

    // MARK: Status

    /// What is known of the file at a path, or of what a link there leads to; nil where there is none.
    package static func status(of path: String) -> FileStatus? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// What is known of what has this path, links included; nil where there is nothing.
    package static func entryStatus(of path: String, in folder: Int32 = workingFolder) -> FileStatus? {
        var status = stat()
        return unsafe fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }

    package static func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    package static func setMode(_ descriptor: Int32, to mode: UInt32) -> SystemError? {
        fchmod(descriptor, mode) == 0 ? nil : .last
    }

    /// Takes the lock that one open file of all has (flock(2)), or fails with `wouldBlock`.
    package static func lock(_ descriptor: Int32) -> SystemError? {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? nil : .last
    }

    /// Whether this user may read the file, or list the folder (access(2)).
    package static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// Whether this user may list the folder and open files in it.
    package static func isUsableFolder(_ path: String) -> Bool {
        unsafe access(path, R_OK | X_OK) == 0 && status(of: path)?.isFolder == true
    }

    // MARK: Names

    /// The names in a folder, in no order.
    package static func names(in folder: String) throws(SystemError) -> [String] {
        guard let directory = unsafe opendir(folder) else { throw .last }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return names
    }

    /// - Parameter mode: Its rights, of which the process's umask takes some.
    package static func createFolder(_ path: String, mode: UInt32 = 0o777) -> SystemError? {
        unsafe mkdir(path, mode) == 0 ? nil : .last
    }

    /// Gives a file another name (rename(2)), at once.
    ///
    /// - Parameter replacing: Whether a file that has that name goes; else its being there is an error.
    package static func move(_ path: String, to place: String, replacing: Bool) -> SystemError? {
        unsafe (replacing ? rename(path, place) : sockeye_rename_exclusively(path, place)) == 0 ? nil : .last
    }

    /// Takes a name from a file (unlink(2)), which is gone with its last one.
    @discardableResult
    package static func remove(_ path: String, in folder: Int32 = workingFolder) -> SystemError? {
        unsafe unlinkat(folder, path, 0) == 0 ? nil : .last
    }
}
