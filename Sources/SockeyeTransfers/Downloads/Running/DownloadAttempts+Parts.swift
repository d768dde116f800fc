import SockeyeEngine
import SockeyeHTTP

extension DownloadAttempts {
    /// Returns the parts to fetch concurrently, given the first response; nil to fetch the content in one piece.
    func parts(of response: IncomingResponse) -> [Range<Int>]? {
        let count = transfer.settings.options.parallelParts
        guard count > 1, transfer.machine.rules.mayUseRanges, transfer.machine.rules.mayRepeat else { return nil }
        return PartPlan.parts(of: response.partialAnswer, atMost: count)
    }

    /// Receives the first response and fetches the other parts concurrently. Returns true if the content is complete.
    /// Otherwise the bytes up to the first gap are kept, and the rest must be requested.
    mutating func receive(_ response: IncomingResponse, in parts: [Range<Int>]) async throws(SockeyeError) -> Bool {
        let progress = PartProgress(parts)
        let writers = try await transfer.begin(response, progress)
        guard let entity = transfer.machine.entity, writers.count == parts.count else { return false }
        let fetcher = PartFetcher(
            client: client, requests: requests, settings: transfer.settings, rules: transfer.machine.rules,
            entity: entity, partProgress: progress)
        let end = await fetcher.run(response, writers)
        defer { for writer in writers { writer.close(dropping: false) } }
        interruptions += progress.interruptions
        if case .failed(let error) = end { throw error }
        try await transfer.joinParts(progress, writers)
        return transfer.machine.nextRequest == .nothing
    }
}

extension DownloadTransfer {
    /// Prepares to write the whole content in parts. Returns one writer for each part.
    fileprivate mutating func begin(
        _ response: IncomingResponse, _ progress: PartProgress
    ) async throws(SockeyeError) -> [FileWriter] {
        self.response = response
        self.partProgress = progress
        try await startOver(response)
        progress.report(resumeData, to: settings.onEvent)
        return file?.writers(at: progress.parts.map(\.lowerBound)) { progress.recordWrite($0, upTo: $1) } ?? []
    }

    /// Keeps the bytes up to the first gap; the next request continues after them.
    fileprivate mutating func joinParts(
        _ progress: PartProgress, _ writers: [FileWriter]
    ) async throws(SockeyeError) {
        for writer in writers {
            // A write that is still running could change the file after the truncation below, so all writes must end
            // first. The error of a failed write is ignored, because that write has ended. A cancelled wait throws,
            // because the write may still run.
            do throws(FileFailure) { try await writer.flush() } catch {
                if case .cancelled = error { throw SockeyeError(error) }
            }
        }
        let count = progress.contiguous
        do throws(FileFailure) { try await file?.truncate(to: count) } catch { throw SockeyeError(error) }
        machine.move(to: count)
        self.partProgress = nil
        try await writeResumeFile()
    }
}
