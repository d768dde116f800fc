public import SockeyeEngine
public import SockeyeHTTP

extension IncomingResponse {
    /// Writes the content to a temporary file, and moves that file to the destination when the content is complete and
    /// its checksums are verified.
    ///
    /// Use this method if you decide from the head of a response whether to save its content.
    ///
    /// ```swift
    /// let response = try await client.get("report")
    /// let file = try await response.download(to: .folder("/var/reports"))
    /// ```
    ///
    /// Content that the client decodes is written in its decoded form. To save the response of a ``TransferTask`` to a
    /// file, see ``ResponseSerializer/file(to:checksums:verifiesAnnouncedChecksums:)`` and
    /// ``IncomingResponse/DecidingSerializer``.
    ///
    /// - Parameters:
    ///   - destination: The destination of the file.
    ///   - checksums: The checksums that the content must have, whatever the server announces. Default: none.
    ///   - verifiesAnnouncedChecksums: True to verify checksums that the response announces. Default: true.
    ///   - onProgress: Called after each write with the number of bytes so far and, if the head announces it, the
    ///     total. ``TransferProgress/throughput`` is nil. The closure may block, because only this download waits for
    ///     it. If the download fails or is cancelled, a running call of the closure may end later than the download.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/unacceptableStatus`` for a status other than 2xx.
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/malformedResponse`` for a 206 that answers a GET, because its
    ///   content is incomplete. Also throws the errors of reading the content, including cancellation, and
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/bodyConsumed``,
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/checksumMismatch``,
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/fileFailed``,
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/fileExists``,
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/diskFull`` and
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/outOfResources``.
    ///
    ///   If the response answers a GET and has a strong validator (RFC 9110 13.1.5), an error after the first written
    ///   byte has ``SockeyeError/resumeData`` for `download(resuming:to:)` of ``/Sockeye/HTTPClient``. A checksum
    ///   mismatch never has resume data. After an error without resume data, no file is left.
    public func download(
        to destination: DownloadDestination, checksums: [Checksum] = [], verifiesAnnouncedChecksums: Bool = true,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(SockeyeError) -> DownloadedFile {
        var settings = DownloadSettings(destination: destination)
        settings.options.checksums = checksums
        settings.options.verifiesAnnouncedChecksums = verifiesAnnouncedChecksums
        if onProgress != nil { settings.progressThreads = DownloadSettings.applicationThreads }
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

    /// The properties that decide whether the body continues the bytes received so far.
    var partialAnswer: PartialResponse {
        var answer = PartialResponse(status: statusCode)
        answer.contentRange = values(of: .contentRange)
        answer.eTags = values(of: .eTag)
        answer.lastModified = values(of: .lastModified)
        answer.date = self[.date]
        answer.length = body.expectedLength
        answer.isCoded = isDecoded || !values(of: .contentEncoding).allSatisfy(ContentCoding.isIdentity)
        answer.hasSeveralParts = contentType?.matches("multipart/byteranges") ?? false
        answer.rangeSupport = RangeSupport(values(of: .acceptRanges))
        return answer
    }

    /// The checksums that the server announces for the whole content.
    var announcedChecksums: [Checksum] {
        // The server announces checksums of the encoded content, which is no longer available.
        guard !isDecoded else { return [] }
        return DigestFields.checksums(reprDigest: values(of: "Repr-Digest"), digest: values(of: "Digest"))
    }
}

/// The download of a response whose head has already arrived. It sends no further requests: a transfer that breaks off
/// ends with an error.
struct ResponseDownload {
    private let response: IncomingResponse
    private var transfer: DownloadTransfer

    init(_ response: IncomingResponse, _ settings: DownloadSettings) {
        self.response = response
        // A Range field of the caller is not considered, because a response does not keep the fields of its request. If
        // the server applied such a field, the status is 206. The `ResumeMachine` refuses a 206 to a GET, because the
        // machine itself requested no part.
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
            // A body that another task reads must not be discarded.
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
        // The machine makes these decisions only on answers to a request for a part.
        case .append, .complete, .requestWhole, .retryLater: throw await transfer.refusal(of: response, .status)
        }
    }
}
