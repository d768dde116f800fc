import SockeyeEngine
import SockeyeHTTP

extension DownloadAttempts {
    /// The parts to fetch at the same time, of what a response begins; nil where it comes in one piece.
    func parts(of response: IncomingResponse) -> [Range<Int>]? {
        let count = transfer.settings.options.parallelParts
        guard count > 1, transfer.machine.rules.mayUseRanges, transfer.machine.rules.mayRepeat else { return nil }
        return PartPlan.parts(of: response.partialAnswer, atMost: count)
    }

    /// Takes a response that begins the whole, and the parts of it that further requests fetch meanwhile. True when there is
    /// nothing more to come; else what is there without a gap has stayed, and the rest is to be asked for.
    mutating func receive(_ response: IncomingResponse, in parts: [Range<Int>]) async throws(SockeyeError) -> Bool {
        let board = PartBoard(parts)
        let writers = try await transfer.begin(response, board)
        guard let entity = transfer.machine.entity, writers.count == parts.count else { return false }
        let fetcher = PartFetcher(
            client: client, requests: requests, settings: transfer.settings, rules: transfer.machine.rules,
            entity: entity, board: board)
        let end = await fetcher.run(response, writers)
        for writer in writers { writer.close(dropping: false) }
        interruptions += board.interruptions
        if case .failed(let error) = end { throw error }
        try await transfer.joinParts(board)
        return transfer.machine.wanted == .nothing
    }
}

extension DownloadTransfer {
    /// Gets ready for the whole in parts, with a writer for each.
    fileprivate mutating func begin(
        _ response: IncomingResponse, _ board: PartBoard
    ) async throws(SockeyeError) -> [FileWriter] {
        self.response = response
        self.board = board
        try await startOver(response)
        board.report(resumeData, to: settings.onEvent)
        return file?.writers(at: board.parts.map(\.lowerBound)) { board.wrote($0, upTo: $1) } ?? []
    }

    /// Goes on with what is there without a gap.
    fileprivate mutating func joinParts(_ board: PartBoard) async throws(SockeyeError) {
        let count = board.contiguous
        do throws(FileFailure) { try await file?.truncate(to: count) } catch { throw SockeyeError(error) }
        machine.move(to: count)
        self.board = nil
        try await keepState()
    }
}
