import SockeyePlatform

/// The mode (access rights) of a file that is moved to its destination.
package enum FileMode {
    /// Returns the mode for the file at `destination`: the mode of the file that it replaces, so that a private file
    /// stays private. If no regular file is replaced, returns the mode of a new file. Gives `file` to the group of the
    /// replaced file.
    static func of(_ destination: String, _ existing: ExistingFilePolicy, for file: TemporaryFile) -> UInt32 {
        guard existing == .replace, let status = SystemFile.entryStatus(of: destination), status.isRegular else {
            return ofNewFiles
        }
        return of(status.mode, hasGroup: file.take(group: status.group))
    }

    /// Returns the mode for a file that replaces a file with `mode`. If the groups differ, the rights of the group are
    /// removed, because they would apply to other users.
    package static func of(_ mode: UInt32, hasGroup: Bool) -> UInt32 { hasGroup ? mode : mode & ~0o070 }

    /// The mode that `open` with 0666 gives under the process's umask. If the umask is unknown, 0600.
    static var ofNewFiles: UInt32 { SystemProcess.creationMask.map { 0o666 & ~$0 } ?? 0o600 }
}
