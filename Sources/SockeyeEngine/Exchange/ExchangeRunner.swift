import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The exchanges of a request, each on a connection of its own, up to the head of the response.
///
/// The caller's own task writes, waits and reads; only a body that does not fit into the first write gets a task of its
/// own (``Upload``). After any failure the connection is returned to the pool as closed.
struct ExchangeRunner: ~Copyable {
    let pool: ConnectionPool
    /// The request as the next exchange sends it.
    var request: PreparedRequest

    private var deadlines: RequestDeadlines { _read { yield request.deadlines } }

    /// A single loop in a single frame: every further asynchronous function before the response would cost a frame of
    /// its own and an executor check on its return.
    ///
    /// - Parameters:
    ///   - begun: The time at which the connection was obtained.
    ///   - added: The fields added by policies.
    func run(
        on lease: ConnectionPool.Lease, from begun: MonotonicTime, adding added: borrowing FieldLineBuffer
    ) async throws(ExchangeFailure) -> ExchangeOutcome {
        var state = ExchangeState(
            lease: lease, machine: ExchangeMachine(request.facts),
            responseReader: ResponseReader(limits: request.wireLimits, tolerances: request.tolerances))
        let stream = lease.connection.stream
        var isGivenBack = false
        do throws(ExchangeFailure) {
            let isEarly = lease.isReused ? false : try takeEarlyBytes(&state, from: stream)
            try begin(&state, at: begun, on: stream, adding: added)
            var headDeadline = HeadDeadline(request, from: begun, holdsBody: state.machine.holdsBody)
            // A connection that was quiet a moment ago has nothing to read: wait before reading.
            var interest: Interest? = state.sendFailure == nil && !isEarly ? .read : nil
            while true {
                if let interest {
                    let wake = await stream.waitPoint(for: interest, as: .reader)
                        .wait(for: interest, as: .reader, until: headDeadline.deadline)
                    do throws(TransportError) { try wake.check() } catch {
                        try extend(&headDeadline, after: error, &state)
                        continue
                    }
                }
                switch try step(&state, on: stream) {
                case .wait(let next): interest = next
                case .awaitUpload(let head): return try await switchProtocols(head, &headDeadline, &state)
                case .done(let outcome, nil): return outcome
                case .done(let outcome, let rest?):
                    await rest.finish(&state, to: pool, deadlines: deadlines)
                    isGivenBack = true
                    try checkBody(behind: outcome, state)
                    request.observer?.exchangeEnded(received: state.responseReader.received)
                    return outcome
                }
            }
        } catch {
            throw isGivenBack ? error : await fail(with: error, state)
        }
    }

    /// If the body failed on our side after an early successful response, the exchange has failed: only a part of the
    /// body was sent.
    private func checkBody(behind outcome: ExchangeOutcome, _ state: ExchangeState) throws(ExchangeFailure) {
        guard let error = state.uploadError, case .response(let response) = outcome,
            response.status.kind == .successful
        else { return }
        throw ExchangeFailure(error)
    }

    private func fail(with failure: ExchangeFailure, _ state: ExchangeState) async -> ExchangeFailure {
        let lease = state.lease
        stop(state.upload)
        lease.connection.close()
        let isShutDown = lease.connection.isShutDown
        if lease.isReused, failure.isConnectionLoss, failure.isBeforeResponse, !isShutDown {
            await pool.closedByPeer(lease)
        } else {
            await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
        }
        return isShutDown ? ExchangeFailure(.shutDown(failure.error.phase)) : failure
    }

    // MARK: Sending

    /// Reads bytes that arrived on a new connection before its first request. Returns true if there were any.
    ///
    /// They are the beginning of the response, as in curl. A server may respond before it has read the request (408,
    /// 421, or 503 of an overloaded server). It is chance if such a response arrives just before the request or just
    /// after it. The connection had no earlier request that the bytes could answer. It is not reused, because another
    /// response to this request may follow (RFC 9112 9.2).
    ///
    /// Bytes that cannot begin a response fail the exchange before anything is sent. Reused connections were checked
    /// when they were taken (``OriginConnection/hasReceivedNothing()``). An end of the stream or an alert is left to
    /// the read after the request.
    private func takeEarlyBytes(
        _ state: inout ExchangeState, from stream: any ByteStream
    ) throws(ExchangeFailure) -> Bool {
        guard !stream.hasNothingToRead else { return false }
        do throws(ResponseReader.Fault) {
            guard try state.responseReader.readAhead(from: stream) else { return false }
        } catch {
            throw failure(error, &state)
        }
        state.machine.receivedEarlyBytes()
        return true
    }

