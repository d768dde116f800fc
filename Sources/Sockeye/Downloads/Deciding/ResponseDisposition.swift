/// What is to become of a response whose head is there. The counterpart of `NSURLSessionResponseDisposition`.
public enum ResponseDisposition: Sendable {
    /// Its content becomes the value that was asked for.
    case allow
    /// Its content is not wanted; the call ends with ``SockeyeError/Code-swift.struct/cancelled``.
    case cancel
    /// Its content becomes a file, as of ``IncomingResponse/download(to:download:onProgress:)``.
    case download(to: DownloadDestination, DownloadOptions = DownloadOptions())
}
