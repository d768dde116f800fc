public import SockeyeEngine
public import SockeyeHTTP

/// The settings of one download.
public struct DownloadOptions: Sendable {
    /// What the content has to hash to, whatever the server says. Default nothing.
    public var checksums: [Checksum] = []
    /// Whether checksums that the response announces (`Repr-Digest`, RFC 9530, and `Digest`, RFC 3230) are checked. Default
    /// true.
    public var verifiesAnnouncedChecksums = true
    /// How often in a row the transfer goes on by itself after it broke off; a success in between starts the count anew.
    /// Default 5.
    public var maximumResumes = 5

    /// Makes the defaults named at each property, with some of them replaced.
    public init(checksums: [Checksum] = [], verifiesAnnouncedChecksums: Bool = true, maximumResumes: Int = 5) {
        self.checksums = checksums
        self.verifiesAnnouncedChecksums = verifiesAnnouncedChecksums
        self.maximumResumes = maximumResumes
    }
}

/// The settings of one download.
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

/// What happens in the course of a download.
package enum DownloadEvent: Sendable {
    /// The head of a response whose content will be written. Its body is taken.
    case response(IncomingResponse)
    /// From now on the download can be resumed with this, also after the process has ended: the bytes that are in the
    /// temporary file then count. Nil: it cannot be resumed.
    case resumable(ResumeData?)
    /// It goes on behind what is there (AFNetworking's `didResumeAtOffset`).
    case resumed(at: Int, total: Int?)
    /// What was there is of no use, and gone.
    case startedOver
    /// Bytes were written. Told by the thread that wrote them.
    case progress(completed: Int, total: Int?)
    /// It broke off and goes on after a pause.
    case pausing(Duration, after: SockeyeError)
}

/// A download that is complete.
public struct DownloadedFile: Sendable {
    /// Where the file is.
    public let path: String
    /// The last response that was received, its content taken; nil when everything was there before anything was asked.
    public let response: IncomingResponse?
    /// How many bytes the file has.
    public let count: Int
    /// How often the transfer broke off on the way.
    public let interruptions: Int
}
