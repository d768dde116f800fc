package import SockeyeEngine
import SockeyeHTTP

/// Fetches a resource into a file with as many requests as necessary. The middle of three layers: ``PausableDownload``
/// runs a resumable download again after a pause, and ``DownloadTransfer`` writes the content to the disk.
///
/// The first request asks for the whole content without a content coding (`Accept-Encoding: identity`). So the local
/// file has the same bytes as the server's file, and the length is known in advance. A caller can allow content codings
/// with an Accept-Encoding field, or with the option `decompresses` set to true. A transfer that breaks off is resumed
/// if ``ResumeMachine`` allows it, or else started over. Only repeatable requests (idempotent, with a replayable body)
/// are sent again.
///
/// The file appears at its destination when it is complete and its checksums are verified. After a failure the
/// destination is unchanged. If the download can be resumed, the temporary file is kept and the error has
/// ``Sockeye/SockeyeError/resumeData``. Otherwise the temporary file is removed.
package struct ResumableDownload: Sendable {
    private let client: HTTPClient
    private let request: OutgoingRequest
    private let settings: DownloadSettings

    package init(_ client: HTTPClient, _ request: OutgoingRequest, _ settings: DownloadSettings) {
        self.client = client
        self.request = request
        self.settings = settings
    }

    /// Runs the download. The request's ``/Sockeye/Timeouts/total`` limits all attempts together, including the pauses
    /// between them.
    ///
    /// - Throws: The errors of requests; ``/Sockeye/SockeyeError/Code-swift.struct/unacceptableStatus`` if the status
    ///   shows that the body is not the content of the resource;
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/fileFailed``, ``/Sockeye/SockeyeError/Code-swift.struct/fileExists``
    ///   or ``/Sockeye/SockeyeError/Code-swift.struct/diskFull``;
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/checksumMismatch``. If the task is cancelled, the error follows
    ///   after two waits. The first is for the removal of the temporary file, unless the file is kept; it takes at most
    ///   one second. The second has no limit: until the ``OutgoingRequest/Options/resumeFile``, if any, is written or
    ///   removed.
    package func run() async throws(SockeyeError) -> DownloadedFile {
        try await run(DownloadRequests(request, for: client))
    }

    /// Runs the download with the total deadline of `requests`. Several runs may share this deadline.
    func run(_ requests: DownloadRequests) async throws(SockeyeError) -> DownloadedFile {
        guard requests.deadline.exists else { return try await attempt(requests).get() }
        return try await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await attempt(requests) }
            group.addTask {
                await requests.deadline.wait()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            let late = await group.next() ?? nil
            return (late ?? .failure(requests.timeout(in: .body))).mapError { error in
                guard error.code == .cancelled, requests.deadline.isOver else { return error }
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
