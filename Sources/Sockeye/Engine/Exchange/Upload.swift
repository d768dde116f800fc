import SockeyeCore
import SockeyeHTTP1
import SockeyeTransport
import Synchronization

/// The sending half of an exchange whose body does not fit into the first write.
///
/// It runs in a task of its own, so that the answer can be read meanwhile: an early refusal stops the producer, a full
/// duplex peer is answered and heard at once. The stream is used only under the lock and can be taken away with
/// ``detach()``; so nobody has to wait for a producer that does not return before the descriptor may be closed.
final class Upload: BodySink, Sendable {
    enum Status: Sendable {
        case running
        case finished
        /// The answer made the rest pointless, or the exchange is over.
        case stopped
        /// The caller's body or a deadline of ours failed: the exchange cannot go on.
        case failed(SockeyeError)
        /// The connection does not take any more. An answer may be there all the same (RFC 9112 9.6).
        case broken(TransportError)
    }

    private struct State {
        var stream: (any ByteStream)?
        var status = Status.running
        var sent = 0
        var lastProgress: MonotonicTime
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let framing: RequestFraming
    private let deadlines: Deadlines
    private let onProgress: (@Sendable (Int) -> Void)?
    private let stream: any ByteStream
    /// Signalled at the end, for whoever waits for it.
    private let ended: Sleeper

    init(
        stream: any ByteStream, framing: RequestFraming, deadlines: Deadlines, poller: any Poller,
        alreadySent: Int, onProgress: (@Sendable (Int) -> Void)?
    ) throws(TransportError) {
        self.stream = stream
        self.framing = framing
        self.deadlines = deadlines
        self.onProgress = onProgress
        ended = try Sleeper(poller: poller)
        state = Mutex(State(stream: stream, sent: alreadySent, lastProgress: deadlines.time.now))
    }

    // MARK: For the reading half

    var status: Status { state.withLock { $0.status } }
    var lastProgress: MonotonicTime { state.withLock { $0.lastProgress } }

    /// Starts sending: `pending` first, which is what is left of the head, then what the producer yields.
    func start(pending: Bytes, _ body: RequestBody) {
        let task = Task { await self.run(pending, body) }
        state.withLock { $0.task = task }
    }

    /// Ends the upload wherever it is and takes the stream away from it.
    func detach() {
        let task = state.withLock { state in
            state.stream = nil
            if case .running = state.status { state.status = .stopped }
            return state.task
        }
        task?.cancel()
    }

    /// Waits until everything is sent or has failed, but no longer than the deadline. The answer to the last byte may
    /// well be here before our own task has noted that it sent it.
    func waitUntilEnded(_ deadline: MonotonicTime) async {
        while case .running = status {
            guard await ended.sleep(until: deadline) == .ready else { return }
        }
    }

    // MARK: The sending task

    private func run(_ pending: Bytes, _ body: RequestBody) async {
        do throws(SockeyeError) {
            try await send(pending, isContent: false)
            try await produce(body)
            try await finish(body)
            end(.finished)
        } catch {
            end(.failed(error))
        }
    }

    private func produce(_ body: RequestBody) async throws(SockeyeError) {
        do {
            switch body.source {
            case .none: break
            case .bytes(let bytes): try await write(bytes)
            case .producer(let producer): try await producer(self)
            }
        } catch let error as SockeyeError {
            throw error
        } catch {
            var fields = SockeyeError.Fields(
                .bodyFailed, phase: .send, blame: .caller, message: "the producer of the request body failed")
            fields.underlying = error
            throw SockeyeError(fields)
        }
    }

    private func finish(_ body: RequestBody) async throws(SockeyeError) {
        switch framing {
        case .none: break
        case .length(let declared):
            let sent = state.withLock { $0.sent }
            if sent != declared { throw Self.lengthMismatch(declared: declared, seen: sent) }
        case .chunked:
            var trailers = Headers()
            do {
                if let make = body.trailers { trailers = try await make() }
                try await send(ChunkedEncoder.end(trailers: trailers), isContent: false)
            } catch let error as SockeyeError {
                throw error
            } catch let fault as RequestFault {
                throw SockeyeError(fault)
            } catch {
                var fields = SockeyeError.Fields(
                    .bodyFailed, phase: .send, blame: .caller, message: "the producer of the trailers failed")
                fields.underlying = error
                throw SockeyeError(fields)
            }
        }
    }

