/// Writes the content into a file; see ``Response/download(to:download:onProgress:)``.
///
/// For any method, in calls and in tasks. It does not go on by itself when the transfer breaks off, as a ``DownloadTask`` does.
public struct FileResponseSerializer: ResponseSerializer {
    private let destination: DownloadDestination
    private let options: DownloadOptions

    init(_ destination: DownloadDestination, _ options: DownloadOptions) {
        self.destination = destination
        self.options = options
    }

    /// Writes the file.
    ///
    /// - Throws: See ``Response/download(to:download:onProgress:)``.
    public func value(of response: Response) async throws(SockeyeError) -> DownloadedFile {
        try await response.download(to: destination, download: options)
    }
}

extension ResponseSerializer where Self == FileResponseSerializer {
    /// The content as a file; see ``Response/download(to:download:onProgress:)``.
    ///
    /// ```swift
    /// let file = try await client.post("reports", .json(query), as: .file(to: .folder("/var/reports")))
    /// ```
    public static func file(to destination: DownloadDestination, download: DownloadOptions = DownloadOptions()) -> Self
    {
        FileResponseSerializer(destination, download)
    }
}
