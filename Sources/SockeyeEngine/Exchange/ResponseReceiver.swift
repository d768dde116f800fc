import HTTPTypes
import SockeyeHTTP
import SockeyeNet

/// The receiving half of an exchange: reads heads and asks the machine of the exchange how to act on them.
struct ResponseReceiver: Sendable {
    var machine: ExchangeMachine
    var reader: ResponseReader

    @inline(__always)
    init(_ request: borrowing PreparedRequest) {
        machine = ExchangeMachine(request.facts)
        reader = ResponseReader(limits: request.wireLimits, tolerances: request.tolerances)
    }

    /// Reads bytes that arrived on a new connection before its first request. Returns true if the stream must be read
    /// before the first wait: there were bytes, there may be bytes after many TLS records without content, or the
    /// stream is over.
    ///
    /// They are the beginning of the response, as in curl. A server may respond before it has read the request (408,
    /// 421, or 503 of an overloaded server). It is chance whether such a response arrives just before the request or
    /// just after it. The connection had no earlier request that the bytes could answer. It is not reused, because
    /// another response to this request may follow (RFC 9112 9.2).
    ///
    /// Bytes that cannot begin a response fail the exchange before anything is sent. Reused connections were checked
    /// when they were taken (``OriginConnection/hasReceivedNothing()``). An end of the stream or an alert is left to
    /// the read after the request, which must not wait for it: the poller may have reported it already, for example
    /// together with the reply of a SOCKS proxy.
    mutating func takeEarlyBytes(from stream: any ByteStream) throws(ResponseReader.Fault) -> Bool {
        guard !stream.hasNothingToRead else { return false }
        switch try reader.readAhead(from: stream) {
        case .nothing: return false
        case .bytes: machine.receivedEarlyBytes()
        case .over: break
        }
        return true
    }

    /// Returns the next head, including interim heads. Nil if there is nothing to read before `interest` is ready.
    @inline(__always)
    mutating func nextHead(
        from stream: any ByteStream, orWaitFor interest: inout Interest
    ) throws(ResponseReader.Fault) -> ResponseHead? {
        try reader.nextHead(from: stream, orWaitFor: &interest)
    }

    /// Returns the action on a head, and reports an interim response to the caller.
    ///
    /// - Parameter sender: The sending half, whose present status decides about the action.
    @inline(__always)
    mutating func action(
        on head: borrowing ResponseHead, sender: borrowing RequestSender, for request: borrowing PreparedRequest
    ) throws(ResponseReader.Fault) -> HeadAction {
        sender.report(to: &machine)
        let action: HeadAction
        do throws(PeerFault) { action = try machine.receivedHead(head.summary) } catch { throw .peer(error) }
        switch action {
        case .interim(let status): Self.report(status, head, for: request)
        case .sendBody: Self.report(100, head, for: request)
        case .keepReading, .final, .expectationFailed, .awaitUpload, .switchProtocols, .tunnel: break
        }
        return action
    }

    @inline(never)
    private static func report(
        _ status: Int, _ head: borrowing ResponseHead, for request: borrowing PreparedRequest
    ) {
        request.options.onInterim?(
            IncomingResponse.Interim(status: .init(code: status), headers: head.makeFields()))
    }

    /// Returns the verdict on the connection at the end of the response.
    mutating func finishResponse(_ sender: borrowing RequestSender) -> ConnectionVerdict {
        sender.report(to: &machine)
        machine.responseBodyFinished(surplusBytes: reader.unconsumedBytes.count)
        if reader.isEnded { try? machine.endOfStream() }
        return machine.verdict
    }
}
