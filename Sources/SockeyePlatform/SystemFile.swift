import CSockeyeSystem

/// The access mode of an open file (open(2)). All files are close-on-exec.
package struct FileAccess: Sendable {
    fileprivate let flags: UInt32

    /// Reading, without waiting until a process opens a FIFO for writing (O_NONBLOCK). Regular files ignore the flag.
    package static var reading: FileAccess {
        FileAccess(flags: sockeye_open_read | sockeye_open_no_wait | sockeye_open_no_terminal)
    }
    /// Reading; a path that ends in a symbolic link is refused.
    package static var readingNoLink: FileAccess { FileAccess(flags: reading.flags | sockeye_open_no_link) }
    /// Reading and writing an existing file; a symbolic link is refused.
    package static var updating: FileAccess {
        FileAccess(flags: sockeye_open_read | sockeye_open_write | sockeye_open_no_wait | sockeye_open_no_link)
    }
    /// Reading and writing a new file.
    package static var creating: FileAccess {
        FileAccess(
            flags: sockeye_open_read | sockeye_open_write | sockeye_open_create | sockeye_open_exclusive
                | sockeye_open_no_link)
    }
    /// Appending to an existing or new file; a symbolic link is refused. Does not wait for a reader of a FIFO.
    package static var appending: FileAccess {
        FileAccess(
            flags: sockeye_open_write | sockeye_open_append | sockeye_open_create | sockeye_open_no_link
                | sockeye_open_no_wait)
    }
    /// Writing to a pipe, a terminal or another device, without waiting for it.
    package static var writing: FileAccess {
        FileAccess(flags: sockeye_open_write | sockeye_open_no_wait | sockeye_open_no_terminal)
    }
    package static var folder: FileAccess { FileAccess(flags: sockeye_open_read | sockeye_open_folder) }
    /// Reading to the end; waits until a process opens a FIFO for writing.
    fileprivate static var readingWhole: FileAccess { FileAccess(flags: sockeye_open_read) }
}

