/// The action if the destination of a download exists already.
@nonexhaustive public enum ExistingFilePolicy: String, Sendable, Hashable, Codable {
    /// Replaces the existing file atomically when the new one is complete. A symbolic link is replaced, not followed.
    /// The new file gets the access rights of a regular file that it replaces, but none for the group if the process
    /// cannot give it the same group.
    case replace
    /// Fails the download with ``SockeyeError/Code-swift.struct/fileExists``, before it starts if possible.
    case fail
    /// Keeps both. The new file gets a number: `report-1.pdf` beside `report.pdf`.
    case keepBoth
}
