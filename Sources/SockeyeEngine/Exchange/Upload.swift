import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// The sending half of an exchange with a body that does not fit into the first write.
///
/// It runs in a task of its own, so that the response can be read meanwhile. The task writes to the stream only under
/// the lock, and ``detach()`` takes the stream away from it. Thus the descriptor can be closed while a producer of the
/// body is still running.
final class Upload: BodySink, Sendable {
    enum Status: Sendable {
        case running
        case finished
        /// The response made the rest of the body pointless, or the exchange is over.
        case stopped
        /// The caller's body failed or a deadline of this client passed: the exchange cannot continue.
        case failed(SockeyeError)
        /// The connection accepts no more bytes. A response may have arrived nevertheless (RFC 9112 9.6).
        case broken(TransportError)
    }

    private struct State {
        var stream: (any ByteStream)?
        var deadlines: RequestDeadlines
        var status = Status.running
        /// The number of content bytes sent, including those written together with the head before this upload began.
        var sent = 0
        var lastProgress: MonotonicTime
        /// True if the producer of the body was asked for content.
        var hasProduced = false
        var oneShotClaim: OneShotClaim?
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let framing: RequestFraming
    let time: TimeSource
    /// The gate at which the content waits while the caller pauses the upload.
    private let gate: TransferGate?
    private let onProgress: (@Sendable (Int) -> Void)?
    private let observer: (any ExchangeObserver)?
    /// The number that the call's observer has given to the exchange that sends this body.
    private let exchange: Int
    private let stream: any ByteStream
    private let poller: any Poller
    /// Signalled at the end of the upload.
    private let ended: WaitTimer

    init(
        stream: any ByteStream, framing: RequestFraming, deadlines: RequestDeadlines, poller: any Poller,
        alreadySent: Int, gate: TransferGate? = nil, onProgress: (@Sendable (Int) -> Void)?,
        observer: (any ExchangeObserver)? = nil, exchange: Int = 0
    ) throws(TransportError) {
        self.stream = stream
        self.poller = poller
        self.framing = framing
        time = deadlines.time
        self.gate = gate
        self.onProgress = onProgress
        self.observer = observer
        self.exchange = exchange
        ended = try WaitTimer(poller: poller)
        state = Mutex(State(stream: stream, deadlines: deadlines, sent: alreadySent, lastProgress: time.now))
    }

    // MARK: For the reading half

    var status: Status { state.withLock { $0.status } }

    /// The time at which a byte of either body moved last, or the end of the transfer's last pause if that is later.
    var lastProgress: MonotonicTime {
        let progress = state.withLock { $0.lastProgress }
        return max(progress, gate?.endOfPause ?? progress)
    }

    /// Reports that bytes of the response's body arrived.
    func noteReceived() {
        let now = time.now
        state.withLock { $0.lastProgress = max($0.lastProgress, now) }
    }

    /// Reports that the final head of the response arrived: the time limit of the attempt no longer applies.
    func headArrived() { state.withLock { $0.deadlines = $0.deadlines.afterHead } }

    /// Starts sending: first `pending` (see ``HeadWrite/pendingHead``), then the output of the producer.
    ///
    /// If the calling task runs on the poller, the sending task runs there, too, which saves switches between threads.
    func start(pending: Bytes, _ body: OutgoingRequest.Body) {
        let executor = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
        // `Task(executorPreference: nil)` would be slower: such a task looks up its preference at each executor switch.
        let task =
            unsafe executor == poller.asUnownedTaskExecutor()
            ? Task(executorPreference: poller) { await self.run(pending, body) }
            : Task { await self.run(pending, body) }
        state.withLock { ($0.task, $0.oneShotClaim) = (task, body.oneShotClaim) }
    }

    /// Ends the upload and takes the stream away from it. If the body can be read only once, but its producer was not
    /// yet asked for content, another request can still send the body.
    func detach() {
        let (task, unreadClaim) = state.withLock { state in
            let isUnread = state.stream != nil && !state.hasProduced
            state.stream = nil
            if case .running = state.status { state.status = .stopped }
            return (state.task, isUnread ? state.oneShotClaim : nil)
        }
        task?.cancel()
        unreadClaim?.unreserve()
    }

    /// Waits until everything was sent or sending has failed, but no longer than the deadline. Needed even if the whole
    /// response has arrived: the sending task may not have recorded yet that it sent the last byte.
    ///
    /// - Returns: `ready` if the upload has ended.
    @discardableResult
    func waitUntilEnded(_ deadline: MonotonicTime) async -> WaitPoint.Wake {
        while case .running = status {
            let wake = await ended.sleep(until: deadline)
            guard wake == .ready else { return wake }
        }
        return .ready
    }

    /// Ends the upload because the connection was shut down.
    func breakOff() { end(.broken(.closed)) }

    // MARK: The sending task

    private func run(_ pending: Bytes, _ body: OutgoingRequest.Body) async {
        do throws(SockeyeError) {
            try await send(CollectionOfOne(pending), as: OutgoingPiece(framing: pending.count))
            // Reports the content that was written together with the head.
            report(state.withLock(\.sent))
            guard beginProducing() else { throw connectionBroke(.closed) }
            try await produce(body)
            try await finish(body)
            end(.finished)
        } catch {
            end(.failed(error))
        }
    }

