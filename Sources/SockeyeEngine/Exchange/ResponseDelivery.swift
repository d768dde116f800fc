import SockeyeCore
import SockeyeHTTP

/// The outcome of an exchange, with the steps that remain for returning the connection.
struct ResponseDelivery {
    let outcome: ExchangeOutcome
    /// Nil if nothing remains to be done: the connection was released, or belongs to the body or the caller.
    let connectionReturn: ConnectionReturn?

    /// Creates the response. Releases the connection if the response is complete and no upload is running.
    static func respond(
        _ head: consuming ResponseHead, _ framing: BodyFraming, to request: borrowing PreparedRequest,
        _ state: inout ExchangeState, _ pool: ConnectionPool
    ) throws(ExchangeFailure) -> ResponseDelivery {
        // Checked before the body takes over the connection, because `ExchangeRunner` closes the connection after an
        // error thrown here.
        let codings: [ContentCoding]
        do throws(SockeyeError) {
            codings = try ResponseAssembly.check(head, framing, for: request)
        } catch {
            throw ExchangeFailure(error)
        }
        state.receiver.reader.beginBody(framing)
        let first = state.receiver.reader.bufferedBody()
        let isComplete = state.receiver.reader.isBodyFinished
        let source =
            isComplete
            ? nil
            : ResponseBodySource(
                state: state, pool: pool, deadlines: request.deadlines.afterHead, observer: request.observer,
                exchange: request.exchange, isSuccessful: 200..<300 ~= head.status)
        let response = ResponseAssembly.response(
            head, framing, to: request, undoing: codings, first: first, source: source,
            trailers: isComplete ? state.receiver.reader.trailers : nil, tls: state.lease.connection.tls)
        request.observer?.receivedHead(response, with: first.count, in: request.exchange)
        guard isComplete else { return ResponseDelivery(outcome: .response(response), connectionReturn: nil) }
        let verdict = state.receiver.finishResponse(state.sender)
        // The upload is checked after the verdict. In the other order, the error of an upload that fails between check
        // and verdict would be lost. If the upload was still running at the verdict, `ExchangeRunner` waits for it and
        // checks it again.
        if state.sender.upload != nil { try state.sender.checkBody(behind: response) }
        let rest = ConnectionReturn.settle(verdict, state, to: pool)
        // The remaining steps may include a wait for the upload, which still reports its progress. So if steps remain,
        // `ExchangeRunner` reports the end of the exchange after them.
        if rest == nil {
            request.observer?.exchangeEnded(in: request.exchange, received: state.receiver.reader.received)
        }
        return ResponseDelivery(outcome: .response(response), connectionReturn: rest)
    }

    /// Hands the connection over to the caller, with the bytes that arrived after the head.
    static func handOver(
        _ head: ResponseHead, to request: borrowing PreparedRequest, _ state: ExchangeState, _ pool: ConnectionPool
    ) -> ResponseDelivery {
        let connection = UpgradedConnection(
            lease: state.lease, pool: pool, received: state.receiver.reader.unconsumedBytes,
            stall: request.deadlines.limits.stall)
        let response = IncomingResponse(
            ResponseStorage(
                head: head, hidesCoding: false, request: request.identity, started: request.deadlines.started,
                tls: state.lease.connection.tls, body: BodyContent(expectedLength: nil),
                handover: request.upgrade.map { _ in ConnectionHandover(connection) }))
        if let observer = request.observer {
            observer.receivedHead(response, in: request.exchange)
            observer.exchangeEnded(in: request.exchange, received: state.receiver.reader.received)
        }
        return ResponseDelivery(outcome: .upgraded(response, connection), connectionReturn: nil)
    }
}

/// The result of an exchange: a response, or a connection that left HTTP.
@usableFromInline package enum ExchangeOutcome: Sendable {
    /// A response; its body may still be on the connection.
    case response(IncomingResponse)
    /// The connection left HTTP, after a 101 or for a tunnel.
    case upgraded(IncomingResponse, UpgradedConnection)

    /// Returns only the response. After a requested upgrade the response itself holds the connection. The connection of
    /// a tunnel is closed, because the caller of this function cannot use it.
    @inlinable package func answer() -> IncomingResponse {
        switch self {
        case .response(let response): return response
        case .upgraded(let response, let connection):
            if !response.holdsConnection { connection.close() }
            return response
        }
    }
}

/// The steps that remain after a complete response, before its exchange ends.
///
/// Usually there are no such steps: ``settle(_:_:to:)`` returns the connection without suspending.
enum ConnectionReturn {
    /// The response is complete, but the request's body is still being sent.
    case awaitUpload
    /// The connection is released, but its release leaves work for the pool's actor, such as a dial for a waiter.
    case pool(ConnectionPool.ActorWork)

    /// The longest wait for the end of the upload after a complete response. If the upload is still running after that
    /// time, the connection is closed (as in Go).
    private static let uploadGrace = Duration.milliseconds(50)

    /// Informs the pool of the verdict on the connection, unless the end of the upload must be awaited first. Returns
    /// the remaining steps.
    @inline(__always)
    static func settle(
        _ verdict: ConnectionVerdict, _ state: ExchangeState, to pool: ConnectionPool
    ) -> ConnectionReturn? {
        if case .awaitUpload = verdict, state.sender.upload != nil { return .awaitUpload }
        return giveBack(verdict, state, to: pool).map { .pool($0) }
    }

    /// Carries out the remaining steps.
    func finish(_ state: inout ExchangeState, to pool: ConnectionPool, deadlines: RequestDeadlines) async {
        switch self {
        case .pool(let remainder): await pool.perform(remainder)
        case .awaitUpload:
            await state.sender.waitUntilEnded(deadlines.time.now.advanced(by: Self.uploadGrace))
            let verdict = state.receiver.finishResponse(state.sender)
            guard let remainder = Self.giveBack(verdict, state, to: pool) else { return }
            await pool.perform(remainder)
        }
    }

    private static func giveBack(
        _ verdict: ConnectionVerdict, _ state: ExchangeState, to pool: ConnectionPool
    ) -> ConnectionPool.ActorWork? {
        if case .reuse(let timeout, let uses) = verdict {
            return pool.releaseWithoutActor(
                state.lease.id, reusable: true, keepAliveTimeout: timeout, remainingUses: uses)
        }
        state.sender.detach()
        return pool.releaseWithoutActor(state.lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
    }
}
