import HTTPTypes
import SockeyeCompression
import SockeyeCore
import SockeyeHTTP1
import SockeyeTransport

/// Carries one request over one connection, up to the head of its answer.
///
/// The caller's own task writes, waits and reads; only a body that does not fit into the first write gets a task of its
/// own (``Upload``). Whatever fails gives the connection back to the pool as closed.
struct ExchangeRunner {
    let lease: ConnectionPool.Lease
    let pool: ConnectionPool
    let request: PreparedRequest

    private var stream: any ByteStream { lease.connection.stream }
    private var deadlines: Deadlines { request.deadlines }

    func run() async throws(ExchangeFailure) -> ExchangeOutcome {
        var state = ExchangeState(
            machine: ExchangeMachine(request.facts),
            reception: Reception(limits: request.wireLimits))
        do throws(ExchangeFailure) {
            try begin(&state)
            return try await answer(&state)
        } catch {
            state.upload?.detach()
            lease.connection.close()
            await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
            if lease.connection.isShutDown { throw ExchangeFailure(.shutDown(error.error.phase)) }
            throw error
        }
    }

    // MARK: Sending

    private func begin(_ state: inout ExchangeState) throws(ExchangeFailure) {
        var inMemory = Bytes()
        if case .bytes(let bytes) = request.body.source, !state.machine.holdsBody { inMemory = bytes }
        let first: FirstWrite
        do throws(RequestFault) {
            first = try FirstWrite.perform(request.makeHead(), body: inMemory, to: stream)
        } catch {
            throw ExchangeFailure(SockeyeError(error))
        }
        state.isUnsent = first.isUnsent
        state.sendFailure = first.failure
        if first.failure != nil {
            state.machine.uploadFailed()
        } else if state.machine.holdsBody {
            // A head too long for one write: its rest and the body go out together, without waiting for permission.
            if !first.pendingHead.isEmpty, state.machine.expectationTimerFired() {
                try startUpload(&state, pending: first.pendingHead)
            }
        } else if first.isComplete, !request.body.isProduced {
            if !inMemory.isEmpty { request.options.onBodyProgress?(inMemory.count) }
            state.machine.uploadFinished()
        } else {
            try startUpload(&state, pending: first.pendingHead, bodySent: first.bodySent)
        }
    }

    private func startUpload(
        _ state: inout ExchangeState, pending: Bytes = Bytes(), bodySent: Int = 0
    ) throws(ExchangeFailure) {
        do throws(TransportError) {
            let upload = try Upload(
                stream: stream, framing: request.framing, deadlines: deadlines, poller: lease.connection.poller,
                alreadySent: bodySent, onProgress: request.options.onBodyProgress)
            state.upload = upload
            upload.start(pending: pending, request.body.skipping(bodySent))
        } catch {
            throw ExchangeFailure(SockeyeError(error, phase: .send))
        }
    }

    // MARK: Receiving the head

    private func answer(_ state: inout ExchangeState) async throws(ExchangeFailure) -> ExchangeOutcome {
        let headDeadline = deadlines.next(deadlines.timeouts.head)
        let expectDeadline = deadlines.next(request.expectContinue)
        // Nothing can have come on a connection that was quiet a moment ago: wait before reading in vain.
        if state.sendFailure == nil {
            try await wait(for: .read, &state, head: headDeadline, expect: expectDeadline)
        }
        while true {
            switch try nextHead(&state) {
            case .wait(let interest):
                try await wait(for: interest, &state, head: headDeadline, expect: expectDeadline)
            case .head(let summary, let bytes):
                let head = ResponseHead(bytes: bytes, summary: summary)
                if let outcome = try await handle(head, &state) { return outcome }
            }
        }
    }

    private func nextHead(_ state: inout ExchangeState) throws(ExchangeFailure) -> Reception.HeadEvent {
        do throws(Reception.Fault) {
            return try state.reception.nextHead(from: stream)
        } catch {
            throw failure(error, &state)
        }
    }

    /// Waits for the answer, as long as the phase allows that is under way.
    private func wait(
        for interest: Interest, _ state: inout ExchangeState, head: MonotonicTime, expect: MonotonicTime
    ) async throws(ExchangeFailure) {
        var deadline = state.machine.holdsBody ? min(expect, head) : head
        while true {
            do throws(TransportError) {
                return try await stream.wait(for: interest, as: .reader, until: deadline)
            } catch {
                guard error == .timedOut else { throw waitFailure(error, state) }
                if state.machine.expectationTimerFired() {
                    try startUpload(&state)
                    deadline = head
                    continue
                }
                // A body that still moves keeps the clock of its answer from starting.
                guard let extended = uploadExtension(state), extended > deadlines.time.now else {
                    throw waitFailure(error, state)
                }
                deadline = extended
            }
        }
    }

