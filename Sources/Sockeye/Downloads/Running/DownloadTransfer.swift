import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyePlatform

/// What one download has so far, and what becomes of the content of its responses. It sends nothing.
struct DownloadTransfer {
    /// How the content of a response ended.
    enum Ending {
        /// There is nothing more to come.
        case complete
        /// In good order, but before the end of the whole.
        case partial
        case brokenOff(SockeyeError)
    }

    let settings: DownloadSettings
    /// The request whose URL the file is from.
    let request: RequestIdentity
    var machine: ResumeMachine
    var file: DownloadFile?
    /// While its parts are fetched at the same time.
    var board: PartBoard?
    /// What an earlier run left, as long as nobody has looked at it.
    var leftover: ResumeData?
    var destination: String?
    /// That no other download puts a file there meanwhile.
    var claim: DestinationLock?
    var verifier: DownloadVerifier?
    /// The last one whose content was taken.
    var response: IncomingResponse?

    init(_ request: RequestIdentity, _ rules: ResumeMachine.Rules, _ settings: DownloadSettings) {
        self.settings = settings
        leftover = settings.resumeData
        self.request = request
        machine = ResumeMachine(rules)
    }

    /// Writes the content of a response, as far as it comes.
    mutating func receive(_ response: IncomingResponse, startingOver: Bool) async throws(SockeyeError) -> Ending {
        self.response = response
        if startingOver { try await startOver(response) } else { try await goOn(response) }
        let fault = try await receiveBody(response)
        // What came counts, however it ended.
        do throws(FileFailure) { try await file?.flush() } catch { throw SockeyeError(error) }
        if let fault { return .brokenOff(fault) }
        return machine.finishBody() ? .complete : .partial
    }

    /// Takes the content, and returns why it broke off, if it did.
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
                // The end of the body will not be read: let go of its connection.
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

    /// Checks the file and puts it to its place.
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
            let error = SockeyeError(error)
            settings.onEvent(.moved(to: destination, error))
            throw error
        }
    }

    /// A destination that is decided on by a response, in a download that had all its bytes and sends no request.
    private static var undecided: SockeyeError {
        SockeyeError(
            .init(
                .fileFailed, phase: .prepare, blame: .caller,
                message: "all bytes had been received before, so no response can decide on the destination; "
                    + "resume to a file or a folder"))
    }

    func refusal(of response: IncomingResponse, _ fault: ResumeFault) async -> SockeyeError {
        switch fault {
        case .status: await response.refusal(.unacceptableStatus, "the server answered \(response.statusCode)")
        case .unaskedPart:
            await response.refusal(.malformedResponse, "the server sent a part, and was asked for the whole")
        case .contradiction:
            await response.refusal(
                .malformedResponse,
                "the server sent the version that was begun (ETag, Last-Modified) with another length")
        }
    }
}
