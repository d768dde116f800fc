/// The action if the destination of a download exists already.
@nonexhaustive public enum ExistingFilePolicy: String, Sendable, Hashable, Codable {
    /// Replaces the existing file atomically when the new one is complete. A symbolic link is replaced, not followed.
    /// If the existing file is a regular file, the new file gets the access rights and the group of that file. If the
    /// process cannot set that group, the new file keeps the group that it was created with, and this group gets no
    /// access rights.
    case replace
    /// Fails the download with ``SockeyeError/Code-swift.struct/fileExists``, before it starts if possible.
    case fail
    /// Keeps both files. The name of the new file gets a number: `report-1.pdf` beside `report.pdf`.
    case keepBoth
}