    private func begin(
        _ state: inout ExchangeState, at begun: MonotonicTime, on stream: any ByteStream,
        adding added: borrowing FieldLineBuffer
    ) throws(ExchangeFailure) {
        // The wait for the connection may have used up all the time.
        if begun >= deadlines.total, let error = deadlines.exceeded(in: .prepare) { throw ExchangeFailure(error) }
        let file = state.machine.holdsBody ? nil : try readShortFile()
        var inMemory = file ?? Bytes()
        if case .bytes(let bytes) = request.body.source, !state.machine.holdsBody { inMemory = bytes }
        let first: HeadWrite
        do throws(RequestFault) {
            first = try HeadWrite.perform(request, adding: added, body: inMemory, to: stream)
        } catch {
            throw ExchangeFailure(SockeyeError(error))
        }
        state.isUnsent = first.isUnsent
        if first.hasFailed {
            state.sendFailure = first.failure
            state.machine.uploadFailed()
        } else if state.machine.holdsBody {
            // A head too long for one write: its rest and the body are sent together, without waiting for permission.
            if !first.pendingHead.isEmpty, state.machine.expectationTimerFired() {
                try startUpload(&state, pending: first.pendingHead)
            }
        } else if first.isComplete, file != nil || !request.body.isProduced {
            if !inMemory.isEmpty {
                request.options.onBodyProgress?(inMemory.count)
            }
            request.observer?.sentRequest(withBody: inMemory.count)
            state.machine.uploadFinished()
        } else {
            let body = file.map { OutgoingRequest.Body.bytes($0) }
            try startUpload(&state, body, pending: first.pendingHead, bodySent: first.bodySent)
        }
    }

    /// Returns the content of a file that is short enough to be sent with the head. Nil for every other body.
    private func readShortFile() throws(ExchangeFailure) -> Bytes? {
        do throws(SockeyeError) { return try request.body.readShortFile() } catch { throw ExchangeFailure(error) }
    }

    @inline(never)
    private func startUpload(
        _ state: inout ExchangeState, _ body: OutgoingRequest.Body? = nil, pending: Bytes = Bytes(), bodySent: Int = 0
    ) throws(ExchangeFailure) {
        do throws(TransportError) {
            let upload = try Upload(
                stream: state.lease.connection.stream, framing: request.framing, deadlines: deadlines,
                poller: state.lease.connection.poller, alreadySent: bodySent,
                onProgress: request.options.onBodyProgress,
                observer: request.observer)
            state.upload = upload
            request.body.oneShotClaim?.reserve()
            upload.start(pending: pending, (body ?? request.body).skipping(bodySent))
        } catch {
            throw ExchangeFailure(SockeyeError(error, phase: .send))
        }
    }

    /// Stops an upload. A one-shot body from which no content was requested can then be sent by another request.
    private func stop(_ upload: Upload?) {
        if let upload, !upload.detach() { request.body.oneShotClaim?.unreserve() }
    }

    // MARK: Receiving the head

    private enum Step {
        case wait(Interest)
        /// A 101 arrived while the request is being written. Indirect, so that the other steps stay small.
        indirect case awaitUpload(ResponseHead)
        /// The outcome, and the remaining steps for returning the connection.
        case done(ExchangeOutcome, ConnectionReturn?)
    }

    /// Reads until there is nothing to read, or a final head has been handled.
    private func step(
        _ state: inout ExchangeState, on stream: any ByteStream
    ) throws(ExchangeFailure) -> Step {
        var interest = Interest.read
        while true {
            let head: ResponseHead?
            do throws(ResponseReader.Fault) {
                head = try state.responseReader.nextHead(from: stream, orWaitFor: &interest)
            } catch {
                throw failure(error, &state)
            }
            switch consume head {
            case nil: return .wait(interest)
            case let head?: if let done = try handle(head, &state) { return done }
            }
        }
    }

