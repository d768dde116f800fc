/// The state machine of one exchange on a connection. Upload and response run concurrently.
///
/// It performs no I/O: the client reports events to it and carries out the actions that it returns.
///
/// ```
/// upload     held ──(100, timer)──► sending ──► finished
///              │                       │
///              └──────► stopped ◄──────┘   final response first, or the write failed
///
/// response   awaitingHead ──(1xx)──► awaitingHead
///                 │  ├──(final)──► body ──► finished
///                 │  └──(101, 2xx to CONNECT)──► handedOver
///                 └──(fault, end of stream)──► failed ◄── body
/// ```
package struct ExchangeMachine: Sendable {
    private enum UploadState: Sendable {
        /// Only the head is sent; the body waits for 100 Continue. Next: sending, stopped.
        case held
        /// The body, or the head of a request without a body, is being written. Next: finished, stopped.
        case sending
        /// All bytes are written. Final.
        case finished
        /// The request is incomplete and will remain so. Final.
        case stopped
    }

    private enum ResponseState: Sendable {
        /// Next: awaitingHead after an interim response, body, handedOver, failed.
        case awaitingHead
        /// Next: finished, failed.
        case body(BodyFraming)
        /// Final.
        case finished
        /// Final.
        case failed
        /// Final.
        case handedOver
    }

    private let facts: ExchangeFacts
    private var upload: UploadState
    private var response = ResponseState.awaitingHead
    private var interimBytes = 0
    private var summary = ResponseHeadSummary()
    private var surplus = 0
    private var peerClosed = false
    private var hasEarlyBytes = false
    /// True if a byte of the request's body may have been written.
    package private(set) var hasSentBody = false

    /// Creates the machine just before the request's head is written. For a request without a body, call
    /// ``uploadFinished()`` once the head is written.
    package init(_ facts: ExchangeFacts) {
        self.facts = facts
        self.upload = facts.expectsContinue ? .held : .sending
        self.hasSentBody = facts.hasBody && !facts.expectsContinue
    }

    /// True if the body must wait for 100 Continue, or for the timer that replaces it.
    package var holdsBody: Bool { upload == .held }

    /// True if the response is complete or has failed, or if the connection was handed over to another protocol.
    package var isResponseOver: Bool {
        switch response {
        case .awaitingHead, .body: false
        case .finished, .failed, .handedOver: true
        }
    }

    // MARK: Upload

    /// Reports that no 100 Continue came in time, so that the body must be sent without it (RFC 9110 10.1.1).
    /// - Returns: True if sending must start now; false if it has started already or was stopped.
    package mutating func expectationTimerFired() -> Bool {
        guard upload == .held else { return false }
        releaseBody()
        return true
    }

    /// Reports that the last byte of the request was written.
    package mutating func uploadFinished() {
        if upload == .sending { upload = .finished }
    }

    /// Reports that a write failed. Reading continues: the server may have answered before it closed (RFC 9112 9.5).
    package mutating func uploadFailed() {
        if upload != .finished { upload = .stopped }
    }

    /// Reports that the client stopped writing, because a ``HeadAction`` demanded the stop, the body's source failed,
    /// or the body had another length than declared.
    package mutating func uploadStopped() {
        if upload != .finished { upload = .stopped }
    }

    // MARK: Response

    /// Handles a parsed head and returns the action to take. Every thrown fault is final: the connection must be
    /// closed.
    package mutating func receivedHead(_ head: ResponseHeadSummary) throws(PeerFault) -> HeadAction {
        guard case .awaitingHead = response else {
            response = .failed
            throw .surplusBytes(head.byteCount)
        }
        do throws(PeerFault) {
            return head.isInterim ? try receivedInterim(head) : try receivedFinal(head)
        } catch {
            response = .failed
            throw error
        }
    }

    /// Reports that the response began with bytes that arrived before the request was sent. The server may still send
    /// another response to the request, so the connection must not carry another request (RFC 9112 9.2).
    package mutating func receivedEarlyBytes() {
        hasEarlyBytes = true
    }

    /// Reports that the response body was read to its end.
    /// - Parameter surplusBytes: The number of unsolicited bytes received after the body. Discard them together with
    ///   the connection; never parse them as the next response.
    package mutating func responseBodyFinished(surplusBytes: Int = 0) {
        guard case .body = response else { return }
        surplus = surplusBytes
        response = .finished
    }

    /// Reports that the peer ended its direction in an orderly way. ``BodyDecoder`` decides if a body is complete; if
    /// it is, report ``responseBodyFinished(surplusBytes:)`` as well.
    /// - Parameter fault: The fault to throw if the final head is still missing; see
    ///   ``ResponseHeadParser/atEndOfStream()``.
    package mutating func endOfStream(orFault fault: PeerFault = .closedBeforeResponse) throws(PeerFault) {
        peerClosed = true
        guard case .awaitingHead = response else { return }
        response = .failed
        throw fault
    }

    /// Reports that reading failed, that the response was malformed, or that the caller gave up the exchange.
    package mutating func failed() {
        if !isResponseOver { response = .failed }
    }

    /// Tells if the connection can be reused, given the events so far. Once the response is over and the upload has
    /// ended, a later event such as the end of the stream can only turn `reuse` into `close`.
    package var verdict: ConnectionVerdict {
        switch response {
        case .awaitingHead, .body: return .close(.responseUnfinished)
        case .failed: return .close(.failed)
        case .handedOver: return .close(.handedOver)
        case .finished: break
        }
        if surplus > 0 { return .close(.surplus(surplus)) }
        if hasEarlyBytes { return .close(.early) }
        if BodyFraming.isAmbiguous(summary) { return .close(.ambiguousLength) }
        if summary.hasBareLF { return .close(.bareLineFeeds) }
        if facts.closesConnection { return .close(.requested) }
        if summary.connection.contains(.close) { return .close(.announced) }
        if peerClosed { return .close(.closedByPeer) }
        if summary.minorVersion == 0, !summary.connection.contains(.keepAlive) { return .close(.notPersistent) }
        switch upload {
        case .held, .stopped: return .close(.requestUnfinished)
        case .sending: return .awaitUpload
        case .finished: return .reuse(keepAliveTimeout: summary.keepAliveTimeout, max: summary.keepAliveMax)
        }
    }
}

