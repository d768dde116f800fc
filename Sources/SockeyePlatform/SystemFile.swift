import CSockeyeSystem
import Glibc

/// What the system knows of a file (stat(2)).
package struct FileStatus: Sendable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    /// When it was changed last: seconds since 1970 and nanoseconds.
    package let modified: (seconds: Int, nanoseconds: Int)
    /// The number of the user whose file it is.
    package let owner: UInt32
    private let mode: UInt32

    fileprivate init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        owner = status.st_uid
        mode = status.st_mode
    }

    package var isRegular: Bool { mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    /// Whether others than its owner may write to it.
    package var isWritableByOthers: Bool { mode & (S_IWGRP | S_IWOTH) != 0 }
}

/// The small files that a configuration names: read whole, listed, looked at, appended to. All of it blocks the thread.
package enum SystemFile {
    /// The bytes of a file; nil where it has more than `limit`, as a device that never ends.
    package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 32 << 10)
        while contents.count <= limit {
            let count = unsafe Glibc.read(descriptor, &block, block.count)
            if count == 0 { return contents }
            if count > 0 {
                contents.append(contentsOf: block[..<count])
            } else if SystemError.last != .interrupted {
                throw .last
            }
        }
        return nil
    }

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

    /// What is known of the file at a path, or of what a link there leads to; nil where there is none.
    package static func status(of path: String) -> FileStatus? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    package static func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Whether this user may read the file, or list the folder (access(2)).
    package static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// Whether this user may list the folder and open files in it.
    package static func isUsableFolder(_ path: String) -> Bool {
        unsafe access(path, R_OK | X_OK) == 0 && status(of: path)?.isFolder == true
    }

    /// Opens a file to append to; made for this user alone where there is none. Follows no link, and does not wait for a
    /// FIFO's reader, which may never come.
    package static func openToAppend(_ path: String) throws(SystemError) -> Int32 {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = unsafe Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else { throw .last }
        return descriptor
    }

    /// One write(2), whatever becomes of it.
    package static func append(_ bytes: [UInt8], to descriptor: Int32) {
        _ = unsafe write(descriptor, bytes, bytes.count)
    }

    package static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    /// The user whose rights this process has.
    package static var currentUser: UInt32 { geteuid() }

    /// The value of an environment variable.
    package static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
