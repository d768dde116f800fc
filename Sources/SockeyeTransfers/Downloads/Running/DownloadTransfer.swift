import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyePlatform

/// The state of one download, which writes the content of responses to its file. It sends no requests.
struct DownloadTransfer {
    /// The way in which the body of a response ended.
    enum Ending {
        case complete
        /// The body ended properly, but the file is not complete: the response had only a part of the missing bytes.
        case partial
        /// Reading the body failed, or the body has more bytes than announced.
        case brokenOff(SockeyeError)
    }

    let settings: DownloadSettings
    /// The original request.
    let request: RequestIdentity
    var machine: ResumeMachine
    var file: DownloadFile?
    /// The progress of the parts while they are fetched concurrently; otherwise nil.
    var partProgress: PartProgress?
    /// The resume data of an earlier run; nil once the temporary file of that run was opened or found to be unusable.
    var leftover: ResumeData?
    /// True if the state in the caller's resume file is that of a download in concurrent parts. The temporary file of
    /// such a download may have gaps, so this state counts only the bytes before the first gap.
    var stateHasGaps: Bool
    /// The paths of the temporary files whose state this download may find in the caller's resume file: that of the
    /// earlier run, and those that this run has written there. Any other state belongs to another download.
    var ownStates: Set<String>
    /// The path of the destination; nil until it is decided.
    var destination: String?
    /// The lock that prevents other downloads to the same destination. Nil before the destination is decided, and for
    /// the policy `keepBoth`.
    var claim: DestinationLock?
    var verifier: DownloadVerifier?
    /// The last response that was accepted.
    var response: IncomingResponse?

    init(_ request: RequestIdentity, _ rules: ResumeMachine.Rules, _ settings: DownloadSettings) {
        self.settings = settings
        leftover = settings.resumeData
        stateHasGaps = settings.resumeData?.hasGaps ?? false
        ownStates = settings.resumeData.map { [$0.temporaryPath] } ?? []
        self.request = request
        machine = ResumeMachine(rules)
    }

    /// Writes the content of a response to the file and returns the way in which the content ended.
    mutating func receive(_ response: IncomingResponse, startingOver: Bool) async throws(SockeyeError) -> Ending {
        self.response = response
        if startingOver { try await startOver(response) } else { try await continueWith(response) }
        let fault = try await receiveBody(response)
        // Flushes even after a fault, so that the server need not send the received bytes again.
        do throws(FileFailure) { try await file?.flush() } catch { throw SockeyeError(error) }
        if let fault { return .brokenOff(fault) }
        return machine.finishBody() ? .complete : .partial
    }

    /// Writes the content. Returns an error if the body broke off or has more bytes than announced; otherwise nil.
    private mutating func receiveBody(_ response: IncomingResponse) async throws(SockeyeError) -> SockeyeError? {
        var body = response.body.makeAsyncIterator()
        while true {
            let piece: Bytes?
            do throws(SockeyeError) {
                piece = try await body.next()
            } catch {
                return error
            }
            guard let piece else { return nil }
            guard machine.take(piece.count) else {
                // The rest of the body will not be read: release its connection.
                response.discard()
                return response.lengthMismatch
            }
            try await write(piece)
        }
    }

    private mutating func write(_ piece: Bytes) async throws(SockeyeError) {
        guard let file else { return }
        verifier?.update(piece, at: file.count)
        do throws(FileFailure) { try await file.append(piece) } catch { throw SockeyeError(error) }
    }

    /// Verifies the file and moves it to its destination.
    mutating func finish(interruptions: Int) async throws(SockeyeError) -> DownloadedFile {
        if destination == nil { try await decide(nil) }
        guard let file, let destination else { throw Self.undecided }
        if verifier == nil { verifier = try DownloadVerifier(checksums(of: nil)) }
        try await verifier?.verify(file)
        do throws(FileFailure) {
            try await file.relocate(beside: destination)
            let path = try await file.move(to: destination, settings.destination.existing)
            settings.onEvent(.moved(to: path, nil))
            await removeState()
            return DownloadedFile(path: path, response: response, count: file.count, interruptions: interruptions)
        } catch {
            let failure = SockeyeError(error)
            // A move that was cancelled, such as by a pause, has not failed.
            if case .system = error { settings.onEvent(.moved(to: destination, failure)) }
            throw failure
        }
    }

    /// The error if a closure must decide on the destination from a response, but the earlier run had already received
    /// all bytes, so that there is no response.
    private static var undecided: SockeyeError {
        SockeyeError(
            .init(
                .fileFailed, phase: .prepare, blame: .caller,
                message: "the download was already complete, so there is no response from which to decide on the "
                    + "destination; resume with .file or .folder"))
    }

    func refusal(of response: IncomingResponse, _ fault: ResumeFault) async -> SockeyeError {
        switch fault {
        case .status: await response.refusal(.unacceptableStatus, "the server answered \(response.statusCode)")
        case .unaskedPart:
            await response.refusal(
                .malformedResponse,
                "the server answered \(response.statusCode) with a part of the content, but the request was for all")
        case .contradiction:
            await response.refusal(
                .malformedResponse,
                "the server changed the length of the content, but not its ETag or Last-Modified")
        }
    }
}