    /// Notes the end, once. A failure that is not the connection's own ends the reading half as well.
    private func end(_ status: Status) {
        let stream: (any ByteStream)? = state.withLock { state in
            guard case .running = state.status else { return nil }
            state.status = status
            return state.stream
        }
        if case .failed = status { stream?.abort() }
        ended.signal()
    }

    // MARK: BodySink

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        let count = chunk.count
        guard count > 0 else { return }
        if case .length(let declared) = framing {
            let sent = state.withLock { $0.sent }
            if count > declared - sent { throw Self.lengthMismatch(declared: declared, seen: sent + count) }
            try await send(chunk, isContent: true)
        } else {
            try await sendChunk(chunk, count: count)
        }
    }

    private func sendChunk<Chunk: Collection<UInt8> & Sendable>(
        _ chunk: Chunk, count: Int
    ) async throws(SockeyeError) {
        let frame = ChunkFrame(size: count)
        let total = frame.overhead + count
        var offset = 0
        while offset < total {
            let transfer = try withBytes(of: chunk) { bytes in
                attempt { stream in
                    frame.write(to: stream, content: bytes, from: offset)
                }
            }
            offset += try await settle(transfer)
        }
        note(sent: count)
    }

    private func send<Chunk: Collection<UInt8> & Sendable>(
        _ chunk: Chunk, isContent: Bool
    ) async throws(SockeyeError) {
        let count = chunk.count
        var offset = 0
        while offset < count {
            let transfer = try withBytes(of: chunk) { bytes in
                attempt { $0.write(UnsafeRawBufferPointer(rebasing: bytes[offset...])) }
            }
            let written = try await settle(transfer)
            offset += written
            if isContent, written > 0 { note(sent: written) }
        }
    }

    /// The memory of a chunk. Collections without contiguous storage do not get here: see ``BodySink``.
    private func withBytes<Chunk: Collection<UInt8>>(
        of chunk: Chunk, _ body: (UnsafeRawBufferPointer) -> Transfer
    ) throws(SockeyeError) -> Transfer {
        if let transfer = chunk.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return transfer
        }
        // A copy per attempt is the price of an exotic collection; arrays, Data, slices and Bytes never pay it.
        return Array(chunk).withUnsafeBytes(body)
    }

    private func attempt(_ write: (any ByteStream) -> Transfer) -> Transfer {
        state.withLock { state in
            guard let stream = state.stream else { return .failed(.closed) }
            return write(stream)
        }
    }

    /// Waits where that is due. Returns the number of bytes that went out.
    private func settle(_ transfer: Transfer) async throws(SockeyeError) -> Int {
        switch transfer {
        case .bytes(let count):
            return count
        case .wouldBlock(let interest):
            do throws(TransportError) {
                try await stream.wait(
                    for: interest, as: .writer, until: deadlines.next(deadlines.timeouts.stall))
                return 0
            } catch {
                throw waitFailure(error)
            }
        case .end:
            throw breakOff(.closed)
        case .failed(let error):
            throw breakOff(error)
        }
    }

    private func waitFailure(_ error: TransportError) -> SockeyeError {
        switch error {
        case .timedOut: deadlines.error(.send, limit: deadlines.timeouts.stall, name: "stall")
        case .cancelled, .closed: breakOff(error)
        default: breakOff(error)
        }
    }

    /// The connection takes no more: the producer is stopped by the error, but the exchange goes on to its answer.
    private func breakOff(_ error: TransportError) -> SockeyeError {
        end(.broken(error))
        return SockeyeError(error, phase: .send)
    }

    private func note(sent count: Int) {
        let now = deadlines.time.now
        let total = state.withLock { state in
            state.sent += count
            state.lastProgress = now
            return state.sent
        }
        onProgress?(total)
    }

    private static func lengthMismatch(declared: Int, seen: Int) -> SockeyeError {
        var fields = SockeyeError.Fields(
            .bodyLengthMismatch, phase: .send, blame: .caller,
            message: seen > declared ? "the body is longer than declared" : "the body ended before its declared length")
        fields.limit = .init("length", configured: "\(declared) bytes", seen: "\(seen) bytes")
        return SockeyeError(fields)
    }
}
