import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Fetches the parts of a representation concurrently. The first part comes from the response to a request for the
/// whole content. Each other part is requested separately.
///
/// A part is used only if it consists of exactly the requested bytes and has the version of the first response
/// (``ResumeMachine``). If a server sends anything else, the fetcher discards all parts after the first one and
/// requests no more of them. The rest of the content then comes from the first response. If that response is no longer
/// being read, the caller must request the rest.
struct PartFetcher: Sendable {
    /// The way in which fetching the parts ended.
    enum End: Sendable {
        case complete
        /// The parts cannot be completed: the server does not serve them correctly, no attempt is left, or the process
        /// has no descriptors for several connections.
        case abandoned
        case failed(SockeyeError)
    }

    let client: HTTPClient
    let requests: DownloadRequests
    let settings: DownloadSettings
    let rules: ResumeMachine.Rules
    let entity: ResumeMachine.Entity
    let partProgress: PartProgress

    /// Fetches all parts.
    ///
    /// - Parameter writers: One for each part.
    func run(_ response: IncomingResponse, _ writers: [FileWriter]) async -> End {
        await withTaskGroup(of: (end: End, isOfFirst: Bool).self) { group in
            group.addTask { (await readFirst(response, writers[0]), true) }
            group.addTask { (await fetchOthers(writers), false) }
            var end = End.complete
            for await (next, isOfFirst) in group {
                end.merge(next, isCancelled: Task.isCancelled)
                switch next {
                case .failed: group.cancelAll()
                // Without the first part, the other parts follow a gap and are useless. Without the other parts, the
                // first part is still useful, so its task continues.
                case .abandoned: if isOfFirst { group.cancelAll() }
                case .complete: break
                }
            }
            return end
        }
    }

    /// Merges the ends of all tasks of a group into one end.
    ///
    /// - Parameter isFinal: Returns true if an end must cancel the other tasks.
    private static func end(of group: inout TaskGroup<End>, where isFinal: (End) -> Bool) async -> End {
        var end = End.complete
        for await next in group {
            end.merge(next, isCancelled: Task.isCancelled)
            if isFinal(next) { group.cancelAll() }
        }
        return end
    }

    // MARK: The first part

    private func readFirst(_ response: IncomingResponse, _ writer: FileWriter) async -> End {
        var body = response.body.makeAsyncIterator()
        var position = 0
        // The bytes of the last piece beyond `partProgress.limit`, which is the end of the first part. They are kept,
        // because `partProgress.abandon()` may raise the limit to the end of the content.
        var rest = Bytes()
        do throws(SockeyeError) {
            while position < partProgress.limit {
                if rest.isEmpty {
                    guard let piece = try await body.next() else { break }
                    rest = piece
                }
                let count = min(rest.count, partProgress.limit - position)
                try await append(rest.slice(0..<count), to: writer)
                position += count
                rest = rest.slice(count..<rest.count)
            }
        } catch {
            guard error.isTransientForDownloads else { return .failed(error) }
            partProgress.countInterruption()
        }
        // Other requests fetch the remaining content, so the rest of this body is not read.
        if position < partProgress.total { response.discardUnstored() }
        guard position < partProgress.parts[0].upperBound, !partProgress.isAbandoned else { return await flush(writer) }
        return await fetch(0, from: position, writer)
    }

    // MARK: The other parts

    private func fetchOthers(_ writers: [FileWriter]) async -> End {
        let end = await withTaskGroup(of: End.self) { group in
            for index in partProgress.parts.indices.dropFirst() {
                group.addTask { await fetch(index, from: partProgress.parts[index].lowerBound, writers[index]) }
            }
            return await Self.end(of: &group) { if case .complete = $0 { false } else { true } }
        }
        guard case .abandoned = end else { return end }
        for writer in writers.dropFirst() {
            writer.close(dropping: true)
            try? await writer.flush()
        }
        partProgress.abandon()
        return end
    }

    /// Fetches a part from a position on, with as many requests as necessary.
    private func fetch(_ index: Int, from start: Int, _ writer: FileWriter) async -> End {
        let range = start..<partProgress.parts[index].upperBound
        var machine = ResumeMachine(rules, part: range, of: entity)
        while machine.nextRequest != .nothing {
            guard case .rest(let from, let validator) = machine.nextRequest else { return .abandoned }
            do throws(SockeyeError) {
                let request = requests.part(from..<range.upperBound, of: validator)
                guard try await receive(client.send(request), &machine, writer) else { return .abandoned }
            } catch {
                // Fall back to one connection if there are no descriptors for several.
                if error.code == .outOfResources { return .abandoned }
                guard error.isTransientForDownloads else { return .failed(error) }
                if let end = await pause(&machine) { return end }
            }
        }
        return await flush(writer)
    }

    /// Processes a response to a request for a part. Returns false if the server did not serve the part correctly, or
    /// if the part is incomplete and no attempt is left.
    private func receive(
        _ response: IncomingResponse, _ machine: inout ResumeMachine, _ writer: FileWriter
    ) async throws(SockeyeError) -> Bool {
        switch machine.receive(response.partialAnswer) {
        case .append: break
        case .retryLater:
            response.discardUnstored()
            throw SockeyeError(
                .init(
                    .connectionClosed, phase: .head, blame: .peer,
                    message: "the server temporarily refused a request for a part of the file"))
        case .startOver, .complete, .requestWhole, .refuse:
            response.discardUnstored()
            return false
        }
        partProgress.received(response)
        var body = response.body.makeAsyncIterator()
        while let piece = try await body.next() {
            guard machine.take(piece.count) else {
                response.discardUnstored()
                return false
            }
            try await append(piece, to: writer)
        }
        _ = machine.finishBody()
        // If the body ended properly but is shorter than requested, the rest is requested at once, unless the limit on
        // resumes is reached.
        return machine.nextRequest == .nothing || machine.interrupted()
    }

    /// Waits before another attempt, then returns nil. Returns `abandoned` if no attempt is left or if the pause would
    /// exceed the total deadline, and `failed` if the task is cancelled meanwhile.
    private func pause(_ machine: inout ResumeMachine) async -> End? {
        guard machine.interrupted() else { return .abandoned }
        partProgress.countInterruption()
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

extension PartFetcher.End {
    /// Merges the end of another task. The first end other than `complete` stays, with two exceptions. A failure
    /// replaces `abandoned`. A timeout replaces a cancellation: when the total deadline passes, one task may fail with
    /// the timeout and another one may be cancelled.
    ///
    /// - Parameter isCancelled: True if the task that merges the ends is cancelled. If false, a cancellation failure
    ///   does not replace `abandoned`: the other task was cancelled only because an earlier task had ended.
    mutating func merge(_ next: Self, isCancelled: Bool) {
        switch (self, next) {
        case (.failed(let first), .failed(let other)) where first.code == .cancelled && other.code == .timeout:
            self = next
        case (_, .complete), (.failed, _), (.abandoned, .abandoned): break
        case (.abandoned, .failed(let error)) where error.code == .cancelled && !isCancelled: break
        default: self = next
        }
    }
}
