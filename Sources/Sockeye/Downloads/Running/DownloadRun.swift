package import SockeyeEngine

/// Fetches a resource into a file, over as many requests as it takes.
///
/// The first request asks for the whole, uncoded (`Accept-Encoding: identity`, unless the caller asks for something else or
/// sets `decompresses`): so the file has the bytes that the server has, its length is known in advance, and positions in
/// both are the same. A transfer that breaks off is resumed where it was if ``ResumeMachine`` says that it can be, and else
/// started over; only requests that may be repeated (idempotent, with a body that is replayable) are.
///
/// The file appears at its destination when it is complete and its checksums are right. A failure leaves what was there,
/// and, where the server gives the means, ``SockeyeError/resumeData``; otherwise nothing.
package struct DownloadRun: Sendable {
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
            // The network has deadlines of its own: what is waited for is the disk.
            let late = await group.next() ?? nil
            return (late ?? .failure(requests.diskTimeout)).mapError { error in
                guard error.code == .cancelled, requests.isOver else { return error }
                return requests.diskTimeout.with { $0.resumeData = error.resumeData }
            }
        }.get()
    }

    private typealias Outcome = Result<DownloadedFile, SockeyeError>

    private func attempt(_ requests: DownloadRequests) async -> Outcome {
        var attempts = DownloadAttempts(client, requests, settings)
        do throws(SockeyeError) {
            return .success(try await attempts.run())
        } catch {
            return .failure(await attempts.transfer.end(with: error))
        }
    }
}
