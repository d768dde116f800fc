import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// The source of a response body that is still on the connection. Reads on demand and returns the connection to the
/// pool at the end.
///
/// The locks satisfy the compiler and protect the state from misuse. Only one task reads at a time, so the locks are
/// never contended. No lock is held while waiting.
final class ResponseBodySource: BodySource {
    /// Nil once the connection was returned to the pool or closed.
    private let state: Mutex<ExchangeState?>
    /// The trailers, set at the end of the body; nil before that and without trailers.
    private let received = Mutex<Headers?>(nil)
    private let lowWaterMark: Mutex<ReadLowWaterMark>
    /// After this many bytes without a wait, the task yields its thread: 4 MiB, which take some 500 µs to copy.
    private let turn = Mutex(TurnBudget(bytes: 4 << 20))
    private let lease: ConnectionPool.Lease
    private let pool: ConnectionPool
    private let deadlines: RequestDeadlines
    private let observer: (any ExchangeObserver)?
    /// The number of the exchange, for the observer.
    private let exchange: Int
    /// True for a 2xx response. If the upload fails after a 2xx response, ``next()`` throws the upload's error at the
    /// end of the body. After any other response, a complete body ends without that error.
    private let isSuccessful: Bool

    init(
        state: ExchangeState, pool: ConnectionPool, deadlines: RequestDeadlines,
        observer: (any ExchangeObserver)?, exchange: Int, isSuccessful: Bool
    ) {
        self.observer = observer
        self.exchange = exchange
        self.isSuccessful = isSuccessful
        lowWaterMark = Mutex(ReadLowWaterMark(received: state.receiver.reader.received))
        self.state = Mutex(state)
        lease = state.lease
        self.pool = pool
        self.deadlines = deadlines
    }

    deinit {
        guard let state = state.withLock({ $0.take() }) else { return }
        observer?.exchangeEnded(in: exchange, received: state.receiver.reader.received)
        AbandonedResponse(state: state, pool: pool, time: deadlines.time).drainOrClose()
    }

    var trailers: Headers? { received.withLock { $0 } }

    private enum Step {
        case event(ResponseReader.PieceEvent)
        case failed(ResponseReader.Fault)
    }

    /// A running stall time-out, and the number of bytes received at its start. The time-out starts again after bytes
    /// of the response, but not after TLS records without such bytes.
    private struct Stall {
        let end: MonotonicTime
        let received: Int
    }

    func next() async throws(SockeyeError) -> Bytes? {
        var stalled: Stall?
        while true {
            // A peer that always has data ready must not defeat cancellation and the deadline.
            if Task.isCancelled, !hasEnded {
                throw await fail(with: SockeyeError(TransportError.cancelled, phase: .body))
            }
            if let error = deadlines.exceeded(in: .body), !hasArrived { throw await fail(with: error) }
            switch step(didWait: stalled != nil) {
            case .event(.piece(let piece)):
                observer?.receivedBody(piece.count, in: exchange)
                if endsTurn(piece, didWait: stalled != nil) { await Task.yield() }
                return piece
            case .event(.end):
                if isCutShort { throw await fail(with: SockeyeError(TransportError.closed, phase: .body)) }
                if let error = await finish() { throw error }
                return nil
            case .event(.wait(let interest)): stalled = try await wait(for: interest, stalled: stalled)
            case .failed(let fault): throw await fail(with: error(fault))
            }
        }
    }

    /// True if ``next()`` has returned the end of the body or thrown an error. Every later call of ``next()`` returns
    /// nil.
    private var hasEnded: Bool { state.withLock { $0 == nil } }

    /// True if the end of the body has arrived. The deadline then no longer applies, however long the caller takes to
    /// read the rest. Called only after the deadline: if the result is false, the reader may have lost content and must
    /// not be used again.
    private var hasArrived: Bool { state.withLock { $0?.receiver.reader.findEndInBuffer() ?? true } }

    /// Returns true if the task should yield its thread now. If it never did, a peer that always has more to send would
    /// keep the thread busy.
    private func endsTurn(_ piece: Bytes, didWait: Bool) -> Bool {
        turn.withLock { turn in
            if didWait { turn.restart() }
            return turn.spend(piece.count)
        }
    }

    /// - Parameter didWait: True if the task has waited for the socket since the last piece.
    private func step(didWait: Bool) -> Step {
        state.withLock { state in
            if !didWait, state?.receiver.reader.hasDrained == true,
                shouldWaitBeforeReading(state?.receiver.reader.received ?? 0, state?.receiver.reader.expected ?? 0)
            {
                return .event(.wait(.read))
            }
            do throws(ResponseReader.Fault) {
                return .event(try state?.nextPiece(from: lease.connection.stream) ?? .end)
            } catch {
                return .failed(error)
            }
        }
    }

    /// True if the stream ended because this side aborted it. That end is not the end of the body, so reading fails.
    private var isCutShort: Bool {
        state.withLock { state in
            guard let state, state.receiver.reader.isEnded else { return false }
            return lease.connection.isShutDown || state.sender.error != nil
        }
    }

