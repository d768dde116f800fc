import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Fetches the parts of a representation at the same time: the first out of the answer that the plan was made from, each other
/// by a request of its own.
///
/// A part counts only as the very bytes that were asked for, of the very version (``ResumeMachine``). A server that sends
/// something else, or another version, is not asked for parts any more: what there is without a gap stays, and the rest
/// comes in one piece.
struct PartFetcher: Sendable {
    /// How the work came to its end.
    enum End: Sendable {
        case complete
        /// The server does not serve parts as it should, or not any more.
        case abandoned
        case failed(SockeyeError)
    }

    let client: HTTPClient
    let requests: DownloadRequests
    let settings: DownloadSettings
    let rules: ResumeMachine.Rules
    let entity: ResumeMachine.Entity
    let board: PartBoard

    /// - Parameter writers: One for each part.
    func run(_ response: IncomingResponse, _ writers: [FileWriter]) async -> End {
        await withTaskGroup(of: End.self) { group in
            group.addTask { await readFirst(response, writers[0]) }
            group.addTask { await fetchOthers(writers) }
            return await Self.end(of: &group) { if case .failed = $0 { true } else { false } }
        }
    }

    /// The first end that is not a success. The total deadline takes precedence over cancellations that it caused.
    ///
    /// - Parameter isFinal: Whether such an end is that of the others, too.
    private static func end(of group: inout TaskGroup<End>, where isFinal: (End) -> Bool) async -> End {
        var end = End.complete
        for await one in group {
            switch (end, one) {
            case (.failed(let first), .failed(let next)) where first.code == .cancelled && next.code == .timeout:
                end = one
            case (_, .complete), (.failed, _): break
            case (.abandoned, .abandoned): break
            // A cancellation that the first one brought about says nothing.
            case (.abandoned, .failed(let error)) where error.code == .cancelled && !Task.isCancelled: break
            default: end = one
            }
            if isFinal(one) { group.cancelAll() }
        }
        return end
    }

    // MARK: The first part

    private func readFirst(_ response: IncomingResponse, _ writer: FileWriter) async -> End {
        var body = response.body.makeAsyncIterator()
        var position = 0
        // The end of a piece that reaches beyond the limit: the board may move the limit before it is looked at again.
        var rest = Bytes()
        do throws(SockeyeError) {
            while position < board.limit {
                if rest.isEmpty {
                    guard let piece = try await body.next() else { break }
                    rest = piece
                }
                let count = min(rest.count, board.limit - position)
                try await append(rest.slice(0..<count), to: writer)
                position += count
                rest = rest.slice(count..<rest.count)
            }
        } catch {
            guard error.isTransientForDownloads else { return .failed(error) }
            board.noteInterruption()
        }
        // Its rest is fetched by others.
        if position < board.total { response.discard() }
        guard position < board.parts[0].upperBound, !board.isAbandoned else { return await flush(writer) }
        return await fetch(0, from: position, writer)
    }

    // MARK: The others

    private func fetchOthers(_ writers: [FileWriter]) async -> End {
        let end = await withTaskGroup(of: End.self) { group in
            for index in board.parts.indices.dropFirst() {
                group.addTask { await fetch(index, from: board.parts[index].lowerBound, writers[index]) }
            }
            return await Self.end(of: &group) { if case .complete = $0 { false } else { true } }
        }
        guard case .abandoned = end else { return end }
        for writer in writers.dropFirst() {
            writer.close(dropping: true)
            try? await writer.flush()
        }
        board.abandon()
        return end
    }

    /// Fetches a part from a position on, by as many requests as it takes.
    private func fetch(_ index: Int, from start: Int, _ writer: FileWriter) async -> End {
        let range = start..<board.parts[index].upperBound
        var machine = ResumeMachine(rules, part: range, of: entity)
        while machine.wanted != .nothing {
            guard case .rest(let from, let validator) = machine.wanted else { return .abandoned }
            do throws(SockeyeError) {
                let request = requests.part(from..<range.upperBound, of: validator)
                guard try await receive(client.send(request), &machine, writer) else { return .abandoned }
            } catch {
                // Without descriptors for several connections, one is enough.
                if error.code == .outOfResources { return .abandoned }
                guard error.isTransientForDownloads else { return .failed(error) }
                if let end = await pause(&machine) { return end }
            }
        }
        return await flush(writer)
    }

    /// Takes an answer; false where it is not one to go on with.
    private func receive(
        _ response: IncomingResponse, _ machine: inout ResumeMachine, _ writer: FileWriter
    ) async throws(SockeyeError) -> Bool {
        switch machine.receive(response.partialAnswer) {
        case .append: break
        case .askLater:
            response.discard()
            throw SockeyeError(
                .init(.connectionClosed, phase: .head, blame: .peer, message: "a part was refused for now"))
        case .startOver, .complete, .askForWhole, .refuse:
            response.discard()
            return false
        }
        board.received(response)
        var body = response.body.makeAsyncIterator()
        while let piece = try await body.next() {
            guard machine.take(piece.count) else {
                response.discard()
                return false
            }
            try await append(piece, to: writer)
        }
        _ = machine.finishBody()
        // Less than was asked for, in good order: the rest is asked for at once, but not without end.
        return machine.wanted == .nothing || machine.breakOff()
    }

    /// Waits for another attempt; the end where there is none.
    private func pause(_ machine: inout ResumeMachine) async -> End? {
        guard machine.breakOff() else { return .abandoned }
        board.noteInterruption()
        let pause = settings.backoff.pause(before: machine.resumes, random: .random(in: 0..<1))
        guard requests.allows(pause) else { return .abandoned }
        do throws(SockeyeError) {
            try await requests.sleep(for: pause)
            return nil
        } catch {
            return .failed(error)
        }
    }

    // MARK: The file

    private func append(_ bytes: Bytes, to writer: FileWriter) async throws(SockeyeError) {
        do throws(FileFailure) { try await writer.append(bytes) } catch { throw SockeyeError(error) }
    }

    private func flush(_ writer: FileWriter) async -> End {
        do throws(FileFailure) {
            try await writer.flush()
            return .complete
        } catch {
            return .failed(SockeyeError(error))
        }
    }
}
