import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// Performs the exchanges of a request, each over its own lease of a connection, up to the head of the response.
///
/// The caller's own task writes, waits and reads; only a body that does not fit into the first write gets a task of its
/// own (``Upload``). After any failure the connection is returned to the pool as closed.
struct ExchangeRunner: ~Copyable {
    let pool: ConnectionPool
    /// The request as the next exchange sends it.
    var request: PreparedRequest

    /// Performs one exchange. The loop stays in one function: each further asynchronous function before the response
    /// would cost another async frame, and an executor check on its return.
    ///
    /// - Parameters:
    ///   - begun: The time at which the connection was obtained.
    ///   - added: The fields added by policies.
    func run(
        on lease: ConnectionPool.Lease, from begun: MonotonicTime, adding added: borrowing FieldLineBuffer
    ) async throws(ExchangeFailure) -> ExchangeOutcome {
        var state = ExchangeState(request, on: lease)
        let stream = lease.connection.stream
        var isGivenBack = false
        do throws(ExchangeFailure) {
            let readsFirst = lease.isReused ? false : try takeEarlyBytes(&state, from: stream)
            // The wait for the connection may have used up all the time.
            if begun >= request.deadlines.total, let error = request.deadlines.exceeded(in: .prepare) {
                throw ExchangeFailure(error)
            }
            try state.sender.begin(request, adding: added, on: lease.connection, &state.receiver.machine)
            var headDeadline = HeadDeadline(request, from: begun, holdsBody: state.receiver.machine.holdsBody)
            // A connection that was quiet a moment ago has nothing to read: wait before reading.
            var interest: Interest? = state.sender.writeFailure == nil && !readsFirst ? .read : nil
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
                case .done(let delivery):
                    guard let rest = delivery.connectionReturn else { return delivery.outcome }
                    await rest.finish(&state, to: pool, deadlines: request.deadlines)
                    isGivenBack = true
                    try end(with: delivery.outcome, state)
                    return delivery.outcome
                }
            }
        } catch {
            throw isGivenBack ? error : await fail(with: error, state)
        }
    }

    /// Ends an exchange after its response is complete and its connection has gone back to the pool.
    private func end(with outcome: ExchangeOutcome, _ state: ExchangeState) throws(ExchangeFailure) {
        if case .response(let response) = outcome { try state.sender.checkBody(behind: response) }
        request.observer?.exchangeEnded(in: request.exchange, received: state.receiver.reader.received)
    }

    private func fail(with failure: ExchangeFailure, _ state: ExchangeState) async -> ExchangeFailure {
        let lease = state.lease
        state.sender.detach()
        lease.connection.close()
        let isShutDown = lease.connection.isShutDown
        if lease.isReused, failure.isConnectionLoss, failure.isBeforeResponse, !isShutDown {
            await pool.closedByPeer(lease)
        } else {
            await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
        }
        return isShutDown ? ExchangeFailure(.shutDown(failure.error.phase)) : failure
    }

    private func takeEarlyBytes(
        _ state: inout ExchangeState, from stream: any ByteStream
    ) throws(ExchangeFailure) -> Bool {
        do throws(ResponseReader.Fault) {
            return try state.receiver.takeEarlyBytes(from: stream)
        } catch {
            throw state.failure(of: error, port: request.url.port)
        }
    }

    private enum Step {
        case wait(Interest)
        /// A 101, or a 2xx to CONNECT, arrived while the request is being written. Indirect, so that the other steps
        /// stay small.
        indirect case awaitUpload(ResponseHead)
        case done(ResponseDelivery)
    }

    /// Reads until there is nothing to read, or a final head has been handled.
    private func step(
        _ state: inout ExchangeState, on stream: any ByteStream
    ) throws(ExchangeFailure) -> Step {
        var interest = Interest.read
        while true {
            let head: ResponseHead?
            do throws(ResponseReader.Fault) {
                head = try state.receiver.nextHead(from: stream, orWaitFor: &interest)
            } catch {
                throw state.failure(of: error, port: request.url.port)
            }
            switch consume head {
            case nil:
                if let shortage = state.shortage { throw shortage }
                return .wait(interest)
            case let head?: if let done = try act(on: head, &state) { return done }
            }
        }
    }

    /// Acts on a head. Returns nil if another head follows.
    private func act(
        on head: consuming ResponseHead, _ state: inout ExchangeState
    ) throws(ExchangeFailure) -> Step? {
        let action: HeadAction
        do throws(ResponseReader.Fault) {
            action = try state.receiver.action(on: head, sender: state.sender, for: request)
        } catch {
            throw state.failure(of: error, port: request.url.port)
        }
        switch action {
        case .keepReading, .interim: return nil
        case .sendBody:
            try state.sender.sendBody(of: request, on: state.lease.connection)
            return nil
        case .final(let framing, let stopsUpload):
            if stopsUpload { state.sender.detach() } else { state.sender.headArrived() }
            return .done(try .respond(head, framing, to: request, &state, pool))
        case .expectationFailed(let framing):
            // After `expectationRefused` the request is sent again without Expect. If the body was already sent and
            // cannot be replayed, the 417 is the response instead.
            guard state.receiver.machine.hasSentBody, !request.body.isReplayable else {
                throw .expectationRefused
            }
            state.sender.detach()
            return .done(try .respond(head, framing, to: request, &state, pool))
        case .awaitUpload: return .awaitUpload(head)
        case .switchProtocols:
            do throws(SockeyeError) { try ResponseAssembly.checkProtocol(of: head, for: request) } catch {
                throw ExchangeFailure(error)
            }
            return .done(.handOver(head, to: request, state, pool))
        case .tunnel: return .done(.handOver(head, to: request, state, pool))
        }
    }

    /// Handles a failure of the wait for the head. After a time-out, a body that waits for the server's permission
    /// (Expect) is sent, and the deadline is extended. The deadline is also extended if the upload has made progress or
    /// the caller has paused the transfer. In all other cases, and always after the deadline of the call or of its
    /// attempt, the failure is thrown.
    private func extend(
        _ headDeadline: inout HeadDeadline, after error: TransportError, _ state: inout ExchangeState
    ) throws(ExchangeFailure) {
        // If the time of this attempt is over, a body that waits for permission stays unsent: the call may have time
        // left for another attempt, which can then send it.
        guard error == .timedOut, request.deadlines.exceeded(in: .head) == nil else {
            throw state.failure(ofWait: error, request.deadlines)
        }
        if state.receiver.machine.expectationTimerFired() {
            try state.sender.sendBody(of: request, on: state.lease.connection)
            headDeadline.permissionIsDue()
        } else if !headDeadline.extend(request, lastProgress: state.sender.lastProgress) {
            throw state.failure(ofWait: error, request.deadlines)
        }
    }

    /// Waits until the upload has ended, then hands the connection over.
    ///
    /// The wait is needed even if the server has received the whole request: its response may arrive before the sending
    /// task records that it wrote the last byte. The deadline of the head limits this wait as well.
    private func switchProtocols(
        _ head: ResponseHead, _ headDeadline: inout HeadDeadline, _ state: inout ExchangeState
    ) async throws(ExchangeFailure) -> ExchangeOutcome {
        // If the connection is shut down, the upload is ended directly: a suspended producer of the request body would
        // not notice that the connection has ended.
        let connection = state.lease.connection
        connection.whenShutDown { [upload = state.sender.upload] in upload?.breakOff() }
        defer { connection.whenShutDown(nil) }
        while state.sender.isUploading {
            let wake = await state.sender.waitUntilEnded(headDeadline.deadline)
            do throws(TransportError) { try wake.check() } catch { try extend(&headDeadline, after: error, &state) }
        }
        try state.sender.checkUpload()
        guard case .done(let delivery)? = try act(on: head, &state) else {
            throw ExchangeFailure(SockeyeError(PeerFault.unexpectedUpgrade, phase: .head))
        }
        return delivery.outcome
    }
}
