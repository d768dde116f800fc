public import SockeyeEngine
public import SockeyeHTTP

// Options of `download`. Other calls ignore them.
extension OutgoingRequest.Options {
    /// The checksums that the downloaded file must have, whatever the server announces. Default: none.
    ///
    /// ``ResponseSerializer/file(to:checksums:verifiesAnnouncedChecksums:)`` and
    /// ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)`` take their checksums as
    /// arguments and ignore this option.
    public var checksums: [Checksum] {
        get { further[ChecksumsKey.self] ?? [] }
        set { further[ChecksumsKey.self] = newValue }
    }

    /// True if a download verifies checksums that the response announces (`Repr-Digest`, RFC 9530, and `Digest`, RFC
    /// 3230). Default: true.
    public var verifiesAnnouncedChecksums: Bool {
        get { further[VerifiesAnnouncedChecksumsKey.self] ?? true }
        set { further[VerifiesAnnouncedChecksumsKey.self] = newValue }
    }

    /// The maximum number of consecutive times that a download continues automatically after it broke off. Default: 5.
    ///
    /// The count restarts after every 64 KiB of progress; bytes that are downloaded again are no progress. Before the
    /// task has accepted a first response, any error ends the download.
    public var maximumResumes: Int {
        get { further[MaximumResumesKey.self] ?? 5 }
        set { further[MaximumResumesKey.self] = newValue }
    }

    /// The number of parts, from 1 to 16, in which a file is downloaded concurrently, each over its own connection.
    /// Default: 1.
    ///
    /// Each part has at least 1 MiB, and the pool's limits apply. Use parts for servers that limit the rate of one
    /// connection.
    ///
    /// The first request asks for the whole content, and its response delivers the first part. The other parts are
    /// requested only if that response has the status 200 and no content coding. It must also announce the length, a
    /// strong validator (RFC 9110 8.8.1) and support for ranges (`Accept-Ranges: bytes`, RFC 9110 14.3).
    ///
    /// In three cases, all parts after the first are discarded, and their bytes are fetched in one piece. These cases
    /// are: the server does not send the requested range of the same version, a part is interrupted more often than
    /// ``maximumResumes`` allows, or descriptors run out.
    ///
    /// A paused download in parts keeps its connections. If a download in parts ends early, its resume data covers the
    /// bytes up to the first gap. A download that continues with this data fetches the rest in one piece.
    public var parallelParts: Int {
        get { further[ParallelPartsKey.self] ?? 1 }
        set { further[ParallelPartsKey.self] = newValue }
    }

    /// The path of a file that stores the state of an unfinished download. Default: nil, no file.
    ///
    /// The same call in a later process continues the download, whether the earlier call ended by an error, by Ctrl-C
    /// or by `kill -9`. There is one exception: a download in parts (``parallelParts``) starts over after `kill -9`, or
    /// after a Ctrl-C that ends the process without cancelling the download.
    ///
    /// The file must be in the folder of the destination, and not be the destination. Only its owner can access it
    /// (mode 0600), because URLs may have secrets in their query. If the file contains the state of another URL's
    /// download, that state is replaced. URLs that differ only in tokens, signatures and passwords in the query count
    /// as equal. If the file contains anything other than the state of a download, the download fails with
    /// ``/Sockeye/SockeyeError/Code-swift.struct/badConfiguration``.
    ///
    /// The file is removed when the download is complete, or has failed and cannot be continued, unless it contains the
    /// state of another download. See <doc:Tasks>.
    public var resumeFile: String? {
        get { further[ResumeFileKey.self] }
        set { further[ResumeFileKey.self] = newValue }
    }

    /// Returns options with a checksum that the downloaded file must have; see ``checksums``.
    ///
    /// ```swift
    /// let task = try client.download(
    ///     url, to: .file(path), options: .checksum(.sha256(expected)))
    /// ```
    public static func checksum(_ checksum: Checksum) -> OutgoingRequest.Options {
        OutgoingRequest.Options().checksum(checksum)
    }

    /// Returns these options with one more checksum that the downloaded file must have; see ``checksums``.
    public func checksum(_ checksum: Checksum) -> OutgoingRequest.Options { with { $0.checksums.append(checksum) } }

    /// Returns options that download the file in several parts concurrently; see ``parallelParts``.
    public static func parallel(_ parts: Int) -> OutgoingRequest.Options { OutgoingRequest.Options().parallel(parts) }

    /// Returns these options, changed to download the file in several parts concurrently; see ``parallelParts``.
    public func parallel(_ parts: Int) -> OutgoingRequest.Options { with { $0.parallelParts = parts } }

    /// Returns options with a file that lets a later process continue the download; see ``resumeFile``.
    ///
    /// ```swift
    /// let task = try client.download(
    ///     url, to: .file(path), options: .resumable(in: path + ".resume"))
    /// ```
    public static func resumable(in path: String) -> OutgoingRequest.Options {
        OutgoingRequest.Options().resumable(in: path)
    }

    /// Returns these options with a file that lets a later process continue the download; see ``resumeFile``.
    public func resumable(in path: String) -> OutgoingRequest.Options { with { $0.resumeFile = path } }

    /// Returns options with a limit on consecutive automatic resumes; see ``maximumResumes``.
    public static func resuming(atMost count: Int) -> OutgoingRequest.Options {
        OutgoingRequest.Options().resuming(atMost: count)
    }

    /// Returns these options with a limit on consecutive automatic resumes; see ``maximumResumes``.
    public func resuming(atMost count: Int) -> OutgoingRequest.Options { with { $0.maximumResumes = count } }
}

package enum ChecksumsKey: OutgoingRequest.ContextKey { package typealias Value = [Checksum] }
package enum VerifiesAnnouncedChecksumsKey: OutgoingRequest.ContextKey { package typealias Value = Bool }
package enum MaximumResumesKey: OutgoingRequest.ContextKey { package typealias Value = Int }
package enum ParallelPartsKey: OutgoingRequest.ContextKey { package typealias Value = Int }
package enum ResumeFileKey: OutgoingRequest.ContextKey { package typealias Value = String }
