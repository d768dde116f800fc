import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The sending and the receiving half of an exchange. The whole value moves from the task that awaits the head to the
/// body source.
struct ExchangeState: Sendable {
    let lease: ConnectionPool.Lease
    var sender = RequestSender()
    var receiver: ResponseReceiver

    @inline(__always)
    init(_ request: borrowing PreparedRequest, on lease: ConnectionPool.Lease) {
        self.lease = lease
        receiver = ResponseReceiver(request)
    }

    /// Returns the next piece of the response's body. If the request's body is still being uploaded, received bytes
    /// count as progress of that upload, so that it does not exceed its stall limit.
    mutating func nextPiece(
        from stream: any ByteStream
    ) throws(ResponseReader.Fault) -> ResponseReader.PieceEvent {
        let received = receiver.reader.received
        let event = try receiver.reader.nextPiece(from: stream)
        if let upload = sender.upload, receiver.reader.received > received { upload.noteReceived() }
        return event
    }

    // MARK: Failures

    /// The phase of a failure: sending, or receiving the head.
    private var phase: SockeyeError.Phase { receiver.reader.received == 0 ? sender.phase : .head }

    /// Returns the failure of an exchange that cannot read a head.
    ///
    /// - Parameter port: The port of the request's URL.
    func failure(of fault: ResponseReader.Fault, port: Int) -> ExchangeFailure {
        if let error = sender.error { return ExchangeFailure(error) }
        let received = receiver.reader.received
        switch fault {
        case .peer(let fault):
            var error = SockeyeError(fault, phase: phase, received: received)
            if let met = tlsInstead(of: fault, at: port) { error = error.with { $0.message = met } }
            return ExchangeFailure(
                error, isBeforeResponse: received == 0, isConnectionLoss: fault == .closedBeforeResponse,
                isUnsent: sender.isUnsent)
        case .transport(let error):
            // If the first write failed, the error of the read may explain that failure, as a TLS alert does. If the
            // read found only that the connection is lost, the error of the write is reported instead.
            let cause = error.isConnectionLoss ? sender.writeFailure ?? error : error
            return ExchangeFailure(
                SockeyeError(cause, phase: phase), isBeforeResponse: received == 0,
                isConnectionLoss: error.isConnectionLoss, isUnsent: sender.isUnsent)
        }
    }

    /// The failure of the exchange if a write failed for lack of memory; nil otherwise. After such a failure no
    /// response comes, because the server waits for the rest of the request.
    var shortage: ExchangeFailure? {
        guard let error = sender.shortage else { return nil }
        return ExchangeFailure(
            SockeyeError(error, phase: phase), isBeforeResponse: receiver.reader.received == 0,
            isUnsent: sender.isUnsent)
    }

    /// Returns the failure of an exchange after its wait for the head has ended with an error.
    func failure(ofWait error: TransportError, _ deadlines: RequestDeadlines) -> ExchangeFailure {
        if let error = sender.error { return ExchangeFailure(error) }
        guard error == .timedOut else { return ExchangeFailure(SockeyeError(error, phase: phase)) }
        if let shortage { return shortage }
        let exceeded = deadlines.exceeded(in: phase)
        let error = exceeded ?? deadlines.error(.head, limit: deadlines.limits.head, name: "head")
        guard receiver.reader.received == 0, lease.connection.stream.isUnacknowledged else {
            return ExchangeFailure(error)
        }
        // The acknowledgement may be missing because a NAT or firewall has dropped the flow, or because the host has
        // disappeared.
        return ExchangeFailure(
            error.with { fields in
                fields.blame = .network
                fields.message += "; the network did not deliver the request, or lost its acknowledgement"
            })
    }

    /// Returns an explanation of a fault if the request was sent without TLS to a server that seems to expect TLS; else
    /// nil. Such a server answers with a TLS record or, at port 443, closes the connection without a response.
    private func tlsInstead(of fault: PeerFault, at port: Int) -> String? {
        guard lease.connection.tls == nil else { return nil }
        switch fault {
        case .badStatusLine:
            let advice = "this port speaks TLS, so the URL should begin with https"
            return TLSRecord.description(of: receiver.reader.unconsumedBytes)
                .map { "the server answered with \($0): \(advice)" }
        case .closedBeforeResponse where !lease.isReused && port == 443:
            return "\(fault.description); port 443 usually speaks TLS, and the URL does not begin with https"
        default: return nil
        }
    }
}