    /// Extends the deadline of the head after a time-out: either the body is due now (Expect), or it still makes
    /// progress. Otherwise throws.
    private func extend(
        _ headDeadline: inout HeadDeadline, after error: TransportError, _ state: inout ExchangeState
    ) throws(ExchangeFailure) {
        guard error == .timedOut else { throw waitFailure(error, state) }
        if state.machine.expectationTimerFired() {
            try startUpload(&state)
            headDeadline.deadline = headDeadline.head
            return
        }
        // During an upload, the deadline of the head counts from the last progress of the body.
        guard let extended = uploadExtension(state), extended > deadlines.time.now else {
            throw waitFailure(error, state)
        }
        headDeadline.deadline = extended
    }

    private func uploadExtension(_ state: ExchangeState) -> MonotonicTime? {
        guard let upload = state.upload, deadlines.time.now < deadlines.total else { return nil }
        // A paused upload waits for its own side.
        if request.options.gate?.isShut == true { return deadlines.next(deadlines.limits.head) }
        return .earlier(deadlines.total, upload.lastProgress.deadline(after: deadlines.limits.head))
    }

    // MARK: Heads

    /// Acts on a head. Nil after an interim head: the caller reads on.
    private func handle(_ head: consuming ResponseHead, _ state: inout ExchangeState) throws(ExchangeFailure) -> Step? {
        state.noteUpload()
        let action: HeadAction
        do throws(PeerFault) {
            action = try state.machine.receivedHead(head.summary)
        } catch {
            throw ExchangeFailure(SockeyeError(error, phase: .head, received: state.responseReader.received))
        }
        switch action {
        case .keepReading:
            return nil
        case .interim(let status):
            request.options.onInterim?(
                IncomingResponse.Interim(status: .init(code: status), headers: head.makeFields()))
            return nil
        case .sendBody:
            request.options.onInterim?(IncomingResponse.Interim(status: .continue, headers: head.makeFields()))
            try startUpload(&state)
            return nil
        case .final(let framing, let stopsUpload):
            if stopsUpload { stop(state.upload) }
            return try respond(head, framing, &state)
        case .expectationFailed(let framing):
            // A body that was already sent is sent again if it is replayable; otherwise the refusal is the response.
            guard state.machine.hasSentBody, !request.body.isReplayable else {
                throw ExchangeFailure(
                    SockeyeError(
                        .init(.invalidRequest, phase: .send, blame: .peer, message: "the server refused Expect (417)")),
                    isExpectationRefusal: true)
            }
            stop(state.upload)
            return try respond(head, framing, &state)
        case .awaitUpload: return .awaitUpload(head)
        case .switchProtocols:
            try checkProtocol(of: head)
            return .done(handOver(head, state), nil)
        case .tunnel: return .done(handOver(head, state), nil)
        }
    }

    /// Waits for the end of the upload, because a 101 may arrive before it, and hands the connection over.
    ///
    /// The server may have the last byte of the request before the sending task records that it wrote that byte. The
    /// deadline of the head limits this wait as well.
    private func switchProtocols(
        _ head: ResponseHead, _ headDeadline: inout HeadDeadline, _ state: inout ExchangeState
    ) async throws(ExchangeFailure) -> ExchangeOutcome {
        // The producer may be stuck, so that it does not notice the end of the stream.
        let connection = state.lease.connection
        connection.whenShutDown { [upload = state.upload] in upload?.breakOff() }
        defer { connection.whenShutDown(nil) }
        while let upload = state.upload, case .running = upload.status {
            let wake = await upload.waitUntilEnded(headDeadline.deadline)
            do throws(TransportError) { try wake.check() } catch { try extend(&headDeadline, after: error, &state) }
        }
        switch state.upload?.status {
        case .failed(let error): throw ExchangeFailure(error)
        case .broken(let error): throw ExchangeFailure(SockeyeError(error, phase: .send))
        case nil, .running, .finished, .stopped: break
        }
        guard case .done(let outcome, _)? = try handle(head, &state) else {
            throw ExchangeFailure(SockeyeError(PeerFault.unexpectedUpgrade, phase: .head))
        }
        return outcome
    }

    /// Checks that the server switches to a protocol that the request offered (RFC 9110 7.8).
    private func checkProtocol(of head: borrowing ResponseHead) throws(ExchangeFailure) {
        let chosen = head.values(of: .upgrade)
        guard !request.offered(for: chosen) else { return }
        let isNamed = chosen.contains { !$0.isEmpty }
        throw ExchangeFailure(
            SockeyeError(isNamed ? PeerFault.upgradeToOtherProtocol : .upgradeWithoutProtocol, phase: .head))
    }

