import Glibc
import SockeyeCore
import SockeyeHTTP1

/// The state of one ``DownloadRun``.
struct DownloadTransfer {
    let client: HTTPClient
    let settings: DownloadSettings
    private let requests: DownloadRequests
    var machine: ResumeMachine
    var file: DownloadFile?
    var destination: String?
    var verifier: DownloadVerifier?
    var response: Response?
    /// Whether an answer of this run has brought anything: only then it goes on by itself.
    private var hasBegun = false
    private var interruptions = 0

    init(_ client: HTTPClient, _ request: Request, _ settings: DownloadSettings) {
        self.client = client
        self.settings = settings
        requests = DownloadRequests(request, for: client)
        machine = ResumeMachine(requests.rules(maximumResumes: settings.maximumResumes))
    }

    var request: Request { requests.original }

    mutating func run() async throws(SockeyeError) -> DownloadedFile {
        try reopen()
        while machine.request != .nothing {
            if try await exchange() { break }
        }
        return try await finish()
    }

    // MARK: Requests

    /// Sends one request and takes its answer; true when there is nothing more to come.
    private mutating func exchange() async throws(SockeyeError) -> Bool {
        let response: Response
        do throws(SockeyeError) {
            response = try await client.send(requests.next(machine.request))
        } catch {
            try await pause(after: error)
            return false
        }
        let decision = machine.receive(response.partialAnswer)
        switch decision {
        case .append, .startOver:
            self.response = response
            hasBegun = true
            do throws(SockeyeError) {
                return try await receive(response, startingOver: decision == .startOver)
            } catch {
                // What watches the download may have the response for long, and nobody will read its end.
                response.discard()
                throw error
            }
        case .complete:
            self.response = response
            response.discard()
            return true
        case .askForWhole:
            response.discard()
            return false
        case .askLater:
            try await pause(after: await refusal(of: response, .status))
            return false
        case .refuse(let fault):
            throw await refusal(of: response, fault)
        }
    }

    private func refusal(of response: Response, _ fault: ResumeFault) async -> SockeyeError {
        switch fault {
        case .status: await response.refusal(.unacceptableStatus, "the server answered \(response.statusCode)")
        case .unaskedPart:
            await response.refusal(.malformedResponse, "the server sent a part, and was asked for the whole")
        }
    }

    /// Waits for another attempt, or ends with the error if there is none.
    private mutating func pause(after error: SockeyeError) async throws(SockeyeError) {
        guard hasBegun, error.mayPass, machine.breakOff() else { throw error }
        interruptions += 1
        let pause = settings.backoff.pause(before: machine.resumes, random: .random(in: 0..<1))
        guard requests.allows(pause) else { throw error }
        settings.onEvent(.pausing(pause, after: error))
        try await requests.sleep(for: pause)
    }

    // MARK: Content

    private mutating func receive(_ response: Response, startingOver: Bool) async throws(SockeyeError) -> Bool {
        if startingOver { try await startOver(response) } else { try await goOn(response) }
        var body = response.body.makeAsyncIterator()
        while true {
            let piece: Bytes?
            do throws(SockeyeError) {
                piece = try await body.next()
            } catch {
                try await pause(after: error)
                return false
            }
            guard let piece else { break }
            guard machine.take(piece.count) else {
                // The end of the body will not be read: let go of its connection.
                response.discard()
                try await pause(after: response.lengthMismatch)
                return false
            }
            try write(piece)
        }
        if machine.finishBody() { return true }
        // In good order, but less than all. Nothing speaks against asking for the rest at once.
        guard machine.breakOff() else { throw response.lengthMismatch }
        return false
    }

    private mutating func write(_ piece: Bytes) throws(SockeyeError) {
        guard let file else { return }
        verifier?.update(piece, at: file.count)
        do throws(FileError) { try file.append(piece) } catch { throw SockeyeError(error) }
        settings.onEvent(.progress(completed: file.count, total: machine.entity?.total))
    }

    private mutating func finish() async throws(SockeyeError) -> DownloadedFile {
        if destination == nil { try await decide(nil) }
        guard let file, let destination else {
            throw SockeyeError(FileError("write", destination ?? "the download", ENOENT))
        }
        if verifier == nil { verifier = try DownloadVerifier(checksums(of: nil)) }
        try await verifier?.verify(file)
        let path = try await file.move(to: destination, settings.destination.existing)
        return DownloadedFile(path: path, response: response, count: file.count, interruptions: interruptions)
    }
}
