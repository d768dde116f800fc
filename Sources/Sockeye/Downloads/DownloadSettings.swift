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
    /// In how many parts, of at least 1 MiB each, the file is fetched at the same time, each over a connection of its own: from 1,
    /// the default, to 16, within what the pool allows. For servers that limit what one connection gets.
    ///
    /// The answer to the first request decides: parts are asked for if it is of the whole, says how long that is, that there are
    /// parts (`Accept-Ranges: bytes`, RFC 9110 14.3), and which version it is by a strong validator (RFC 9110 8.8.1), and is not
    /// coded. Each part must then be the very bytes that were asked for, of the very version. Where one is not, or is not to be had,
    /// what is there without a gap stays and the rest is fetched in one piece.
    ///
    /// While it is paused, a download in parts keeps its connections. When it ends before its time, resume data is for what is there
    /// without a gap; what goes on with that is fetched in one piece.
    public var parallelParts = 1
    /// A file that keeps the state of the download as long as it is unfinished, so that the same call in a later process continues
    /// it, whatever ended the earlier one: an error, Ctrl-C, `kill -9`. Default nil: no file.
    ///
    /// It must be in the folder of the destination, and is for its owner only (mode 0600), since URLs may have secrets in their
    /// query. A state of another URL is replaced; secrets of the query may differ. A file with anything else in it is refused with
    /// ``SockeyeError/Code-swift.struct/badConfiguration``. The file is removed when the download is complete, or has failed
    /// with nothing left to continue. Only a `download` of the client reads it; see <doc:Tasks>.
    public var resumeFile: String?

    /// Makes the defaults named at each property, with some of them replaced.
    public init(
        checksums: [Checksum] = [], verifiesAnnouncedChecksums: Bool = true, maximumResumes: Int = 5,
        parallelParts: Int = 1, resumeFile: String? = nil
    ) {
        self.parallelParts = parallelParts
        self.resumeFile = resumeFile
        self.checksums = checksums
        self.verifiesAnnouncedChecksums = verifiesAnnouncedChecksums
        self.maximumResumes = maximumResumes
    }
}

extension DownloadOptions {
    /// Options with the file fetched in several parts at the same time; see ``parallelParts``.
    public static func parallel(_ parts: Int) -> DownloadOptions { DownloadOptions(parallelParts: parts) }

    /// Options with a file that lets a later process continue the download; see ``resumeFile``.
    ///
    /// ```swift
    /// let task = try client.download(url, to: path, download: .resumable(in: path + ".resume"))
    /// ```
    public static func resumable(in path: String) -> DownloadOptions { DownloadOptions(resumeFile: path) }
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
    /// In how many parts it is fetched at the same time.
    package var parallelParts = 1
    /// Where its state is kept for a later process.
    package var resumeFile: String?
    /// The pause before it does, by its number in the row.
    package var backoff = RetryBackoff.exponential(jitter: .equal)
    /// Called with what happens, one at a time: by the task that downloads, or the thread that writes for it.
    package var onEvent: @Sendable (DownloadEvent) -> Void = { _ in }
    /// What happens if the process has no descriptor left for the file.
    package var descriptors = DescriptorWait()
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
        parallelParts = options.parallelParts
        resumeFile = options.resumeFile
    }
}

/// What happens in the course of a download.
package enum DownloadEvent: Sendable {
    /// The head of a response whose content will be written. Its body is taken.
    case response(IncomingResponse)
    /// The head of a response to a request for one of several parts, whose body is taken.
    case part(IncomingResponse)
    /// From now on the download can be resumed with this, also after the process has ended: the bytes that are in the
    /// temporary file then count. Nil: it cannot be resumed.
    case resumable(ResumeData?)
    /// The path of the destination, as soon as it is known.
    case decided(String)
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
