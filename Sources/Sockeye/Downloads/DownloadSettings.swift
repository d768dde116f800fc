public import SockeyeEngine

/// The settings of one download.
package struct DownloadSettings: Sendable {
    /// Where the file goes.
    package var destination: DownloadDestination
    /// Where an earlier download was.
    package var resumeData: ResumeData?
    /// Checksums, parts, resume file and number of resumes.
    package var options: OutgoingRequest.Options
    /// The pause before it continues by itself, by its number in the row.
    package var backoff = RetryBackoff.exponential(jitter: .equal)
    /// Called with what happens, one at a time: by the task that downloads, or the thread that writes for it.
    package var onEvent: @Sendable (DownloadEvent) -> Void = { _ in }
    /// What happens if the process has no descriptor left for the file.
    package var descriptors = DescriptorWait()
    /// The disk.
    package var calls = FileCalls.system

    package init(destination: DownloadDestination, options: OutgoingRequest.Options = OutgoingRequest.Options()) {
        self.destination = destination
        self.options = options
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
    /// The complete file was moved to its destination, or could not be moved because of an error.
    case moved(to: String, SockeyeError?)
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
