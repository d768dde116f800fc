package import SockeyeEngine
import SockeyeHTTP

/// Fetches a resource into a file, over as many requests as it takes. The middle one of three layers: ``PausableDownload`` runs
/// it again after a pause, and what it receives goes to the disk through ``DownloadTransfer``.
///
/// The first request asks for the whole, uncoded (`Accept-Encoding: identity`, unless the caller asks for something else or
/// sets `decompresses`): so the file has the bytes that the server has, its length is known in advance, and positions in
/// both are the same. A transfer that breaks off is resumed where it was if ``ResumeMachine`` says that it can be, and else
/// started over; only requests that may be repeated (idempotent, with a body that is replayable) are.
///
/// The file appears at its destination when it is complete and its checksums are right. A failure leaves what was there,
/// and, where the server gives the means, ``SockeyeError/resumeData``; otherwise nothing.
package struct ResumableDownload: Sendable {
    private let client: HTTPClient
    private let request: OutgoingRequest
    private let settings: DownloadSettings

    package init(_ client: HTTPClient, _ request: OutgoingRequest, _ settings: DownloadSettings) {
        self.client = client
        self.request = request
        self.settings = settings
    }

    /// Downloads. The request's ``Timeouts/total`` is that of all of it, pauses included.
    ///
    /// - Throws: What requests throw; ``SockeyeError/Code-swift.struct/unacceptableStatus`` for an answer without content;
    ///   ``SockeyeError/Code-swift.struct/fileFailed``, ``SockeyeError/Code-swift.struct/fileExists`` or
    ///   ``SockeyeError/Code-swift.struct/diskFull``; ``SockeyeError/Code-swift.struct/checksumMismatch``. Cancelling the
    ///   task ends it at once.
    package func run() async throws(SockeyeError) -> DownloadedFile {
        let requests = DownloadRequests(request, for: client)
        guard requests.hasDeadline else { return try await attempt(requests).get() }
        return try await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await attempt(requests) }
            group.addTask {
                await requests.waitForDeadline()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            let late = await group.next() ?? nil
            return (late ?? .failure(requests.timeout(in: .body))).mapError { error in
                guard error.code == .cancelled, requests.isOver else { return error }
                let timeout = error.isCancelledDiskWait ? requests.diskTimeout : requests.timeout(in: error.phase)
                return timeout.with { $0.resumeData = error.resumeData }
            }
        }.get()
    }

    private typealias Outcome = Result<DownloadedFile, SockeyeError>

    private func attempt(_ requests: DownloadRequests) async -> Outcome {
        var attempts = DownloadAttempts(client, requests, settings)
        defer { attempts.transfer.claim?.release() }
        do throws(SockeyeError) {
            return .success(try await attempts.run())
        } catch {
            return .failure(await attempts.transfer.end(with: error))
        }
    }
}

/// The attempt loop of a ``ResumableDownload``: its requests and the pauses between them.
struct DownloadAttempts {
    let client: HTTPClient
    let requests: DownloadRequests
    var transfer: DownloadTransfer
    /// Whether a response of this run was accepted: only then it is retried automatically.
    private var hasBegun = false
    /// Whether parts were asked for already. A server that breaks off each time could be asked for them without end.
    private var hasTriedParts = false
    var interruptions = 0

    init(_ client: HTTPClient, _ requests: DownloadRequests, _ settings: DownloadSettings) {
        self.client = client
        self.requests = requests
        let rules = requests.rules(maximumResumes: settings.options.maximumResumes)
        var settings = settings
        settings.descriptors = requests.descriptorWait(of: client)
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
            try await pause(after: error, isTransient: error.isTransientForDownloads)
            return false
        }
        let decision = transfer.machine.receive(response.partialAnswer)
        switch decision {
        case .append, .startOver:
            do throws(SockeyeError) {
                return try await receive(response, startingOver: decision == .startOver)
            } catch {
                // An observer may keep the response, whose rest nobody reads.
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
            // Nothing speaks against asking for the rest at once.
            guard transfer.machine.breakOff() else { throw response.lengthMismatch }
            return false
        case .brokenOff(let error):
            try await pause(after: error, isTransient: error.isTransientForDownloads)
            return false
        }
    }

    /// Waits for another attempt, or ends with the error if there is none.
    private mutating func pause(after error: SockeyeError, isTransient: Bool) async throws(SockeyeError) {
        guard hasBegun, isTransient, transfer.machine.breakOff() else { throw error }
        interruptions += 1
        let settings = transfer.settings
        let pause = settings.backoff.pause(before: transfer.machine.resumes, random: .random(in: 0..<1))
        guard requests.allows(pause) else { throw error }
        settings.onEvent(.pausing(pause, after: error))
        try await requests.sleep(for: pause)
    }
}

extension SockeyeError {
    /// Whether another attempt may succeed. The total deadline is what the caller set for all attempts together.
    var isTransientForDownloads: Bool { hasTransientCause && limit?.name != "timeouts.total" }
}
