import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// One body for several readers, each at its own pace, through a bounded buffer (``SharedPieces``).
///
/// A reader that has consumed the whole buffer starts the fetch of the next piece. The fetch has a task of its own, so
/// that cancelling the reader does not cancel the fetch. When the last reader leaves, the exchange ends. A reader that
/// holds up the others for too long is evicted, and gets the rest from the store or by a request of its own.
final class SharedBody: Sendable {
    private typealias Change = InFlightOperation<Void, Never>

    /// Finds the rest of the content for an evicted reader.
    ///
    /// - Parameter position: The number of bytes that the reader has received.
    typealias Continuation =
        @Sendable (
            _ shared: ContentIdentity, _ position: Int
        ) async throws(SockeyeError) -> any BodySource

    private struct State {
        var pieces: SharedPieces
        /// The end of the body, or the error that ended it; nil before that.
        var end: Result<Void, SockeyeError>?
        var trailers: Headers?
        /// The response whose body is read; nil after the end of the body, or if no reader remains.
        var response: IncomingResponse?
        /// The running fetch of the next piece; nil if no fetch is running.
        var pull: Task<Void, Never>?
        /// True if the last reader left during a fetch, and the response is not to be stored.
        var abandonsStoring = false
        /// The operation that the waiting readers await. It is finished and replaced when they have to check the state
        /// again.
        var change = Change()
    }

    private enum Step {
        case piece(Bytes)
        case end(Result<Void, SockeyeError>)
        case evicted
        /// - Parameter room: If the buffer is full, the time from which the waiting reader may evict slower readers to
        ///   make room. `distantFuture` if a fetch of the next piece is running.
        case wait(Change, room: MonotonicTime)
    }

    private let state: Mutex<State>
    private let identity: ContentIdentity

    /// Claims the body of the response. If reading has begun already, every reader fails.
    ///
    /// - Parameter readers: The number of readers; their ids start at 0. A reader ends when the source that
    ///   ``reader(_:in:stall:continuing:)`` returned for it is released, or when ``leave(_:)`` is called.
    init(of response: IncomingResponse, readers: Int) {
        identity = ContentIdentity(of: response)
        let isUnread = response.head.reader.begin()
        state = Mutex(
            State(
                pieces: SharedPieces(readers: readers), end: isUnread ? nil : .failure(BodyReader.consumed),
                response: isUnread ? response : nil))
    }

    /// The source of one reader.
    ///
    /// - Parameters:
    ///   - stall: The time for which the reader waits for others that stopped reading; nil for no limit. The wait for
    ///     readers that have read nothing yet is limited to `SharedPieces.grace`, even if `stall` is longer or nil.
    ///   - continuation: Nil for a single reader, which is never evicted.
    func reader(
        _ id: Int, in context: CallContext, stall: Duration? = nil, continuing continuation: Continuation? = nil
    ) -> any BodySource {
        Reader(body: self, id: id, context: context, stall: stall, continuation: continuation)
    }

    /// Waits for the next piece, or the end.
    private func next(_ reader: Reader) async throws(SockeyeError) -> Step {
        while true {
            let (step, old): (Step, Change?) = try state.withLock { state throws(SockeyeError) in
                try find(reader, &state)
            }
            old?.finish(.success(()))
            guard case .wait(let change, let room) = step else { return step }
            do throws(TransportError) {
                let poller = try reader.context.poller()
                do throws(TransportError) {
                    let deadline = MonotonicTime.earlier(reader.context.deadline, room)
                    _ = try await change.outcome(until: deadline, poller: poller)
                } catch .timedOut where room <= poller.time.now {
                    evict(by: reader, at: poller.time.now)
                }
            } catch {
                throw error == .timedOut ? reader.context.timedOut(in: .body) : SockeyeError(error, phase: .body)
            }
        }
    }

