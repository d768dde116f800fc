public import SockeyeEngine

extension IncomingResponse {
    /// The error of a body with another length than its Content-Range announces.
    var lengthMismatch: SockeyeError {
        SockeyeError(
            .init(
                .bodyLengthMismatch, phase: .body, blame: .peer,
                message: "the body has another length than its Content-Range announces")
        ).about(request)
    }
}

extension SockeyeError {
    /// The state for continuing a download that failed or was cancelled. Nil for other calls, and if the server does
    /// not support resuming. AFNetworking's `NSURLSessionDownloadTaskResumeData`.
    ///
    /// The temporary file with the bytes received so far stays on the disk. Call ``ResumeData/discard()`` if you do not
    /// need it.
    public var resumeData: ResumeData? { fields.resumeData }
}

extension SockeyeError.Fields {
    package var resumeData: ResumeData? {
        get { attachment as? ResumeData }
        set { attachment = newValue }
    }
}
