/// What happens when there is a file already where a download is to go.
@nonexhaustive public enum ExistingFilePolicy: String, Sendable, Hashable, Codable {
    /// The new one takes its place, in one step and only when it is complete. A link is replaced, not followed. The
    /// access rights stay those of the file that was there.
    case replace
    /// The download fails with ``SockeyeError/Code-swift.struct/fileExists``, before it begins where possible.
    case fail
    /// The new one gets a number: `report-1.pdf` beside `report.pdf`.
    case keepBoth
}
