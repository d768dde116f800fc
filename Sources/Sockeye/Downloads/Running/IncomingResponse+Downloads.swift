public import SockeyeEngine
public import SockeyeHTTP

extension IncomingResponse {
    /// Writes the content into a file, as a download does: beside the destination first and moved there when it is complete
    /// and its checksums are right. For a response that turns out, at its head, to be one to keep.
    ///
    /// ```swift
    /// let response = try await client.get("report")
    /// let file = try await response.download(to: .folder("/var/reports"))
    /// ```
    ///
    /// Content whose coding the client has undone is written decoded. To become the file of a task, see
    /// ``ResponseSerializer/file(to:checksums:verifiesAnnouncedChecksums:)`` and ``IncomingResponse/DecidingSerializer``.
    ///
    /// - Parameters:
    ///   - destination: Where the file goes.
    ///   - checksums: The hashes that the content must have, whatever the server says. Default none.
    ///   - verifiesAnnouncedChecksums: Whether checksums that the response announces are checked. Default true.
    ///   - onProgress: Called after each write, with the bytes so far and, where the head tells, those of the whole; without
    ///     a throughput.
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus`` for a status other than 2xx, and
    ///   ``SockeyeError/Code-swift.struct/malformedResponse`` for 206, whose content is not the whole;
    ///   ``SockeyeError/Code-swift.struct/bodyConsumed``; ``SockeyeError/Code-swift.struct/checksumMismatch``;
    ///   ``SockeyeError/Code-swift.struct/fileFailed``, ``SockeyeError/Code-swift.struct/fileExists`` or
    ///   ``SockeyeError/Code-swift.struct/diskFull``; and what reading the content throws, cancellation among it. If the
    ///   response answers a GET and has a strong validator (RFC 9110 13.1.5), ``SockeyeError/resumeData`` then says how to
    ///   continue by `download(resuming:to:)` of ``HTTPClient``. Otherwise no file is left.
    public func download(
        to destination: DownloadDestination, checksums: [Checksum] = [], verifiesAnnouncedChecksums: Bool = true,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(SockeyeError) -> DownloadedFile {
        var settings = DownloadSettings(destination: destination)
        settings.options.checksums = checksums
        settings.options.verifiesAnnouncedChecksums = verifiesAnnouncedChecksums
        settings.onEvent = { event in
            switch event {
            case .progress(let completed, let total):
                onProgress?(TransferProgress(completed: completed, total: total))
            case .moved(let path, let error): tellOfMove(to: path, error)
            default: break
            }
        }
        var download = ResponseDownload(self, settings)
        return try await download.run()
    }

    /// What decides whether the body fits what is there already.
    var partialAnswer: PartialResponse {
        var answer = PartialResponse(status: statusCode)
        answer.contentRange = values(of: .contentRange)
        answer.eTags = values(of: .eTag)
        answer.lastModified = values(of: .lastModified)
        answer.date = self[.date]
        answer.length = body.expectedLength
        answer.isCoded = isDecoded || values(of: .contentEncoding).contains { $0.lowercased() != "identity" }
        answer.hasSeveralParts = contentType?.matches("multipart/byteranges") ?? false
        answer.support = RangeSupport(values(of: .acceptRanges))
        return answer
    }

    /// The checksums that the server gives for the whole content as it is delivered.
    var announcedChecksums: [Checksum] {
        // They are of the coded form, which is gone.
        guard !isDecoded else { return [] }
        return DigestFields.checksums(reprDigest: values(of: "Repr-Digest"), digest: values(of: "Digest"))
    }
}

/// The download of a response that has arrived already. No further request is sent: a transfer that breaks off ends
/// with resume data.
struct ResponseDownload {
    private let response: IncomingResponse
    private var transfer: DownloadTransfer

    init(_ response: IncomingResponse, _ settings: DownloadSettings) {
        self.response = response
        // The fields of the request are not known here; a Range of the caller's own shows in the status (206).
        let mayUseRanges = MethodKind(response.request.method) == .get
        let rules = ResumeMachine.Rules(mayRepeat: false, mayUseRanges: mayUseRanges, maximumResumes: 0)
        transfer = DownloadTransfer(response.request, rules, settings)
    }

    mutating func run() async throws(SockeyeError) -> DownloadedFile {
        defer { transfer.claim?.release() }
        do throws(SockeyeError) {
            try await receive()
            return try await transfer.finish(interruptions: 0)
        } catch {
            // Unless another task reads the body.
            if error.code != .bodyConsumed { response.discard() }
            throw await transfer.end(with: error)
        }
    }

    private mutating func receive() async throws(SockeyeError) {
        switch transfer.machine.receive(response.partialAnswer) {
        case .startOver:
            switch try await transfer.receive(response, startingOver: true) {
            case .complete: return
            case .partial: throw response.lengthMismatch
            case .brokenOff(let error): throw error
            }
        case .refuse(let fault): throw await transfer.refusal(of: response, fault)
        // Nothing but the whole was asked for.
        case .append, .complete, .askForWhole, .askLater: throw await transfer.refusal(of: response, .status)
        }
    }
}

extension IncomingResponse {
    /// What the server says about showing or saving the content (RFC 6266); nil when it says nothing.
    public var contentDisposition: ContentDisposition? {
        // A field is bytes; as text those outside ASCII would be lost.
        rawValues(of: .contentDisposition).first.map { ContentDisposition(fieldBytes: $0) }
    }

    /// A name for the content that is safe to create in a folder: of Content-Disposition, else of the URL that answered,
    /// else `download`. It has no path separators, control characters or marks that change the direction of writing, no dots
    /// or blanks at its start and end, no dash at its start, is no name that Windows reserves, does not end in
    /// `.sockeye-resume`, `.resume` or `.part`, and has 255 bytes at most.
    public var suggestedFileName: String {
        SuggestedFileName.make(contentDisposition, url: url)
    }
}
