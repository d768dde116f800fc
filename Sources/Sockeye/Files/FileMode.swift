import SockeyePlatform

/// The mode (access rights) of a file that is moved to its destination.
enum FileMode {
    /// Returns the mode for the file at `destination`: that of the file that it replaces, so that a private file stays
    /// private, or that of a new file.
    static func of(_ destination: String, _ existing: ExistingFilePolicy) -> UInt32 {
        guard existing == .replace, let status = SystemFile.entryStatus(of: destination), status.isRegular else {
            return ofNewFiles
        }
        return status.mode
    }

    /// The mode that `open` with 0666 gives under the process's umask. If the umask is unknown, 0600.
    static var ofNewFiles: UInt32 { SystemProcess.creationMask.map { 0o666 & ~$0 } ?? 0o600 }
}