extension ExchangeMachine {
    private mutating func releaseBody() {
        upload = .sending
        hasSentBody = true
    }

    private mutating func receivedInterim(_ head: ResponseHeadSummary) throws(PeerFault) -> HeadAction {
        if head.status == 101 { return try receivedSwitch(head) }
        // The limit concerns the total size of interim responses, not their number: a server may report its progress
        // often (RFC 2518 10.1).
        interimBytes += head.byteCount
        guard interimBytes <= facts.limits.interimBytes else {
            throw .interimTooLarge(limit: facts.limits.interimBytes)
        }
        guard head.status == 100 else { return .interim(status: head.status) }
        guard upload == .held else { return .keepReading }
        releaseBody()
        return .sendBody
    }

    /// Refuses a 101 that the client did not ask for, and any 101 while the client holds back content or after it cut
    /// the content short. A 101 during the upload is handled after the upload: the client must send the whole request
    /// before it speaks the other protocol (RFC 9110 7.8).
    private mutating func receivedSwitch(_ head: ResponseHeadSummary) throws(PeerFault) -> HeadAction {
        guard facts.requestsUpgrade, upload == .sending || upload == .finished else { throw .unexpectedUpgrade }
        guard head.connection.contains(.upgrade) else { throw .upgradeWithoutConnection }
        guard upload == .finished else { return .awaitUpload }
        response = .handedOver
        return .switchProtocols
    }

    private mutating func receivedFinal(_ head: ResponseHeadSummary) throws(PeerFault) -> HeadAction {
        let framing = try BodyFraming.determine(head, for: facts.method)
        summary = head
        guard framing != .tunnel else {
            // The user of the tunnel writes to the connection next, so a 2xx before the end of the upload must wait.
            guard upload != .sending else { return .awaitUpload }
            response = .handedOver
            return .tunnel
        }
        response = .body(framing)
        if head.status == 417, facts.expectsContinue {
            stopUpload()
            return .expectationFailed(framing)
        }
        // A final response while the body is held means that the server does not want the body. An early 2xx does not
        // stop a body that is being sent; any other final status makes the rest of it pointless (RFC 9112 9.5, RFC 9110
        // 10.1.1).
        let stops = upload == .held || upload == .sending && head.status >= 300 && facts.hasBody
        if stops { stopUpload() }
        return .final(framing, stopsUpload: stops)
    }

    private mutating func stopUpload() {
        if upload != .finished { upload = .stopped }
    }
}

extension BodyFraming {
    /// Determines the framing by the rules of RFC 9112 6.3, in their order. The status must not be 101, after which the
    /// connection no longer speaks HTTP.
    ///
    /// If both Transfer-Encoding and Content-Length are given, Transfer-Encoding wins. ``isAmbiguous(_:)`` is then
    /// true: the connection must not be reused.
    package static func determine(
        _ head: ResponseHeadSummary,
        for method: MethodKind
    ) throws(PeerFault) -> BodyFraming {
        // Any 2xx opens the tunnel, including 204 (RFC 9110 9.3.6).
        if method == .connect, 200..<300 ~= head.status { return .tunnel }
        if method == .head || head.isInterim || head.status == 204 || head.status == 304 { return .none }
        switch head.transferEncoding {
        case .absent: break
        case .chunked, .untilClose:
            // HTTP/1.0 has no transfer codings, so an intermediary has probably forwarded the field without
            // understanding it (RFC 9112 6.1).
            guard head.minorVersion > 0 else { throw .transferEncodingInHTTP10 }
            return head.transferEncoding == .chunked ? .chunked : .untilClose
        }
        return head.contentLength.map { .length($0) } ?? .untilClose
    }

