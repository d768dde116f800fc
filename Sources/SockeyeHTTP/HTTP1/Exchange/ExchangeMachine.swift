/// The state machine of one exchange on a connection: upload and response run side by side.
///
/// Without I/O: the client reports events and does what it is told.
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
        /// The head is out, the body waits for 100 Continue. To: sending, stopped.
        case held
        /// The body, or the head of a request without one, is being written. To: finished, stopped.
        case sending
        /// Every byte was written. Final.
        case finished
        /// Not every byte was written, nor will be. Final.
        case stopped
    }

    private enum ResponseState: Sendable {
        /// To: itself on an interim response, body, handedOver, failed.
        case awaitingHead
        /// To: finished, failed.
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
    /// Whether a byte of the request's body may have been written.
    package private(set) var hasSentBody = false

    /// The exchange as its head is about to be written. A request without a body has nothing more to say once the head
    /// is written, which ``uploadFinished()`` reports for it, too.
    package init(_ facts: ExchangeFacts) {
        self.facts = facts
        self.upload = facts.expectsContinue ? .held : .sending
        self.hasSentBody = facts.hasBody && !facts.expectsContinue
    }

    /// Whether the body must wait for a 100 (or for the timer that stands in for it).
    package var holdsBody: Bool { upload == .held }

    /// Whether the response is complete, or never will be.
    package var isResponseOver: Bool {
        switch response {
        case .awaitingHead, .body: false
        case .finished, .failed, .handedOver: true
        }
    }

    // MARK: Upload

    /// No 100 came in time: the body is due now (RFC 9110 10.1.1).
    /// - Returns: Whether to start sending. False when it started already, or is not wanted any more.
    package mutating func expectationTimerFired() -> Bool {
        guard upload == .held else { return false }
        releaseBody()
        return true
    }

    /// The last byte of the request was written.
    package mutating func uploadFinished() {
        if upload == .sending { upload = .finished }
    }

    /// A write failed. The server may have answered before it closed, so reading goes on (RFC 9112 9.5).
    package mutating func uploadFailed() {
        if upload != .finished { upload = .stopped }
    }

    /// The client stopped writing, because it was told to or because the body's source failed or lied about its length.
    package mutating func uploadStopped() {
        if upload != .finished { upload = .stopped }
    }

    // MARK: Response

    /// A head was parsed. Any fault is final: the connection must be closed.
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

    /// Bytes of the response came before the request was sent. The answer to it may follow, so that the connection must not
    /// carry another request (RFC 9112 9.2).
    package mutating func receivedEarlyBytes() {
        hasEarlyBytes = true
    }

    /// The body was read to its end.
    /// - Parameter surplusBytes: Bytes that were received behind it, which nobody asked for. They must be thrown away
    ///   together with the connection, never parsed as the next response.
    package mutating func responseBodyFinished(surplusBytes: Int = 0) {
        guard case .body = response else { return }
        surplus = surplusBytes
        response = .finished
    }

    /// The peer ended its direction in an orderly way. A body is judged by its ``BodyDecoder``; if it ends here, report
    /// ``responseBodyFinished(surplusBytes:)`` as well.
    /// - Parameter fault: What the head's parser says about an end here; thrown while a head is due.
    package mutating func endOfStream(orFault fault: PeerFault = .closedBeforeResponse) throws(PeerFault) {
        peerClosed = true
        guard case .awaitingHead = response else { return }
        response = .failed
        throw fault
    }

    /// Reading failed, the response was malformed, or the exchange was given up.
    package mutating func failed() {
        if !isResponseOver { response = .failed }
    }

    /// What becomes of the connection if nothing more happens; final once the response is over.
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
        // By their size and not by their number: a server may well report its progress often (RFC 2518 10.1).
        interimBytes += head.byteCount
        guard interimBytes <= facts.limits.interimBytes else {
            throw .interimTooLarge(limit: facts.limits.interimBytes)
        }
        guard head.status == 100 else { return .interim(status: head.status) }
        guard upload == .held else { return .keepReading }
        releaseBody()
        return .sendBody
    }

    /// A server may switch only when asked, and not before it has asked for content that the client holds back. The
    /// client must send the whole request before it speaks the other protocol, so an earlier 101 waits for the upload
    /// (RFC 9110 7.8).
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
            response = .handedOver
            return .tunnel
        }
        response = .body(framing)
        if head.status == 417, facts.expectsContinue {
            stopUpload()
            return .expectationFailed(framing)
        }
        // An answer to a held body means that the server does not want it. To one on its way, a success may come before
        // the body is complete; anything else makes the rest pointless (RFC 9112 9.3, RFC 9110 10.1.1).
        let stops = upload == .held || upload == .sending && head.status >= 300 && facts.hasBody
        if stops { stopUpload() }
        return .final(framing, stopsUpload: stops)
    }

    private mutating func stopUpload() {
        if upload != .finished { upload = .stopped }
    }
}

/// The action that a response head calls for.
package enum HeadAction: Sendable, Hashable {
    /// An interim response: report it where that was asked for, and read the next head.
    case interim(status: Int)
    /// 100 without effect, because no body is held: read the next head.
    case keepReading
    /// 100 for a body that is being held: start sending it, and read the next head.
    case sendBody
    /// The answer. Deliver it and read its body; `stopsUpload` says to send no more of the request.
    case final(BodyFraming, stopsUpload: Bool)
    /// 417 to an expectation: send no more. Repeat the request without Expect on another connection if the body can be
    /// sent again (always so while ``ExchangeMachine/hasSentBody`` is false), else deliver this as the answer.
    case expectationFailed(BodyFraming)
    /// 101 that was asked for, while the request is being written: report the end of the upload, then this head again.
    case awaitUpload
    /// 101 that was asked for: the bytes behind the head belong to the other protocol.
    case switchProtocols
    /// 2xx to CONNECT: the bytes behind the head belong to the tunnel.
    case tunnel
}

/// The properties of a request that its exchange depends on.
package struct ExchangeFacts: Sendable, Hashable {
    package var method: MethodKind
    /// Whether bytes follow the request head.
    package var hasBody: Bool
    /// Whether the head carried `Expect: 100-continue`.
    package var expectsContinue: Bool
    /// Whether the head carried Upgrade.
    package var requestsUpgrade: Bool
    /// Whether the head carried `Connection: close`.
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

    /// The facts of a head as it is encoded.
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
    /// It can carry the next request. Seconds and number of uses as the server announced them.
    case reuse(keepAliveTimeout: Int?, max: Int?)
    /// The response is complete but the request is still being written: ask again when that has ended.
    case awaitUpload
    case close(CloseReason)

    /// Why a connection cannot be used again.
    package enum CloseReason: Sendable, Hashable {
        /// We sent `Connection: close`.
        case requested
        /// The server sent `Connection: close`.
        case announced
        /// HTTP/1.0 without `Connection: keep-alive`.
        case notPersistent
        /// The response body ended with the connection, or the server closed its side.
        case closedByPeer
        /// The response was not read to its end.
        case responseUnfinished
        /// The request was not written to its end.
        case requestUnfinished
        /// Both Transfer-Encoding and Content-Length were given (RFC 9112 6.1).
        case ambiguousLength
        /// Lines of the head ended in LF alone.
        case bareLineFeeds
        /// Bytes came behind the response.
        case surplus(Int)
        /// Bytes of the response came before the request was sent.
        case early
        /// Reading or writing failed, or the response was malformed.
        case failed
        /// The connection speaks another protocol now.
        case handedOver
    }
}