    /// Records that the producer will be asked for content. Returns false and records nothing after ``detach()``.
    private func beginProducing() -> Bool {
        state.withLock { state in
            state.hasProduced = state.stream != nil
            return state.hasProduced
        }
    }

    private func produce(_ body: OutgoingRequest.Body) async throws(SockeyeError) {
        do {
            try await body.produce(into: self)
        } catch {
            throw SockeyeError.bodyFailed("the producer of the request body failed", error)
        }
    }

    private func finish(_ body: OutgoingRequest.Body) async throws(SockeyeError) {
        switch framing {
        case .none: break
        case .length(let declared):
            let sent = state.withLock { $0.sent }
            guard sent == declared else {
                throw .bodyLengthMismatch("the body ended before its declared length", declared: declared, seen: sent)
            }
        case .chunked:
            var trailers = Headers()
            do {
                if let make = body.trailers { trailers = try await make() }
                let end = try ChunkedEncoder.end(trailers: trailers)
                try await send(CollectionOfOne(end), as: OutgoingPiece(framing: end.count))
            } catch let fault as RequestFault {
                throw SockeyeError(fault).with { $0.phase = .send }
            } catch {
                throw SockeyeError.bodyFailed("the producer of the trailers failed", error)
            }
        }
    }

    /// Records the end, once. If the body failed or a deadline passed, aborts the stream, which ends the reading half.
    private func end(_ status: Status) {
        let stream: (any ByteStream)? = state.withLock { state in
            guard case .running = state.status else { return nil }
            state.status = status
            return state.stream
        }
        if case .failed = status { stream?.abort() }
        // Wakes the wait for the head, which then fails: the server waits for the rest of the request.
        if case .broken(let error) = status, error.isOutOfResources {
            stream?.waitPoint(for: .read, as: .reader).offer(.read, to: .reader)
        }
        if case .finished = status, stream != nil { observer?.sentRequest(in: exchange) }
        ended.signal()
    }

    // MARK: BodySink

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        try await write(contentsOf: CollectionOfOne(chunk), count: chunk.count)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(contentsOf chunks: [Chunk]) async throws(SockeyeError) {
        try await write(contentsOf: chunks, count: chunks.reduce(0) { $0 + $1.count })
    }

    var gathersChunks: Bool { true }

    func fail(_ error: SockeyeError) { end(.failed(error)) }

