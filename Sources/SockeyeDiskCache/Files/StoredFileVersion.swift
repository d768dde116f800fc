#if DiskCache
import SockeyePlatform

/// The version of a file: its inode number and the time of its last change of any kind (`st_ino` and `st_ctim` of
/// stat(2)). Programs cannot set that time. An equal version therefore means that the file is unchanged, except for a
/// change within the same tick of the file system's clock (some ms).
struct StoredFileVersion: Hashable, Sendable {
    let inode: Int64
    /// Nanoseconds since 1970.
    let changed: Int64

    init(inode: Int64, changed: Int64) {
        self.inode = inode
        self.changed = changed
    }

    init(_ status: FileStatus) {
        inode = Int64(truncatingIfNeeded: status.inode)
        changed = Int64(status.changed.seconds) &* 1_000_000_000 &+ Int64(status.changed.nanoseconds)
    }
}
#endif
