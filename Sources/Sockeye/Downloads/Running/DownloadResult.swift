/// A download that is complete.
package struct DownloadResult: Sendable {
    /// Where the file is.
    package let path: String
    /// The last head that was received; nil when everything was there before anything was asked.
    package let response: Response?
    /// How many bytes the file has.
    package let count: Int
    /// How often the transfer broke off on the way.
    package let interruptions: Int
}