    private func handOver(_ head: ResponseHead, _ state: ExchangeState) -> ExchangeOutcome {
        let connection = UpgradedConnection(
            lease: state.lease, pool: pool, received: state.responseReader.unconsumedBytes,
            stall: deadlines.limits.stall)
        let response = IncomingResponse(
            ResponseStorage(
                head: head, hidesCoding: false, request: request.identity, started: deadlines.started,
                tls: state.lease.connection.tls, body: BodyContent(expectedLength: nil),
                handover: request.upgrade.map { _ in ConnectionHandover(connection) }))
        if let observer = request.observer {
            observer.receivedHead(response)
            observer.exchangeEnded(received: state.responseReader.received)
        }
        return .upgraded(response, connection)
    }

    /// Creates the response. If it is complete, the connection is released before the caller sees the response.
    private func respond(
        _ head: consuming ResponseHead, _ framing: BodyFraming, _ state: inout ExchangeState
    ) throws(ExchangeFailure) -> Step {
        // All refusals happen here. Afterwards the connection belongs to the pool or to the body, which are responsible
        // for returning it.
        let codings: [ContentCoding]
        do throws(SockeyeError) {
            codings = try ResponseAssembly.check(head, framing, for: request)
        } catch {
            throw ExchangeFailure(error)
        }
        state.responseReader.beginBody(framing)
        let first = state.responseReader.bufferedBody()
        let isComplete = state.responseReader.isBodyFinished
        let source =
            isComplete
            ? nil
            : ResponseBodySource(
                state: state, pool: pool, deadlines: deadlines.afterHead, observer: request.observer)
        let response = ResponseAssembly.response(
            head, framing, to: request, undoing: codings, first: first, source: source,
            trailers: isComplete ? state.responseReader.trailers : nil, tls: state.lease.connection.tls)
        if let observer = request.observer {
            observer.receivedHead(response)
            observer.receivedBody(first.count)
        }
        guard isComplete else { return .done(.response(response), nil) }
        if state.upload != nil { try checkBody(behind: .response(response), state) }
        let rest = ConnectionReturn.settle(&state, to: pool)
        // If the body is still being sent, its progress is reported further.
        if rest == nil { request.observer?.exchangeEnded(received: state.responseReader.received) }
        return .done(.response(response), rest)
    }

    // MARK: Failures

    private func failure(_ fault: ResponseReader.Fault, _ state: inout ExchangeState) -> ExchangeFailure {
        if let error = state.uploadError { return ExchangeFailure(error) }
        let isBeforeResponse = state.responseReader.received == 0
        let phase = state.phase
        // The upload may since have written the bytes that the first write left over.
        let isUnsent = state.isUnsent && state.upload == nil
        switch fault {
        case .peer(let fault):
            var error = SockeyeError(fault, phase: phase, received: state.responseReader.received)
            if let met = state.tlsInstead(of: fault, at: request.url.port) { error = error.with { $0.message = met } }
            return ExchangeFailure(
                error, isBeforeResponse: isBeforeResponse, isConnectionLoss: fault == .closedBeforeResponse,
                isUnsent: isUnsent
            )
        case .transport(let error):
            // An alert explains why the write failed; the loss of the connection tells no more than the failed write.
            let cause = error.isConnectionLoss ? state.sendFailure ?? error : error
            return ExchangeFailure(
                SockeyeError(cause, phase: phase), isBeforeResponse: isBeforeResponse,
                isConnectionLoss: error.isConnectionLoss, isUnsent: isUnsent)
        }
    }

    private func waitFailure(_ error: TransportError, _ state: ExchangeState) -> ExchangeFailure {
        if let error = state.uploadError { return ExchangeFailure(error) }
        guard error == .timedOut else { return ExchangeFailure(SockeyeError(error, phase: state.phase)) }
        let exceeded = deadlines.exceeded(in: state.phase)
        let error = exceeded ?? deadlines.error(.head, limit: deadlines.limits.head, name: "head")
        guard state.responseReader.received == 0, state.lease.connection.stream.isUnacknowledged else {
            return ExchangeFailure(error)
        }
        // For example a NAT or firewall that has dropped the flow, or a host that has disappeared.
        return ExchangeFailure(
            error.with { fields in
                fields.blame = .network
                fields.message += "; the network did not deliver the request, or lost its acknowledgement"
            })
    }
}
