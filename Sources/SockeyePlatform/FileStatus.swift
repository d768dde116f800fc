import Glibc

/// What the system knows of a file (stat(2)).
package struct FileStatus: Sendable {
    /// The kinds that make a difference.
    package enum Kind: Sendable, Hashable {
        case regular, folder, symbolicLink, other
    }

    package let kind: Kind
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    /// When it was changed last: seconds since 1970 and nanoseconds.
    package let modified: (seconds: Int, nanoseconds: Int)
    /// When its content, name or rights were changed last, likewise: the system's own note, which nobody can set.
    package let changed: (seconds: Int, nanoseconds: Int)
    /// The number of the user whose file it is.
    package let owner: UInt32
    /// How many names it has (its hard links).
    package let linkCount: Int
    /// Who may do what with it (chmod(2)).
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
    /// Whether others than its owner may write to it.
    package var isWritableByOthers: Bool { mode & (S_IWGRP | S_IWOTH) != 0 }
    package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }
}

/// Which file something is, whatever name it has: a file that takes the place of another is another one.
package struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
}
