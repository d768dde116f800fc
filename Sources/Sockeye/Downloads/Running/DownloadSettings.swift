package import SockeyeEngine
package import SockeyeHTTP

/// What one download does differently from others.
package struct DownloadSettings: Sendable {
    /// Where the file goes.
    package var destination: DownloadDestination
    /// Where an earlier download was.
    package var resumeData: ResumeData?
    /// What the content has to hash to, whatever the server says.
    package var checksums: [Checksum] = []
    /// Whether Repr-Digest and Digest of the response are checked.
    package var verifiesAnnouncedChecksums = true
    /// How often in a row the transfer goes on by itself after it broke off; see ``ResumeMachine/Rules/maximumResumes``.
    package var maximumResumes = 5
    /// The pause before it does, by its number in the row.
    package var backoff = RetryBackoff.exponential(jitter: .equal)
    /// Called with what happens, one at a time: by the task that downloads, or the thread that writes for it.
    package var onEvent: @Sendable (DownloadEvent) -> Void = { _ in }
    /// The disk.
    package var calls = FileCalls.system

    package init(destination: DownloadDestination) {
        self.destination = destination
    }

    init(_ destination: DownloadDestination, _ options: DownloadOptions) {
        self.init(destination: destination)
        checksums = options.checksums
        verifiesAnnouncedChecksums = options.verifiesAnnouncedChecksums
        maximumResumes = options.maximumResumes
    }
}