    /// True if both Transfer-Encoding and Content-Length are given: two recipients may disagree about the body's end.
    package static func isAmbiguous(_ head: ResponseHeadSummary) -> Bool {
        (head.transferEncoding != .absent || head.hasIdentityCoding) && head.contentLength != nil
    }
}

/// The action that the client must take on a response head.
package enum HeadAction: Sendable, Hashable {
    /// An interim response: report it if the caller wants interim responses, and read the next head.
    case interim(status: Int)
    /// A 100 Continue without effect, because no body is held: read the next head.
    case keepReading
    /// A 100 Continue for a held body: start sending the body, and read the next head.
    case sendBody
    /// The final response: deliver it and read its body. If `stopsUpload` is true, send no more of the request.
    case final(BodyFraming, stopsUpload: Bool)
    /// A 417 to the request's Expect: send no more. If ``ExchangeMachine/hasSentBody`` is false or the body is
    /// replayable, repeat the request without Expect on another connection. Otherwise deliver this response.
    case expectationFailed(BodyFraming)
    /// A requested 101, or a 2xx to CONNECT, while the request is still being written: wait for the end of the upload,
    /// report that end, then pass this head again.
    case awaitUpload
    /// A requested 101: the bytes after the head belong to the other protocol.
    case switchProtocols
    /// A 2xx to CONNECT: the bytes after the head belong to the tunnel.
    case tunnel
}

/// The properties of a request that its exchange depends on.
package struct ExchangeFacts: Sendable, Hashable {
    package var method: MethodKind
    /// True if the request has a body that is not empty.
    package var hasBody: Bool
    /// True if the head has `Expect: 100-continue`.
    package var expectsContinue: Bool
    /// True if the head has an Upgrade field.
    package var requestsUpgrade: Bool
    /// True if the head has `Connection: close`.
    package var closesConnection: Bool
    package var limits: HTTP1Limits

    package init(
        method: MethodKind,
        hasBody: Bool = false,
        expectsContinue: Bool = false,
        requestsUpgrade: Bool = false,
        closesConnection: Bool = false,
        limits: HTTP1Limits = HTTP1Limits()
    ) {
        self.method = method
        self.hasBody = hasBody
        self.expectsContinue = expectsContinue && hasBody
        self.requestsUpgrade = requestsUpgrade
        self.closesConnection = closesConnection
        self.limits = limits
    }

    /// Takes the properties from a request head.
    package init(_ head: borrowing RequestHead, limits: HTTP1Limits = HTTP1Limits()) {
        self.init(
            method: head.kind,
            hasBody: !head.body.isEmpty,
            expectsContinue: head.expectsContinue,
            requestsUpgrade: head.upgrade != nil,
            closesConnection: head.closesConnection,
            limits: limits
        )
    }
}

/// The verdict on whether a connection persists after an exchange (RFC 9112 9.3).
package enum ConnectionVerdict: Sendable, Hashable {
    /// The connection can carry the next request. The idle timeout in seconds and the number of further requests are
    /// those of the server's Keep-Alive field; nil if not announced.
    case reuse(keepAliveTimeout: Int?, max: Int?)
    /// The response is complete but the request is still being written: read the verdict again when the upload has
    /// ended.
    case awaitUpload
    case close(CloseReason)

    /// The reason why a connection cannot be reused.
    package enum CloseReason: Sendable, Hashable {
        /// The client sent `Connection: close`.
        case requested
        /// The server sent `Connection: close`.
        case announced
        /// HTTP/1.0 without `Connection: keep-alive`.
        case notPersistent
        /// The response body ended with the connection, or the server closed its direction.
        case closedByPeer
        /// The response was not read to its end.
        case responseUnfinished
        /// The request was not written to its end.
        case requestUnfinished
        /// Both Transfer-Encoding and Content-Length were given (RFC 9112 6.1).
        case ambiguousLength
        /// Lines of the head ended in LF alone.
        case bareLineFeeds
        /// Bytes followed the response.
        case surplus(Int)
        /// The response began with bytes that arrived before the request was sent.
        case early
        /// Reading failed, the response was malformed, or the caller gave up the exchange.
        case failed
        /// The connection speaks another protocol now.
        case handedOver
    }
}
