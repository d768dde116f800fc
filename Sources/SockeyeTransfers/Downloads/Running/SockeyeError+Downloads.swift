public import SockeyeEngine

extension IncomingResponse {
    /// The error for a body of another length than its Content-Range, or an earlier response for the same version of
    /// the file, announced.
    var lengthMismatch: SockeyeError {
        SockeyeError(
            .init(
                .bodyLengthMismatch, phase: .body, blame: .peer,
                message: "the body has another length than its Content-Range, or an earlier response, announces")
        ).about(request)
    }
}

extension SockeyeError {
    /// The state for continuing a download that failed or was cancelled. Nil if the call was not a download, if the
    /// server does not support resuming, if no bytes were written, or if the error is a checksum mismatch. The
    /// counterpart of AFNetworking's `NSURLSessionDownloadTaskResumeData`.
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