    /// Returns the next step of a reader. If this step makes room in the buffer, also returns the operation that the
    /// waiting readers await; the caller finishes that operation outside the lock.
    private func find(_ reader: Reader, _ state: inout State) throws(SockeyeError) -> (Step, Change?) {
        switch state.pieces.next(for: reader.id) {
        case .evicted: return (.evicted, nil)
        case .piece(let piece, let makesRoom): return (.piece(piece), makesRoom ? Self.renew(&state) : nil)
        case .upToDate: break
        }
        if let end = state.end { return (.end(end), nil) }
        if state.pull == nil, !state.pieces.isFull, let response = state.response {
            state.pull = Task { await self.pull(response) }
        }
        guard state.pull == nil else { return (.wait(state.change, room: .distantFuture), nil) }
        let room = state.pieces.evictionTime(stall: reader.stall, now: try reader.now)
        return (.wait(state.change, room: room), nil)
    }

    private func evict(by reader: Reader, at now: MonotonicTime) {
        let change = state.withLock { state in
            state.pieces.evict(stall: reader.stall, now: now) ? Self.renew(&state) : nil
        }
        change?.finish(.success(()))
    }

    private static func renew(_ state: inout State) -> Change {
        let old = state.change
        state.change = Change()
        return old
    }

    private func pull(_ response: IncomingResponse) async {
        let result: Result<Bytes?, SockeyeError>
        do throws(SockeyeError) {
            result = .success(try await response.head.reader.next())
        } catch {
            result = .failure(error)
        }
        let trailers = response.trailers
        let (change, abandonsStoring) = state.withLock { state in
            state.pull = nil
            switch result {
            case .success(let piece?): state.pieces.append(piece)
            case .success(nil):
                state.end = .success(())
                state.trailers = trailers
            case .failure(let error): state.end = .failure(error)
            }
            if state.end != nil { state.response = nil }
            return (Self.renew(&state), state.abandonsStoring)
        }
        if abandonsStoring { response.discardUnstored() }
        change.finish(.success(()))
    }

    /// Removes a reader.
    ///
    /// - Parameter abandonsStoring: True to stop storing the response if no other reader remains.
    func leave(_ id: Int, abandonsStoring: Bool = false) {
        let (change, pull, response) = state.withLock { state -> (Change?, Task<Void, Never>?, IncomingResponse?) in
            let makesRoom = state.pieces.remove(id)
            guard !state.pieces.hasReaders else { return (makesRoom ? Self.renew(&state) : nil, nil, nil) }
            defer { (state.pull, state.response) = (nil, nil) }
            // A running fetch uses the source of the response. It abandons the storing when it ends.
            if state.response != nil { state.abandonsStoring = abandonsStoring }
            return (nil, state.pull, state.response)
        }
        change?.finish(.success(()))
        pull?.cancel()
        if abandonsStoring, pull == nil { response?.discardUnstored() }
        // Releases the response and its source outside the lock.
        withExtendedLifetime(response) {}
    }

    private final class Reader: BodySource {
        let id: Int
        let context: CallContext
        let stall: Duration?
        private let body: SharedBody
        private let continuation: Continuation?
        private let abandonsStoring = Atomic(false)
        /// The number of bytes delivered, and the source of the rest if the reader was evicted.
        private let progress = Mutex<(delivered: Int, own: (any BodySource)?)>((0, nil))

        init(body: SharedBody, id: Int, context: CallContext, stall: Duration?, continuation: Continuation?) {
            self.body = body
            self.id = id
            self.context = context
            self.stall = stall
            self.continuation = continuation
        }

        deinit { body.leave(id, abandonsStoring: abandonsStoring.load(ordering: .relaxed)) }

        func abandonStoring() { abandonsStoring.store(true, ordering: .relaxed) }

        var trailers: Headers? {
            progress.withLock(\.own).map(\.trailers) ?? body.state.withLock(\.trailers)
        }

        /// The current time of the clock by which the reader waits.
        var now: MonotonicTime {
            get throws(SockeyeError) {
                do throws(TransportError) {
                    return try context.poller().time.now
                } catch {
                    throw SockeyeError(error, phase: .body)
                }
            }
        }

        func next() async throws(SockeyeError) -> Bytes? {
            if let own = progress.withLock(\.own) { return try await own.next() }
            switch try await body.next(self) {
            case .piece(let piece):
                progress.withLock { $0.delivered += piece.count }
                return piece
            case .end(let result):
                try result.get()
                return nil
            case .evicted, .wait:
                guard let continuation else { return nil }
                let own = try await continuation(body.identity, progress.withLock(\.delivered))
                progress.withLock { $0.own = own }
                return try await own.next()
            }
        }
    }
}