    private func write<Chunks: Collection & Sendable>(
        contentsOf chunks: Chunks, count: Int
    ) async throws(SockeyeError) where Chunks.Element: Collection<UInt8> & Sendable {
        guard count > 0 else { return }
        try checkRoom(for: count)
        let piece = declaredLength == nil ? OutgoingPiece(chunk: count) : OutgoingPiece(content: count)
        // A collection that is not contiguous is copied here once, instead of again at each write that the connection
        // takes only in part.
        if chunks.allSatisfy({ $0.withContiguousStorageIfAvailable({ _ in }) != nil }) {
            try await send(chunks, as: piece)
        } else {
            try await send(chunks.map { Bytes($0) }, as: piece)
        }
    }

    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        try checkRoom(for: count)
        // No sendfile for a chunked body: writing its framing separately would cost nearly as much as reading the file.
        let sent = declaredLength == nil ? 0 : try await sendDirectly(count, of: &file)
        try await copy(count - sent, of: &file)
    }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        // A body that pauses on purpose is not stalled.
        state.withLock { $0.lastProgress = max($0.lastProgress, deadline) }
        var end: MonotonicTime
        repeat {
            // The arrival of the response head may lift the time limit of the attempt meanwhile.
            end = .earlier(deadline, deadlines.total)
            do throws(TransportError) {
                try await poller.sleep(until: end)
            } catch {
                throw failed(with: SockeyeError(error, phase: .send))
            }
            if let error = deadlines.exceeded(in: .send) { throw failed(with: error) }
        } while end < deadline
    }

    /// Ends the upload, so that a producer that ignores the error sends nothing more.
    private func failed(with error: SockeyeError) -> SockeyeError {
        end(.failed(error))
        return error
    }

    private func checkRoom(for count: Int) throws(SockeyeError) {
        guard let declared = declaredLength else { return }
        let sent = state.withLock { $0.sent }
        guard count > declared - sent else { return }
        let (seen, overflow) = sent.addingReportingOverflow(count)
        // Ends the upload: otherwise the producer could skip the refused piece and send a later one that fits.
        throw failed(
            with: .bodyLengthMismatch(
                "the body is longer than declared", declared: declared, seen: overflow ? nil : seen))
    }

    /// Sends a file range by range (sendfile), so that ``detach()`` gets the lock in between. Parts outside the
    /// system's cache are read and sent as pieces, because sendfile would wait for the disk. Returns the number of
    /// bytes sent: less than `count` if the stream must process the bytes itself, or the file ends.
    private func sendDirectly(_ count: Int, of file: inout FileReader) async throws(SockeyeError) -> Int {
        let (descriptor, start) = (file.descriptor, file.offset)
        var sent = 0
        // The number of bytes from `start` in the system's cache. Reset after a wait, because the cache changes.
        var cached = 0
        while sent < count {
            try await gate?.pass(.send)
            if sent >= cached { cached = sent + (file.cachedCount(atMost: min(count - sent, Self.largestRange)) ?? 0) }
            guard sent < cached else {
                guard let piece = try await file.read(atMost: count - sent) else { break }
                try await send(CollectionOfOne(piece), as: OutgoingPiece(content: piece.count))
                sent += piece.count
                continue
            }
            let range = cached - sent
            let transfer = attempt { stream in
                let transfer = stream.write(file: descriptor, from: start + sent, count: range)
                guard case .bytes(let count) = transfer else { return (transfer, 0) }
                return (transfer, count)
            }
            guard let transfer else { break }
            if case .bytes(0) = transfer { break }
            let moved = try await waitIfBlocked(transfer)
            if moved == 0 { cached = 0 }
            sent += moved
            file.skip(moved)
        }
        return sent
    }

    private static let largestRange = 1 << 20

    /// Sends a piece, waiting whenever the connection is full. Generic asynchronous code is costly, so the work for
    /// each piece is in ``advance(_:_:)``, which is neither generic nor asynchronous.
    private func send<Chunks: Collection & Sendable>(
        _ chunks: Chunks, as outgoing: OutgoingPiece
    ) async throws(SockeyeError) where Chunks.Element: Collection<UInt8> {
        var piece = outgoing
        while true {
            let blocked: Transfer? = unsafe ContiguousChunks.withBytes(of: chunks) { unsafe advance(&piece, $0) }
            guard let blocked else { return }
            do throws(SockeyeError) { _ = try await waitIfBlocked(blocked) } catch {
                // No other piece may follow a piece that was sent only in part.
                throw failed(with: error)
            }
        }
    }

    /// Writes as much of a piece as the connection takes, or nothing while the gate is shut. Nil if all of it was sent.
    private func advance(
        _ piece: inout OutgoingPiece, _ contents: UnsafeBufferPointer<UnsafeRawBufferPointer>
    ) -> Transfer? {
        while !piece.isSent {
            if gate?.isShut == true { return .bytes(0) }
            let transfer = attempt { unsafe piece.write(contents, to: $0) }
            guard case .bytes = transfer else { return transfer }
        }
        return nil
    }

    private var declaredLength: Int? {
        if case .length(let length) = framing { length } else { nil }
    }

    /// Writes to the stream, unless it was detached or the upload has ended, and counts the sent content. Nil if the
    /// stream cannot send files directly.
    private func attempt(_ write: (any ByteStream) -> (Transfer?, content: Int)) -> Transfer? {
        let (transfer, total): (Transfer?, Int?) = state.withLock { state in
            guard let stream = state.stream, case .running = state.status else { return (.failed(.closed), nil) }
            let (transfer, content) = write(stream)
            guard content > 0 else { return (transfer, nil) }
            state.sent += content
            state.lastProgress = time.now
            return (transfer, state.sent)
        }
        if let total { report(total) }
        return transfer
    }

    private func report(_ total: Int) {
        guard total > 0 else { return }
        onProgress?(total)
        observer?.sentBody(total, of: declaredLength, in: exchange)
    }

    /// Waits if the stream is blocked or the gate is shut. Returns the number of bytes that were sent.
    private func waitIfBlocked(_ transfer: Transfer) async throws(SockeyeError) -> Int {
        switch transfer {
        case .bytes(let count):
            try await gate?.pass(.send)
            return count
        case .wouldBlock(let interest):
            try await wait(for: interest)
            return 0
        case .end: throw connectionBroke(.closed)
        case .failed(let error): throw connectionBroke(error)
        }
    }

    /// Waits until the connection takes more bytes. Throws if no byte of either body moves within the stall time-out,
    /// or if the deadline of the call or of its attempt passes.
    private func wait(for interest: Interest) async throws(SockeyeError) {
        let begun = time.now
        var end = endOfWait(from: begun)
        while true {
            do throws(TransportError) {
                return try await stream.wait(for: interest, as: .writer, until: end)
            } catch {
                guard error == .timedOut else { throw connectionBroke(error) }
                end = endOfWait(from: begun)
                let deadlines = deadlines
                if end <= time.now { throw deadlines.error(.send, limit: deadlines.limits.stall, name: "stall") }
            }
        }
    }

    private func endOfWait(from begun: MonotonicTime) -> MonotonicTime {
        let deadlines = deadlines
        return .earlier(deadlines.total, max(begun, lastProgress).deadline(after: deadlines.limits.stall))
    }

    private var deadlines: RequestDeadlines { state.withLock { $0.deadlines } }

    /// Records that the connection accepts no more bytes. The error stops the producer, but the exchange continues with
    /// its response.
    private func connectionBroke(_ error: TransportError) -> SockeyeError {
        end(.broken(error))
        return SockeyeError(error, phase: .send)
    }
}
