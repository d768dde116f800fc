import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// Both halves of an exchange and the machine that judges it. Moves as a whole from the task that awaits the head to
/// the body source.
struct ExchangeState: Sendable {
    /// The connection.
    let lease: ConnectionPool.Lease
    var machine: ExchangeMachine
    var responseReader: ResponseReader
    var upload: Upload?
    /// The write that failed while the head or a small body was sent; the answer may be there all the same.
    var sendFailure: TransportError?
    /// Whether no byte of the request was taken.
    var isUnsent = false

    /// Tells the machine what the sending task has come to.
    mutating func noteUpload() {
        switch upload?.status {
        case nil, .running: break
        case .finished: machine.uploadFinished()
        case .stopped: machine.uploadStopped()
        case .failed, .broken: machine.uploadFailed()
        }
    }

    /// The caller's own failure in the upload, which explains whatever the reading half ran into.
    var uploadError: SockeyeError? {
        if case .failed(let error) = upload?.status { error } else { nil }
    }

    /// Whether what fails before the answer fails in sending or in waiting for the answer.
    var phase: SockeyeError.Phase {
        guard responseReader.received == 0 else { return .head }
        switch upload?.status {
        case .running, .broken: return .send
        case nil, .finished, .stopped, .failed: return sendFailure == nil ? .head : .send
        }
    }

    /// The explanation of a fault if the server speaks TLS and the request went out without it: the server answered
    /// with a TLS record, or, at the port of https, not at all.
    ///
    /// - Parameter port: The port of the request's URL.
    func tlsInstead(of fault: PeerFault, at port: Int) -> String? {
        guard lease.connection.tls == nil else { return nil }
        switch fault {
        case .badStatusLine:
            let advice = "this port speaks TLS, so the URL should begin with https"
            return TLSRecord.description(of: responseReader.surplus).map { "the server answered with \($0): \(advice)" }
        case .closedBeforeResponse where !lease.isReused && port == 443:
            return "\(fault.description); port 443 usually speaks TLS, and the URL does not begin with https"
        default: return nil
        }
    }

    /// What becomes of the connection, the response being complete.
    mutating func finishResponse() -> ConnectionVerdict {
        noteUpload()
        machine.responseBodyFinished(surplusBytes: responseReader.surplus.count)
        if responseReader.isEnded { try? machine.endOfStream() }
        return machine.verdict
    }
}

/// The steps that are left between the end of a response and the return of its connection to the pool.
///
/// Nearly always none: ``settle(_:to:)`` returns it without suspending.
enum ConnectionReturn {
    /// The request's body is not out yet, though the answer is here.
    case awaitUpload
    /// The pool has more to do than to put the connection aside.
    case pool(ConnectionPool.Remainder)

    /// How long the answer to an upload waits for the upload's own task to notice that it is done (as Go).
    private static let uploadGrace = Duration.milliseconds(50)

    /// Decides what becomes of the connection, and tells the pool. Nil: that is all.
    static func settle(_ state: inout ExchangeState, to pool: ConnectionPool) -> ConnectionReturn? {
        let verdict = state.finishResponse()
        if case .awaitUpload = verdict, state.upload != nil { return .awaitUpload }
        return giveBack(verdict, state, to: pool).map { .pool($0) }
    }

    /// Does the rest.
    func finish(_ state: inout ExchangeState, to pool: ConnectionPool, deadlines: RequestDeadlines) async {
        switch self {
        case .pool(let remainder): await pool.finish(remainder)
        case .awaitUpload:
            await state.upload?.waitUntilEnded(deadlines.time.now.advanced(by: Self.uploadGrace))
            let verdict = state.finishResponse()
            guard let remainder = Self.giveBack(verdict, state, to: pool) else { return }
            await pool.finish(remainder)
        }
    }

    private static func giveBack(
        _ verdict: ConnectionVerdict, _ state: ExchangeState, to pool: ConnectionPool
    ) -> ConnectionPool.Remainder? {
        if case .reuse(let timeout, let uses) = verdict {
            return pool.putBack(state.lease.id, reusable: true, keepAliveTimeout: timeout, remainingUses: uses)
        }
        state.upload?.detach()
        return pool.putBack(state.lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
    }
}

/// The result of an exchange for `send`.
@usableFromInline package enum ExchangeOutcome: Sendable {
    /// The head, and a body that may still be on the connection.
    case response(IncomingResponse)
    /// The connection left HTTP: 101, or a tunnel.
    case upgraded(IncomingResponse, UpgradedConnection)

    /// The response alone. It holds the connection that was asked for; that of a tunnel is of no use to whom this is for.
    @inlinable package func answer() -> IncomingResponse {
        switch self {
        case .response(let response): return response
        case .upgraded(let response, let connection):
            if !response.holdsConnection { connection.close() }
            return response
        }
    }
}

/// The failure of an exchange, with what decides whether the request is sent again.
struct ExchangeFailure: Error {
    let error: SockeyeError
    /// Not one byte of a response came.
    let isBeforeResponse: Bool
    /// The connection broke or ended; nothing was refused, and no deadline of ours passed.
    let isConnectionLoss: Bool
    /// Not one byte of the request was taken.
    let isUnsent: Bool
    /// The server does not do expectations (417): the request may be sent again without.
    let isExpectationRefusal: Bool

    init(
        _ error: SockeyeError, isBeforeResponse: Bool = false, isConnectionLoss: Bool = false, isUnsent: Bool = false,
        isExpectationRefusal: Bool = false
    ) {
        self.error = error
        self.isBeforeResponse = isBeforeResponse
        self.isConnectionLoss = isConnectionLoss
        self.isUnsent = isUnsent
        self.isExpectationRefusal = isExpectationRefusal
    }
}
