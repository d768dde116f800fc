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
    private let request: Request
    private let settings: DownloadSettings

    package init(_ client: HTTPClient, _ request: Request, _ settings: DownloadSettings) {
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
        var attempts = DownloadAttempts(client, request, settings)
        do throws(SockeyeError) {
            return try await attempts.run()
        } catch {
            throw await attempts.transfer.end(with: error)
        }
    }
}
