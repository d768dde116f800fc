import SockeyeEngine
import SockeyeHTTP

/// The requests that one ``DownloadRun`` sends, and the pauses between them.
struct DownloadAttempts {
    private let client: HTTPClient
    private let requests: DownloadRequests
    private(set) var transfer: DownloadTransfer
    /// Whether an answer of this run has brought anything: only then it goes on by itself.
    private var hasBegun = false
    private var interruptions = 0

    init(_ client: HTTPClient, _ requests: DownloadRequests, _ settings: DownloadSettings) {
        self.client = client
        self.requests = requests
        let rules = requests.rules(maximumResumes: settings.maximumResumes)
        transfer = DownloadTransfer(requests.identity, rules, settings)
    }

    mutating func run() async throws(SockeyeError) -> DownloadedFile {
        try await transfer.checkDestination()
        try await transfer.reopen()
        while transfer.machine.wanted != .nothing {
            if try await exchange() { break }
        }
        return try await transfer.finish(interruptions: interruptions)
    }

    /// Sends one request and takes its answer; true when there is nothing more to come.
    private mutating func exchange() async throws(SockeyeError) -> Bool {
        let response: IncomingResponse
        do throws(SockeyeError) {
            response = try await client.send(requests.next(transfer.machine.wanted))
        } catch {
            try await pause(after: error)
            return false
        }
        let decision = transfer.machine.receive(response.partialAnswer)
        switch decision {
        case .append, .startOver:
            do throws(SockeyeError) {
                return try await receive(response, startingOver: decision == .startOver)
            } catch {
                // What watches the download may have the response for long, and nobody will read its end.
                response.discard()
                throw error
            }
        case .complete:
            transfer.response = response
            response.discard()
            return true
        case .askForWhole:
            response.discard()
            return false
        case .askLater:
            try await pause(after: await transfer.refusal(of: response, .status))
            return false
        case .refuse(let fault):
            throw await transfer.refusal(of: response, fault)
        }
    }

    private mutating func receive(_ response: IncomingResponse, startingOver: Bool) async throws(SockeyeError) -> Bool {
        hasBegun = true
        switch try await transfer.receive(response, startingOver: startingOver) {
        case .complete: return true
        case .partial:
            // Nothing speaks against asking for the rest at once.
            guard transfer.machine.breakOff() else { throw response.lengthMismatch }
            return false
        case .brokenOff(let error):
            try await pause(after: error)
            return false
        }
    }

    /// Waits for another attempt, or ends with the error if there is none.
    private mutating func pause(after error: SockeyeError) async throws(SockeyeError) {
        guard hasBegun, error.mayPass, transfer.machine.breakOff() else { throw error }
        interruptions += 1
        let settings = transfer.settings
        let pause = settings.backoff.pause(before: transfer.machine.resumes, random: .random(in: 0..<1))
        guard requests.allows(pause) else { throw error }
        settings.onEvent(.pausing(pause, after: error))
        try await requests.sleep(for: pause)
    }
}
