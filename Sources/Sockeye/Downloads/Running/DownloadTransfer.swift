import Glibc
import SockeyeCore
import SockeyeHTTP1

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
    var destination: String?
    var verifier: DownloadVerifier?
    /// The last one whose content was taken.
    var response: Response?

    init(_ request: RequestIdentity, _ rules: ResumeMachine.Rules, _ settings: DownloadSettings) {
        self.settings = settings
        self.request = request
        machine = ResumeMachine(rules)
    }

    /// Writes the content of a response, as far as it comes.
    mutating func receive(_ response: Response, startingOver: Bool) async throws(SockeyeError) -> Ending {
        self.response = response
        if startingOver { try await startOver(response) } else { try await goOn(response) }
        var body = response.body.makeAsyncIterator()
        while true {
            let piece: Bytes?
            do throws(SockeyeError) {
                piece = try await body.next()
            } catch {
                return .brokenOff(error)
            }
            guard let piece else { break }
            guard machine.take(piece.count) else {
                // The end of the body will not be read: let go of its connection.
                response.discard()
                return .brokenOff(response.lengthMismatch)
            }
            try write(piece)
        }
        return machine.finishBody() ? .complete : .partial
    }

    private mutating func write(_ piece: Bytes) throws(SockeyeError) {
        guard let file else { return }
        verifier?.update(piece, at: file.count)
        do throws(FileError) { try file.append(piece) } catch { throw SockeyeError(error) }
        settings.onEvent(.progress(completed: file.count, total: machine.entity?.total))
    }

    /// Checks the file and puts it to its place.
    mutating func finish(interruptions: Int) async throws(SockeyeError) -> DownloadedFile {
        if destination == nil { try await decide(nil) }
        guard let file, let destination else {
            throw SockeyeError(FileError("write", destination ?? "the download", ENOENT))
        }
        if verifier == nil { verifier = try DownloadVerifier(checksums(of: nil)) }
        try await verifier?.verify(file)
        let path = try await file.move(to: destination, settings.destination.existing)
        return DownloadedFile(path: path, response: response, count: file.count, interruptions: interruptions)
    }

    func refusal(of response: Response, _ fault: ResumeFault) async -> SockeyeError {
        switch fault {
        case .status: await response.refusal(.unacceptableStatus, "the server answered \(response.statusCode)")
        case .unaskedPart:
            await response.refusal(.malformedResponse, "the server sent a part, and was asked for the whole")
        }
    }
}
