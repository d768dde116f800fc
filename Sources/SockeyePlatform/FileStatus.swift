import Glibc

/// The status of a file (stat(2)).
package struct FileStatus: Sendable {
    /// The kinds of files that the library distinguishes.
    package enum Kind: Sendable, Hashable {
        case regular, folder, symbolicLink, other
    }

    package let kind: Kind
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    /// The time of the last modification: seconds since 1970 and nanoseconds.
    package let modified: (seconds: Int, nanoseconds: Int)
    /// The time of the last change of content, name or permissions. The kernel maintains it; programs cannot set it.
    package let changed: (seconds: Int, nanoseconds: Int)
    /// The id of the user that owns the file.
    package let owner: UInt32
    /// The number of hard links.
    package let linkCount: Int
    /// The permission bits (chmod(2)).
    package let mode: UInt32

    package init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        changed = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
        owner = status.st_uid
        linkCount = Int(status.st_nlink)
        mode = status.st_mode & 0o777
    }

    package var isRegular: Bool { kind == .regular }
    package var isFolder: Bool { kind == .folder }
    /// True if users other than the owner may write to it.
    package var isWritableByOthers: Bool { mode & (S_IWGRP | S_IWOTH) != 0 }
    package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }
    package var version: FileVersion { FileVersion(self) }
}

/// The version of a file, as far as stat(2) can tell without reading it. It includes the time of the last change of any
/// kind, because programs can reset the time of the last modification, and the size, because that time is coarse.
package struct FileVersion: Sendable, Hashable {
    private let identity: FileIdentity
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    fileprivate init(_ status: FileStatus) {
        identity = status.identity
        size = status.size
        (seconds, nanoseconds) = status.changed
    }
}

/// The identity of a file, independent of its name: a file that replaces another has a different one.
package struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
}
