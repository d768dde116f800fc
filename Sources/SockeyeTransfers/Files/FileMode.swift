import SockeyePlatform

/// The mode (access rights) of a file that is moved to its destination.
package enum FileMode {
    /// Returns the mode to set on `file` before its move to `destination`: the mode of a new file, unless the move
    /// replaces a regular file.
    ///
    /// If the move replaces a regular file, the result is the replaced file's mode, so that a private file stays
    /// private. This method then also gives `file` to the group of the replaced file. If that is impossible, the result
    /// has no rights for the group.
    static func of(_ destination: String, _ existing: ExistingFilePolicy, for file: TemporaryFile) -> UInt32 {
        guard existing == .replace, let status = SystemFile.entryStatus(of: destination), status.isRegular else {
            return ofNewFiles
        }
        return of(status.mode, hasGroup: file.take(group: status.group))
    }

    /// Returns the mode for a file that replaces another file.
    ///
    /// - Parameters:
    ///   - mode: The mode of the replaced file.
    ///   - hasGroup: True if the new file has the group of the replaced file. If false, the rights of the group are
    ///     removed, because they would apply to the members of another group.
    package static func of(_ mode: UInt32, hasGroup: Bool) -> UInt32 { hasGroup ? mode : mode & ~0o070 }

    /// The mode that `open` with 0666 gives under the process's umask. If the umask is unknown, 0600.
    static var ofNewFiles: UInt32 { SystemProcess.creationMask.map { 0o666 & ~$0 } ?? 0o600 }
}
