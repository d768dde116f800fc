public import SockeyeEngine

extension IncomingResponse {
    /// The error for a body whose length differs from the announced length. The length was announced by the
    /// Content-Range of this response, or by an earlier response for the same version of the file.
    var lengthMismatch: SockeyeError {
        SockeyeError(
            .init(
                .bodyLengthMismatch, phase: .body, blame: .peer,
                message: "the body's length differs from the one announced by Content-Range or an earlier response")
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
