import SockeyePlatform

/// The access rights that files of this process get.
enum FileMode {
    /// Those of a file that takes its place at a path: of the file that it replaces, so that what was private stays so, or of
    /// any new file.
    static func of(_ destination: String, _ existing: ExistingFilePolicy) -> UInt32 {
        guard existing == .replace, let status = SystemFile.entryStatus(of: destination), status.isRegular else {
            return ofNewFiles
        }
        return status.mode
    }

    /// What `open` makes of 0666 here. Where nobody knows, those of the temporary file: for the owner alone.
    static var ofNewFiles: UInt32 { SystemProcess.creationMask.map { 0o666 & ~$0 } ?? 0o600 }
}
