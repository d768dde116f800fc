public import SockeyeEngine
public import SockeyeHTTP

// Options of `download`, which other calls ignore.
extension OutgoingRequest.Options {
    /// The hashes that the file of a download must have, whatever the server says. Default none.
    ///
    /// ``ResponseSerializer/file(to:checksums:verifiesAnnouncedChecksums:)`` and
    /// ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)`` take theirs as arguments.
    public var checksums: [Checksum] {
        get { further[ChecksumsKey.self] ?? [] }
        set { further[ChecksumsKey.self] = newValue }
    }

    /// Whether a download checks checksums that the response announces (`Repr-Digest`, RFC 9530, and `Digest`, RFC 3230).
    /// Default true.
    public var verifiesAnnouncedChecksums: Bool {
        get { further[VerifiesAnnouncedChecksumsKey.self] ?? true }
        set { further[VerifiesAnnouncedChecksumsKey.self] = newValue }
    }

    /// How often in a row a download continues by itself after it broke off; a success in between starts the count anew.
    /// Default 5.
    public var maximumResumes: Int {
        get { further[MaximumResumesKey.self] ?? 5 }
        set { further[MaximumResumesKey.self] = newValue }
    }

    /// In how many parts, of at least 1 MiB each, a file is downloaded at the same time, each over a connection of its own: from
    /// 1, the default, to 16, within the limits of the pool. For servers that limit the rate of one connection.
    ///
    /// The answer to the first request decides: parts are asked for if it is of the whole, says how long that is, that there are
    /// parts (`Accept-Ranges: bytes`, RFC 9110 14.3), and which version it is by a strong validator (RFC 9110 8.8.1), and is not
    /// coded. Each part must then be the very bytes that were asked for, of the very version. If a part is not, or cannot be had,
    /// the bytes up to the first gap stay and the rest is fetched in one piece.
    ///
    /// While it is paused, a download in parts keeps its connections. If it ends early, resume data is for the bytes up to the
    /// first gap; the download that continues with it fetches the rest in one piece.
    public var parallelParts: Int {
        get { further[ParallelPartsKey.self] ?? 1 }
        set { further[ParallelPartsKey.self] = newValue }
    }

    /// A file that keeps the state of a download as long as it is unfinished, so that the same call in a later process continues
    /// it, whatever ended the earlier one: an error, Ctrl-C, `kill -9`. Default nil: no file.
    ///
    /// It must be in the folder of the destination, and is for its owner only (mode 0600), since URLs may have secrets in their
    /// query. A state of another URL is replaced; secrets of the query may differ. A file with anything else in it is refused with
    /// ``SockeyeError/Code-swift.struct/badConfiguration``. The file is removed when the download is complete, or has failed
    /// with nothing left to continue. See <doc:Tasks>.
    public var resumeFile: String? {
        get { further[ResumeFileKey.self] }
        set { further[ResumeFileKey.self] = newValue }
    }

    /// Options with a checksum that the file of a download must have; see ``checksums``.
    ///
    /// ```swift
    /// let task = try client.download(url, to: .file(path), options: .checksum(.sha256(expected)))
    /// ```
    public static func checksum(_ checksum: Checksum) -> OutgoingRequest.Options {
        OutgoingRequest.Options().checksum(checksum)
    }

    /// These options with one more checksum that the file of a download must have; see ``checksums``.
    public func checksum(_ checksum: Checksum) -> OutgoingRequest.Options { with { $0.checksums.append(checksum) } }

    /// Options with the file downloaded in several parts at the same time; see ``parallelParts``.
    public static func parallel(_ parts: Int) -> OutgoingRequest.Options { OutgoingRequest.Options().parallel(parts) }

    /// These options with the file downloaded in several parts at the same time; see ``parallelParts``.
    public func parallel(_ parts: Int) -> OutgoingRequest.Options { with { $0.parallelParts = parts } }

    /// Options with a file that lets a later process continue the download; see ``resumeFile``.
    ///
    /// ```swift
    /// let task = try client.download(url, to: .file(path), options: .resumable(in: path + ".resume"))
    /// ```
    public static func resumable(in path: String) -> OutgoingRequest.Options {
        OutgoingRequest.Options().resumable(in: path)
    }

    /// These options with a file that lets a later process continue the download; see ``resumeFile``.
    public func resumable(in path: String) -> OutgoingRequest.Options { with { $0.resumeFile = path } }

    /// Options with a limit for how often in a row a download continues by itself; see ``maximumResumes``.
    public static func resuming(atMost count: Int) -> OutgoingRequest.Options {
        OutgoingRequest.Options().resuming(atMost: count)
    }

    /// These options with a limit for how often in a row a download continues by itself; see ``maximumResumes``.
    public func resuming(atMost count: Int) -> OutgoingRequest.Options { with { $0.maximumResumes = count } }
}

package enum ChecksumsKey: OutgoingRequest.ContextKey { package typealias Value = [Checksum] }
package enum VerifiesAnnouncedChecksumsKey: OutgoingRequest.ContextKey { package typealias Value = Bool }
package enum MaximumResumesKey: OutgoingRequest.ContextKey { package typealias Value = Int }
package enum ParallelPartsKey: OutgoingRequest.ContextKey { package typealias Value = Int }
package enum ResumeFileKey: OutgoingRequest.ContextKey { package typealias Value = String }
