import SockeyeEngine
import SockeyeHTTP

/// The attempt loop of a ``ResumableDownload``: its requests and the pauses between them.
struct DownloadAttempts {
    let client: HTTPClient
    let requests: DownloadRequests
    var transfer: DownloadTransfer
    /// True once the download has accepted a response, in this run or in an earlier run that the caller paused. Until
    /// then, nothing is retried automatically.
    private var hasBegun: Bool
    /// True if this run has requested the content in parts (`parallelParts`). A run does so only once. Otherwise a
    /// server that breaks off every response could make it alternate without end between parts and the whole content.
    private var hasTriedParts = false
    var interruptions = 0

    init(_ client: HTTPClient, _ requests: DownloadRequests, _ settings: DownloadSettings) {
        self.client = client
        self.requests = requests
        let rules = requests.rules(maximumResumes: settings.options.maximumResumes)
        hasBegun = settings.hasBegun
        var settings = settings
        settings.descriptorWait = requests.descriptorWait(of: client)
        transfer = DownloadTransfer(requests.identity, rules, settings)
    }

    mutating func run() async throws(SockeyeError) -> DownloadedFile {
        try await transfer.checkDestination()
        try await transfer.openTemporaryFile()
        while transfer.machine.nextRequest != .nothing {
            if try await exchange() { break }
        }
        return try await transfer.finish(interruptions: interruptions)
    }

    /// Sends one request and processes its response. Returns true if the content is complete.
    private mutating func exchange() async throws(SockeyeError) -> Bool {
        let response: IncomingResponse
        do throws(SockeyeError) {
            let next = transfer.machine.nextRequest
            response = try await transfer.settings.descriptorWait.send(about: requests.identity) {
                () async throws(SockeyeError) in try await client.send(requests.next(next))
            }
        } catch {
            try await pause(after: error, isTransient: error.isTransientForDownloads)
            return false
        }
        let decision = transfer.machine.receive(response.partialAnswer)
        switch decision {
        case .append, .startOver:
            do throws(SockeyeError) {
                return try await receive(response, startingOver: decision == .startOver)
            } catch {
                // Discards the rest of the body explicitly. Otherwise an observer of the download that still holds the
                // response would keep its connection in use.
                response.discard()
                throw error
            }
        case .complete:
            transfer.response = response
            response.discard()
            return true
        case .requestWhole:
            response.discardUnstored()
            return false
        case .retryLater:
            try await pause(after: await transfer.refusal(of: response, .status), isTransient: true)
            return false
        case .refuse(let fault):
            throw await transfer.refusal(of: response, fault)
        }
    }

    private mutating func receive(_ response: IncomingResponse, startingOver: Bool) async throws(SockeyeError) -> Bool {
        hasBegun = true
        if startingOver, !hasTriedParts, let parts = parts(of: response) {
            hasTriedParts = true
            return try await receive(response, in: parts)
        }
        switch try await transfer.receive(response, startingOver: startingOver) {
        case .complete: return true
        case .partial:
            // The connection did not fail, so the rest of the content can be requested without a pause.
            guard transfer.machine.interrupted() else { throw response.lengthMismatch }
            return false
        case .brokenOff(let error):
            try await pause(after: error, isTransient: error.isTransientForDownloads)
            return false
        }
    }

    /// Waits before another attempt; throws `error` if no further attempt is allowed.
    private mutating func pause(after error: SockeyeError, isTransient: Bool) async throws(SockeyeError) {
        guard hasBegun, isTransient, transfer.machine.interrupted() else { throw error }
        interruptions += 1
        let settings = transfer.settings
        let pause = settings.backoff.pause(before: transfer.machine.resumes, random: .random(in: 0..<1))
        guard requests.allows(pause) else { throw error }
        settings.onEvent(.pausing(pause, after: error))
        try await requests.sleep(for: pause)
    }
}

extension SockeyeError {
    /// True if another attempt may succeed. False after the total deadline, which the caller set for all attempts
    /// together.
    var isTransientForDownloads: Bool { mayPass && limit?.name != "timeouts.total" }
}
