public import SockeyeEngine

extension IncomingResponse {
    /// The body is not as long as its head says that the part is.
    var lengthMismatch: SockeyeError {
        SockeyeError(
            .init(
                .bodyLengthMismatch, phase: .body, blame: .peer,
                message: "the part of the content is not as long as its Content-Range says")
        ).about(request)
    }
}

extension SockeyeError {
    /// What a download that failed or was cancelled needs to go on where it was; nil of other calls, and where the server
    /// gives no means to. AFNetworking's `NSURLSessionDownloadTaskResumeData`.
    ///
    /// The bytes so far stay on the disk for it: call ``ResumeData/discard()`` if they are not wanted.
    public var resumeData: ResumeData? { fields.resumeData }
}

extension SockeyeError.Fields {
    package var resumeData: ResumeData? {
        get { attachment as? ResumeData }
        set { attachment = newValue }
    }
}