    /// Waits for any bytes. While a fast peer sends the body in bulk, waits for the low-water mark instead
    /// (``ReadLowWaterMark``).
    ///
    /// - Parameter stalled: The stall time-out of the previous wait; nil for the first wait after a piece.
    /// - Returns: The stall time-out of this wait.
    private func wait(for interest: Interest, stalled: Stall?) async throws(SockeyeError) -> Stall {
        let (stream, now, limitOfStall) = (lease.connection.stream, deadlines.time.now, deadlines.limits.stall)
        let (received, certain) = state.withLock { state in
            (state?.receiver.reader.received ?? 0, state?.receiver.reader.expected ?? 0)
        }
        var stall = Stall(end: .earlier(deadlines.total, now.deadline(after: limitOfStall)), received: received)
        if let stalled, stalled.received == received { stall = stalled }
        var limit = MonotonicTime.distantFuture
        switch plan(interest, received, certain, at: now) {
        case .forAny: break
        case .forMark:
            stream.setReadLowWaterMark(ReadLowWaterMark.mark)
            limit = now.advanced(by: ReadLowWaterMark.limit)
        case .afterReading:
            stream.setReadLowWaterMark(1)
            return stall
        }
        do throws(TransportError) {
            try await stream.wait(for: interest, as: .reader, until: .earlier(stall.end, limit))
            return stall
        } catch {
            if error == .timedOut, limit < stall.end {
                lowWaterMark.withLock { $0.limitPassed() }
                stream.setReadLowWaterMark(1)
                return stall
            }
            if error == .timedOut {
                if let extended = extendedStall(received: received) { return extended }
                throw await fail(with: deadlines.error(.body, limit: limitOfStall, name: "stall"))
            }
            throw await fail(with: SockeyeError(error, phase: .body))
        }
    }

    /// Extends a stall time-out that has passed while the request's body was still being sent: the time-out starts
    /// again when a byte of either body moved last, or at the end of the transfer's last pause if that is later. Nil if
    /// there is neither an upload nor a pause, or if the extended time-out has passed, too.
    private func extendedStall(received: Int) -> Stall? {
        guard let progress = state.withLock({ $0?.sender.lastProgress }) else { return nil }
        let end = MonotonicTime.earlier(deadlines.total, progress.deadline(after: deadlines.limits.stall))
        return end > deadlines.time.now ? Stall(end: end, received: received) : nil
    }

    /// Returns true if the task should wait for the low-water mark instead of reading again. False unless the stream is
    /// a socket, because only there a short read means that no more bytes are available.
    private func shouldWaitBeforeReading(_ received: Int, _ certain: Int) -> Bool {
        guard lease.connection.stream.socketDescriptor != nil, deadlines.time.manual == nil else { return false }
        return lowWaterMark.withLock {
            $0.shouldWaitBeforeReading(received: received, certain: certain, at: deadlines.time.now)
        }
    }

    private func plan(
        _ interest: Interest, _ received: Int, _ certain: Int, at now: MonotonicTime
    ) -> ReadLowWaterMark.Plan {
        // A manual clock, as in tests, may stand still, so that a wait for the mark would never end.
        let mayGather = interest.contains(.read) && deadlines.time.manual == nil
        return lowWaterMark.withLock { $0.plan(received: received, certain: mayGather ? certain : 0, at: now) }
    }

    private func error(_ fault: ResponseReader.Fault) -> SockeyeError {
        switch fault {
        case .peer(let fault): SockeyeError(fault, phase: .body)
        case .transport(.truncated) where state.withLock({ $0?.receiver.reader.endsWithConnection ?? false }):
            SockeyeError(TransportError.truncated, phase: .body)
                .with { $0.message += ResponseTolerances.hint(.missingCloseNotify) }
        case .transport(let error): SockeyeError(error, phase: .body)
        }
    }

    /// Returns the connection to the pool after the end of the body.
    ///
    /// - Returns: The error of the upload if it failed after an early 2xx response; nil otherwise. Despite the 2xx, the
    ///   server has then received only a part of the request's body.
    private func finish() async -> SockeyeError? {
        guard var state = state.withLock({ $0.take() }) else { return nil }
        let trailers = state.receiver.reader.trailers
        received.withLock { $0 = trailers }
        if lowWaterMark.withLock({ $0.isGathering }) { lease.connection.stream.setReadLowWaterMark(1) }
        let verdict = state.receiver.finishResponse(state.sender)
        if let rest = ConnectionReturn.settle(verdict, state, to: pool) {
            await rest.finish(&state, to: pool, deadlines: deadlines)
        }
        let error = isSuccessful ? state.sender.error : nil
        observer?.exchangeEnded(in: exchange, received: state.receiver.reader.received, error)
        return error
    }

    /// Closes the connection and returns the error to throw. A failure of the upload or a shutdown of the connection
    /// takes precedence over `error`, because either explains why reading failed.
    private func fail(with error: SockeyeError) async -> SockeyeError {
        guard let state = state.withLock({ $0.take() }) else { return error }
        let cause = state.sender.error ?? (lease.connection.isShutDown ? .shutDown(error.phase) : error)
        observer?.exchangeEnded(in: exchange, received: state.receiver.reader.received, cause)
        state.sender.detach()
        lease.connection.close()
        await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
        return cause
    }
}