/// The system calls on files, by path or descriptor. They block the thread.
///
/// If a call has a parameter `folder`, a relative path starts at that open folder, even if the folder was renamed or
/// replaced since. A path that contains a NUL is refused with `invalidArgument`.
package enum SystemFile {
    /// Stands for the process's working directory in place of an open folder (AT_FDCWD).
    package static var workingFolder: Int32 { sockeye_working_folder }

    /// Returns false if a path contains a NUL, which would end the C string early.
    private static func isPath(_ path: String) -> Bool { !path.utf8.contains(0) }

    /// Opens a file; fails with `tooManyDescriptors` if the only free descriptors belong to the ``DescriptorReserve``.
    ///
    /// - Parameter mode: The permissions of a new file, less those that the process's umask removes.
    package static func open(
        _ path: String, in folder: Int32 = workingFolder, for access: FileAccess, mode: UInt32 = 0o600
    ) throws(SystemError) -> Int32 {
        guard isPath(path) else { throw .invalidArgument }
        let number = unsafe sockeye_file_open(folder, path, access.flags, mode)
        let descriptor = DescriptorReserve.admit(number, for: .file)
        guard descriptor < 0 else { return descriptor }
        let error = SystemError.last
        // This call has created the file but gives no descriptor to the caller, so the empty file is removed.
        if number >= 0, access.flags & sockeye_open_exclusive != 0 { remove(path, in: folder) }
        throw error
    }

    /// Opens the same pipe or device a second time, with separate flags. Fails with `notSupported` if the system lacks
    /// ``SystemFeature/reopening``.
    package static func reopen(_ descriptor: Int32, for access: FileAccess) throws(SystemError) -> Int32 {
        let other = DescriptorReserve.admit(sockeye_file_reopen(descriptor, access.flags), for: .file)
        guard other >= 0 else { throw .last }
        return other
    }

    package static func close(_ descriptor: Int32) { sockeye_close(descriptor) }

    // MARK: Content

    /// Reads at a position (pread(2)). Returns the number of bytes or the negative error number.
    package static func read(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer, at position: Int) -> Int {
        unsafe sockeye_file_read_at(descriptor, room.baseAddress, room.count, position)
    }

    /// Reads at a position, as ``read(_:into:at:)``, but only from the page cache. Fails with `wouldBlock` if no byte
    /// is cached, and with another error if the system cannot tell.
    package static func readCached(
        _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer, at position: Int
    ) -> Int {
        unsafe sockeye_file_read_cached(descriptor, room.baseAddress, room.count, position)
    }

    /// Estimates by samples how many bytes from the start of a range are in the page cache; nil if unknown. On some
    /// file systems, such as tmpfs, the number is known only if this user owns the file (`isOwned`).
    package static func cachedPrefix(_ descriptor: Int32, _ range: Range<Int>, isOwned: Bool) -> Int? {
        let count = sockeye_file_cached_prefix(descriptor, range.lowerBound, range.count, isOwned)
        return count < 0 ? nil : count
    }

    /// Writes at a position (pwrite(2)). Returns the number of bytes written or the negative error number.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        unsafe sockeye_file_write_at(descriptor, bytes.baseAddress, bytes.count, position)
    }

    /// Asks the system to start writing a part of the file to the disk. A hint without guarantee.
    package static func writeBack(_ descriptor: Int32, from start: Int, count: Int) {
        sockeye_file_write_back(descriptor, start, count)
    }

    /// Calls write(2) once and ignores the result.
    package static func append(_ bytes: [UInt8], to descriptor: Int32) {
        _ = unsafe sockeye_file_write(descriptor, bytes, bytes.count)
    }

    /// The system call for writes to a descriptor that belongs to another part of the program.
    package enum Writing: Sendable {
        /// write(2), at the current offset of the open file.
        case appending
        /// send(2), without waiting for buffer space even if the socket is blocking.
        case toSocket
    }

    /// Writes without SIGPIPE. Returns the number of bytes written or the negative error number.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ writing: Writing) -> Int {
        switch writing {
        case .appending: unsafe sockeye_file_write(descriptor, bytes.baseAddress, bytes.count)
        case .toSocket: unsafe sockeye_send_now(descriptor, bytes.baseAddress, bytes.count)
        }
    }

    /// Returns another descriptor of the same open file (dup(2)), close-on-exec.
    package static func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32 {
        let other = DescriptorReserve.admit(sockeye_duplicate(descriptor), for: .file)
        guard other >= 0 else { throw .last }
        return other
    }

    /// Waits until all data is on disk (fsync(2)).
    package static func synchronize(_ descriptor: Int32) -> SystemError? {
        SystemError(ofOutcome: sockeye_file_synchronize(descriptor))
    }

    /// Truncates the file to its first `count` bytes.
    package static func truncate(_ descriptor: Int32, to count: Int) -> SystemError? {
        SystemError(ofOutcome: sockeye_file_truncate(descriptor, count))
    }

    /// Returns the bytes of a file; nil if there are more than `limit`, as in an endless device.
    package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        let descriptor = try open(path, for: .readingWhole)
        defer { close(descriptor) }
        let contents = try contents(of: descriptor, upTo: limit)
        return contents.count > limit ? nil : contents
    }

    /// Returns the bytes of a file from its current offset. Reading stops once more than `limit` bytes have been read.
    /// The result then has up to 32 KiB more than `limit`.
    package static func contents(of descriptor: Int32, upTo limit: Int) throws(SystemError) -> [UInt8] {
        var contents: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 32 << 10)
        while contents.count <= limit {
            let count = unsafe sockeye_file_read(descriptor, &block, block.count)
            if count == 0 { break }
            if count > 0 {
                contents.append(contentsOf: block[..<count])
            } else if let error = SystemError(ofResult: count), error != .interrupted {
                throw error
            }
        }
        return contents
    }

    // MARK: Status

    /// Returns the status of the file at a path, following symbolic links; nil if it does not exist or is inaccessible.
    package static func status(of path: String) -> FileStatus? {
        status(of: path, in: workingFolder, follows: true)
    }

    /// Returns the version of the file at a path, following symbolic links; nil if it is missing or inaccessible.
    package static func version(of path: String) -> FileVersion? { status(of: path)?.version }

    /// Returns the status of the entry at a path, without following a symbolic link; nil if it does not exist or is
    /// inaccessible.
    package static func entryStatus(of path: String, in folder: Int32 = workingFolder) -> FileStatus? {
        status(of: path, in: folder, follows: false)
    }

    private static func status(of path: String, in folder: Int32, follows: Bool) -> FileStatus? {
        guard isPath(path) else { return nil }
        var status = sockeye_file_status()
        return unsafe sockeye_name_status(folder, path, follows, &status) == 0 ? FileStatus(status) : nil
    }

    package static func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
        var status = sockeye_file_status()
        if let error = unsafe SystemError(ofOutcome: sockeye_file_examine(descriptor, &status)) { throw error }
        return FileStatus(status)
    }

    package static func setMode(_ descriptor: Int32, to mode: UInt32) -> SystemError? {
        SystemError(ofOutcome: sockeye_file_set_mode(descriptor, mode))
    }

    /// Gives the file to a group, of which this user must be a member (chown(2)).
    package static func setGroup(_ descriptor: Int32, to group: UInt32) -> SystemError? {
        SystemError(ofOutcome: sockeye_file_set_group(descriptor, group))
    }

    /// Takes the exclusive lock of the file (flock(2)); fails with `wouldBlock` if another open file holds it.
    package static func lock(_ descriptor: Int32) -> SystemError? {
        SystemError(ofOutcome: sockeye_file_lock(descriptor))
    }

    /// Returns true if this user may read the file or list the folder (access(2)).
    package static func isReadable(_ path: String) -> Bool { unsafe isPath(path) && sockeye_may_read(path, false) }

    /// Returns true if this user may list the folder and open files in it.
    package static func isUsableFolder(_ path: String) -> Bool {
        unsafe isPath(path) && sockeye_may_read(path, true) && status(of: path)?.isFolder == true
    }

    // MARK: Names

    /// Returns the names in a folder, unsorted, including `.` and `..`.
    package static func names(in folder: String) throws(SystemError) -> [String] {
        guard isPath(folder) else { throw .invalidArgument }
        guard let list = unsafe sockeye_folder_open(folder) else { throw .last }
        defer { unsafe sockeye_folder_close(list) }
        var names: [String] = []
        while let name = unsafe sockeye_folder_next(list) { unsafe names.append(String(cString: name)) }
        // The error number is 0 at the end of the folder.
        guard SystemError.last.code == 0 else { throw .last }
        return names
    }

    /// - Parameter mode: The permissions, less those that the process's umask removes.
    package static func createFolder(_ path: String, mode: UInt32 = 0o777) -> SystemError? {
        guard isPath(path) else { return .invalidArgument }
        return unsafe SystemError(ofOutcome: sockeye_create_folder(path, mode))
    }

    /// Renames a file atomically (rename(2)). If `replacing` is false and the file system has no exclusive rename, the
    /// file briefly has both names.
    ///
    /// - Parameter replacing: True to replace an existing file at `place`. If false, an existing file is an error.
    package static func move(_ path: String, to place: String, replacing: Bool) -> SystemError? {
        guard isPath(path), isPath(place) else { return .invalidArgument }
        return unsafe SystemError(
            ofOutcome: replacing ? sockeye_rename(path, place) : sockeye_rename_exclusively(path, place))
    }

    /// Removes a name of a file (unlink(2)).
    @discardableResult
    package static func remove(_ path: String, in folder: Int32 = workingFolder) -> SystemError? {
        guard isPath(path) else { return .invalidArgument }
        return unsafe SystemError(ofOutcome: sockeye_remove(folder, path))
    }
}
