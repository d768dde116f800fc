import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// Both halves of an exchange and the machine that judges it. The whole value moves from the task that awaits the head
/// to the body source.
struct ExchangeState: Sendable {
    /// The connection.
    let lease: ConnectionPool.Lease
    var machine: ExchangeMachine
    var responseReader: ResponseReader
    var upload: Upload?
    /// The error of the write of the head or of a small body. The response may have arrived nevertheless.
    var sendFailure: TransportError?
    /// True if the system took no byte of the request.
    var isUnsent = false

    /// Reports the status of the sending task to the machine.
    mutating func noteUpload() {
        switch upload?.status {
        case nil, .running: break
        case .finished: machine.uploadFinished()
        case .stopped: machine.uploadStopped()
        case .failed, .broken: machine.uploadFailed()
        }
    }

    /// The caller's own failure in the upload, which explains any error of the reading half.
    var uploadError: SockeyeError? {
        if case .failed(let error) = upload?.status { error } else { nil }
    }

    /// The phase of a failure before the response: sending, or waiting for the response.
    var phase: SockeyeError.Phase {
        guard responseReader.received == 0 else { return .head }
        switch upload?.status {
        case .running, .broken: return .send
        case nil, .finished, .stopped, .failed: return sendFailure == nil ? .head : .send
        }
    }

    /// Returns the explanation of a fault if the server expects TLS and the request was sent without it. The server
    /// then answered with a TLS record or, at the port of https, not at all.
    ///
    /// - Parameter port: The port of the request's URL.
    func tlsInstead(of fault: PeerFault, at port: Int) -> String? {
        guard lease.connection.tls == nil else { return nil }
        switch fault {
        case .badStatusLine:
            let advice = "this port speaks TLS, so the URL should begin with https"
            return TLSRecord.description(of: responseReader.unconsumedBytes).map {
                "the server answered with \($0): \(advice)"
            }
        case .closedBeforeResponse where !lease.isReused && port == 443:
            return "\(fault.description); port 443 usually speaks TLS, and the URL does not begin with https"
        default: return nil
        }
    }

    /// Returns the verdict on the connection at the end of the response.
    mutating func finishResponse() -> ConnectionVerdict {
        noteUpload()
        machine.responseBodyFinished(surplusBytes: responseReader.unconsumedBytes.count)
        if responseReader.isEnded { try? machine.endOfStream() }
        return machine.verdict
    }
}

/// The remaining steps between the end of a response and the return of its connection to the pool.
///
/// Usually there are no such steps: ``settle(_:to:)`` returns the connection without suspending.
enum ConnectionReturn {
    /// The response is complete, but the request's body is still being sent.
    case awaitUpload
    /// The pool has more to do than to keep the connection.
    case pool(ConnectionPool.ActorWork)

    /// The time for which a complete response waits for the upload's own task to notice its end (as in Go).
    private static let uploadGrace = Duration.milliseconds(50)

    /// Decides about the connection and informs the pool. Nil if nothing remains to be done.
    static func settle(_ state: inout ExchangeState, to pool: ConnectionPool) -> ConnectionReturn? {
        let verdict = state.finishResponse()
        if case .awaitUpload = verdict, state.upload != nil { return .awaitUpload }
        return giveBack(verdict, state, to: pool).map { .pool($0) }
    }

    /// Carries out the remaining steps.
    func finish(_ state: inout ExchangeState, to pool: ConnectionPool, deadlines: RequestDeadlines) async {
        switch self {
        case .pool(let remainder): await pool.perform(remainder)
        case .awaitUpload:
            await state.upload?.waitUntilEnded(deadlines.time.now.advanced(by: Self.uploadGrace))
            let verdict = state.finishResponse()
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
        state.upload?.detach()
        return pool.releaseWithoutActor(state.lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
    }
}

/// The result of an exchange for `send`.
@usableFromInline package enum ExchangeOutcome: Sendable {
    /// A response with its head, and a body that may still be on the connection.
    case response(IncomingResponse)
    /// The connection left HTTP, after a 101 or for a tunnel.
    case upgraded(IncomingResponse, UpgradedConnection)

    /// Returns only the response. It holds a connection that was requested by an upgrade. The connection of a tunnel is
    /// closed, because the caller of this function cannot use it.
    @inlinable package func answer() -> IncomingResponse {
        switch self {
        case .response(let response): return response
        case .upgraded(let response, let connection):
            if !response.holdsConnection { connection.close() }
            return response
        }
    }
}

/// The failure of an exchange, with the facts that decide if the request is sent again.
struct ExchangeFailure: Error {
    let error: SockeyeError
    /// True if no byte of a response arrived.
    let isBeforeResponse: Bool
    /// True if the connection broke or ended. False if the response was refused or a deadline of ours passed.
    let isConnectionLoss: Bool
    /// True if no byte of the request was taken.
    let isUnsent: Bool
    /// True if the server does not support expectations (417): the request may be sent again without one.
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
