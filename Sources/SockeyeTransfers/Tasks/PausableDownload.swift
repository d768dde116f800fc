import SockeyeEngine
import Synchronization

/// A download that can be paused. A pause closes the connection if the download can then be resumed without loss of
/// bytes. Otherwise only reading stops.
struct PausableDownload: Sendable {
    let client: HTTPClient
    let request: OutgoingRequest
    let settings: DownloadSettings
    let control: TransferControl

    func run() async throws(SockeyeError) -> DownloadedFile {
        var settings = settings
        settings.onEvent = note
        // `requests` starts the total deadline. It is created once, before the first run, so that the deadline includes
        // all runs and the pauses between them.
        let requests = DownloadRequests(request, for: client)
        if settings.resumeData == nil { settings.resumeData = try await stateOfEarlierRun(requests) }
        while true {
            let (outcome, isCancelledByPause) = await runUntilPaused(settings, requests)
            do throws(SockeyeError) {
                return try outcome.get()
            } catch {
                guard isCancelledByPause, error.code == .cancelled, !Task.isCancelled else { throw error }
                // If nil, the next run starts over.
                settings.resumeData = error.resumeData
                settings.hasBegun = control.response != nil
                if error.resumeData != nil, let path = control.destination {
                    // The next run keeps the path, because a later response might suggest another name.
                    settings.destination = .file(path, existing: settings.destination.existing)
                }
                try await waitForResume(keeping: error, requests)
            }
        }
    }

    /// Returns the state in the resume file, if it belongs to a download of the same URL.
    private func stateOfEarlierRun(_ requests: DownloadRequests) async throws(SockeyeError) -> ResumeData? {
        guard let path = settings.options.resumeFile else { return nil }
        if let destination = settings.destination.fixedPath { try await ResumeData.check(path, isNot: destination) }
        var wait = requests.descriptorWait(of: client)
        if let total = requests.remaining { wait.limit = min(wait.limit ?? total, total) }
        let found = try await wait.access { () async throws(SockeyeError) in try await ResumeData.read(from: path) }
        guard let data = found, data.isOfURL(request.url) else { return nil }
        control.canResume(with: data)
        control.download.skip(to: data.bytesWritten, of: data.totalBytes)
        return data
    }

    /// Waits for the end of the pause. If the task is cancelled or the total deadline passes meanwhile, throws an error
    /// with the resume data of `error`.
    private func waitForResume(
        keeping error: SockeyeError, _ requests: DownloadRequests
    ) async throws(SockeyeError) {
        do throws(SockeyeError) {
            try await requests.deadline.pass(control.gate, in: .body)
        } catch let end {
            throw end.about(error.fields.request).with { $0.resumeData = error.resumeData }
        }
    }

    /// Runs the download in a separate task, so that a pause cancels that task but not the task of the caller.
    ///
    /// - Returns: The outcome, and true if a pause has cancelled the run.
    private func runUntilPaused(
        _ settings: DownloadSettings, _ requests: DownloadRequests
    ) async -> (Result<DownloadedFile, SockeyeError>, isCancelledByPause: Bool) {
        let isCancelledByPause = Atomic(false)
        let run = Task { () -> Result<DownloadedFile, SockeyeError> in
            do throws(SockeyeError) {
                return .success(try await ResumableDownload(client, request, settings).run(requests))
            } catch {
                return .failure(error)
            }
        }
        control.whenPaused {
            // A download in parts may have gaps. Cancelling it would lose the bytes after the first gap.
            guard let data = control.resumeData, !data.hasGaps else { return }
            isCancelledByPause.store(true, ordering: .releasing)
            run.cancel()
        }
        defer { control.whenPaused(nil) }
        let outcome = await withTaskCancellationHandler {
            await run.value
        } onCancel: {
            run.cancel()
        }
        return (outcome, isCancelledByPause.load(ordering: .acquiring))
    }

    private func note(_ event: DownloadEvent) {
        switch event {
        case .response(let response):
            response.wrapSource { PausableSource($0, control.gate) }
            control.received(response)
        case .part(let response): response.wrapSource { PausableSource($0, control.gate) }
        case .decided(let path): control.decided(on: path)
        case .resumable(let resumeData): control.canResume(with: resumeData)
        case .resumed(let offset, let total):
            control.download.resume(at: offset, of: total)
            client.scope.settings.monitors.tell(
                .downloadResumed, .downloadResumed(.init(task: control.observed, offset: offset, total: total)))
        case .moved(let path, let error):
            client.scope.settings.monitors.tell(
                .fileMoved, .fileMoved(.init(task: control.observed, call: nil, path: path, error: error)))
        case .startedOver: control.download.startOver()
        case .progress(let completed, let total): control.download.update(completed, of: total)
        case .pausing: break
        }
        settings.onEvent(event)
    }
}
