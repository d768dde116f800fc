import CSockeyeSystem

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
    /// The time of the last change of content, name or permissions. Programs cannot set it.
    package let changed: (seconds: Int, nanoseconds: Int)
    package let owner: UInt32
    package let group: UInt32
    package let linkCount: Int
    /// The permission bits (chmod(2)).
    package let mode: UInt32

    init(_ status: sockeye_file_status) {
        kind =
            switch status.kind {
            case sockeye_file_regular: .regular
            case sockeye_file_folder: .folder
            case sockeye_file_link: .symbolicLink
            default: .other
            }
        device = status.device
        inode = status.inode
        size = status.size
        modified = (Int(status.modified_seconds), Int(status.modified_nanoseconds))
        changed = (Int(status.changed_seconds), Int(status.changed_nanoseconds))
        owner = status.owner
        group = status.group
        linkCount = Int(status.link_count)
        mode = status.mode
    }

    package var isRegular: Bool { kind == .regular }
    package var isFolder: Bool { kind == .folder }
    /// True if users other than the owner may write to it.
    package var isWritableByOthers: Bool { mode & 0o022 != 0 }
    package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }
    package var version: FileVersion { FileVersion(self) }
}

/// The version of a file by stat(2), without reading its content: identity, size, and the time of the last change of
/// any kind. Programs can reset the time of the last modification, so it is not used. The kernel's times are coarse, so
/// two changes in quick succession may get the same time. The size usually differs then, so it is included.
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

/// The identity of a file, independent of its name: a file that replaces another has a different identity.
package struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
}
