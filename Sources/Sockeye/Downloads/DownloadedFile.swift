public import SockeyeEngine

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
