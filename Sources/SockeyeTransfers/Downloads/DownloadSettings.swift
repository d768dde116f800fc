import SockeyeCore
public import SockeyeEngine

/// The settings of one download.
package struct DownloadSettings: Sendable {
    package var destination: DownloadDestination
    /// The state of the earlier download to continue; nil to start a new one.
    package var resumeData: ResumeData?
    /// True if this run continues a paused download that had accepted a response before the pause. The run then retries
    /// failures from its first request on. Otherwise it retries only after it has accepted a response.
    package var hasBegun = false
    /// The options of the request. The download takes from them the checksums, the number of parallel parts, the
    /// resume file and the maximum number of resumes.
    package var options: OutgoingRequest.Options
    /// The pause before the nth consecutive automatic resume.
    package var backoff = RetryBackoff.exponential(jitter: .equal)
    /// Receives the events, one at a time, on the downloading task or on the thread that reports progress.
    package var onEvent: @Sendable (DownloadEvent) -> Void = { _ in }
    /// The threads that report progress; nil for the thread that writes to the disk. Use ``applicationThreads`` if
    /// ``onEvent`` calls a closure of the application.
    var progressThreads: ThreadPool?
    /// The policy for waiting for a file descriptor if the process has none left.
    package var descriptorWait = DescriptorWait()
    /// The system calls on the file; replaceable for tests.
    package var fileCalls = FileCalls.system

    package init(destination: DownloadDestination, options: OutgoingRequest.Options = OutgoingRequest.Options()) {
        self.destination = destination
        self.options = options
    }

    /// The threads for progress closures of the application. Such a closure may block, so it must not run on a writing
    /// thread: all transfers to the same file system share the writing threads.
    static let applicationThreads = ThreadPool(
        name: "sockeye-report", threads: 64, queueLimit: 1 << 20, idleTime: .seconds(10))
}

/// An event in the course of a download.
package enum DownloadEvent: Sendable {
    /// The head of a response with content that will be written. The download itself reads the body.
    case response(IncomingResponse)
    /// The head of a response to a request for one of several parts. The download itself reads the body.
    case part(IncomingResponse)
    /// From now on, this or another process can resume the download with this resume data. If the temporary file has no
    /// gaps, the resumed download also uses the bytes that are written to the file after this event. Nil: the download
    /// cannot be resumed.
    case resumable(ResumeData?)
    /// The path of the destination, as soon as it is known.
    case decided(String)
    /// The download continues after the bytes received so far (the counterpart of AFNetworking's `didResumeAtOffset`).
    case resumed(at: Int, total: Int?)
    /// The bytes received so far were unusable and have been discarded.
    case startedOver
    /// Bytes were written. Reported on one of ``DownloadSettings/progressThreads``, or on the writing thread if there
    /// are no such threads. A download in parts always reports on the writing threads. This is safe, because it has no
    /// progress closure of the application, which could block them. The next write to the file begins after
    /// ``DownloadSettings/onEvent`` has returned.
    case progress(completed: Int, total: Int?)
    /// The complete file was moved to its destination, or could not be moved because of an error. A cancelled move is
    /// not reported.
    case moved(to: String, SockeyeError?)
    /// The transfer broke off and continues after a pause.
    case pausing(Duration, after: SockeyeError)
}

/// The result of a completed download.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public let path: String
    /// The last response (its content has been read); nil if the file was complete before a request was sent.
    public let response: IncomingResponse?
    /// The size of the file in bytes.
    public let count: Int
    /// The number of times that the transfer broke off, plus the number of failed attempts to continue it.
    public let interruptions: Int
}
