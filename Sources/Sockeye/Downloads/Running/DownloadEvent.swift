import SockeyeEngine

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