    private func uploadExtension(_ state: ExchangeState) -> MonotonicTime? {
        guard let upload = state.upload, deadlines.time.now < deadlines.total else { return nil }
        return min(deadlines.total, upload.lastProgress.deadline(after: deadlines.timeouts.head))
    }

    // MARK: Heads

    /// Acts on a head. Nil: it was an interim one, read on.
    private func handle(
        _ head: ResponseHead, _ state: inout ExchangeState
    ) async throws(ExchangeFailure) -> ExchangeOutcome? {
        state.noteUpload()
        let action: HeadAction
        do throws(PeerFault) {
            action = try state.machine.receivedHead(head.summary)
        } catch {
            throw ExchangeFailure(SockeyeError(error, phase: .head))
        }
        switch action {
        case .keepReading:
            return nil
        case .interim(let status):
            request.options.onInterim?(
                InterimResponse(status: .init(code: status), headers: head.makeFields()))
            return nil
        case .sendBody:
            request.options.onInterim?(InterimResponse(status: .continue, headers: head.makeFields()))
            try startUpload(&state)
            return nil
        case .final(let framing, let stopsUpload):
            if stopsUpload { state.upload?.detach() }
            return .response(try await respond(head, framing, &state))
        case .expectationFailed(let framing):
            // A body that went out already goes again if it can; else the refusal is the answer.
            guard state.machine.hasSentBody, !request.body.isReplayable else {
                throw ExchangeFailure(
                    SockeyeError(
                        .init(.invalidRequest, phase: .send, blame: .peer, message: "the server refuses Expect")),
                    isExpectationRefusal: true)
            }
            state.upload?.detach()
            return .response(try await respond(head, framing, &state))
        case .switchProtocols, .tunnel:
            return handOver(head, state)
        }
    }

    private func handOver(_ head: ResponseHead, _ state: ExchangeState) -> ExchangeOutcome {
        let connection = UpgradedConnection(
            lease: lease, pool: pool, received: state.reception.surplus, stall: deadlines.timeouts.stall)
        let response = Response(
            head: ResponseStorage(head: head, hidesCoding: false, request: request.identity),
            reader: BodyReader(first: Bytes(), source: nil, expectedLength: nil))
        return .upgraded(response, connection)
    }

    /// The response: complete if all of it is here, so that the connection is free before the caller sees it.
    private func respond(
        _ head: ResponseHead, _ framing: BodyFraming, _ state: inout ExchangeState
    ) async throws(ExchangeFailure) -> Response {
        // Whatever is refused is refused here: further down the connection is the pool's or the body's, and giving it
        // back is theirs.
        let assembly: ResponseAssembly
        do throws(SockeyeError) {
            assembly = try ResponseAssembly(request: request, head: head, framing: framing)
        } catch {
            throw ExchangeFailure(error)
        }
        let first: Bytes
        do throws(Reception.Fault) {
            state.reception.beginBody(framing)
            first = try state.reception.bufferedBody()
        } catch {
            throw failure(error, &state, in: .body)
        }
        var source: (any BodySource)?
        var trailers: HTTPFields?
        if state.reception.isBodyFinished {
            trailers = state.reception.trailers
            await ExchangeEnd.settle(&state, lease: lease, pool: pool, deadlines: deadlines)
        } else {
            source = Exchange(state: state, lease: lease, pool: pool, deadlines: deadlines)
        }
        return assembly.response(first: first, source: source, trailers: trailers)
    }

    // MARK: Failures

    private func failure(
        _ fault: Reception.Fault, _ state: inout ExchangeState, in phase: SockeyeError.Phase? = nil
    ) -> ExchangeFailure {
        if let error = state.uploadError { return ExchangeFailure(error) }
        let isBeforeResponse = state.reception.received == 0
        let phase = phase ?? state.phase
        // What the first write left over, the upload may have written since.
        let isUnsent = state.isUnsent && state.upload == nil
        switch fault {
        case .peer(let fault):
            return ExchangeFailure(
                SockeyeError(fault, phase: phase, received: state.reception.received),
                isBeforeResponse: isBeforeResponse, isConnectionLoss: fault == .closedBeforeResponse, isUnsent: isUnsent
            )
        case .transport(let error):
            return ExchangeFailure(
                SockeyeError(state.sendFailure ?? error, phase: phase), isBeforeResponse: isBeforeResponse,
                isConnectionLoss: error.isConnectionLoss, isUnsent: isUnsent)
        }
    }

    private func waitFailure(_ error: TransportError, _ state: ExchangeState) -> ExchangeFailure {
        if let error = state.uploadError { return ExchangeFailure(error) }
        guard error == .timedOut else { return ExchangeFailure(SockeyeError(error, phase: state.phase)) }
        if let error = deadlines.exceeded(in: state.phase) { return ExchangeFailure(error) }
        return ExchangeFailure(deadlines.error(.head, limit: deadlines.timeouts.head, name: "head"))
    }
}
