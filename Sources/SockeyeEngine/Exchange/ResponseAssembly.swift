import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// Assembles a response from its head and its body source, and adds the decoding and the size limit of the body.
enum ResponseAssembly {
    /// Returns the content codings to undo, outermost last.
    ///
    /// Throws if the head alone makes the response unacceptable. At this point the caller still has the connection and
    /// can close it; later the body or the pool has it.
    static func check(
        _ head: borrowing ResponseHead, _ framing: BodyFraming, for request: borrowing PreparedRequest
    ) throws(SockeyeError) -> [ContentCoding] {
        // The client never offers transfer codings (TE), so a body with a transfer coding other than chunked is
        // invalid.
        if head.summary.hasTransferCoding, !framing.isEmpty {
            var fields = SockeyeError.Fields(
                .malformedResponse, phase: .head, blame: .peer,
                message: "the body has a transfer coding that the request did not offer")
            fields.response = evidence(head)
            throw SockeyeError(fields)
        }
        return try codingsToUndo(request, head, framing)
    }

    /// Checks that the server switches to a protocol that the request offered (RFC 9110 7.8).
    static func checkProtocol(
        of head: borrowing ResponseHead, for request: borrowing PreparedRequest
    ) throws(SockeyeError) {
        let chosen = head.values(of: .upgrade)
        guard !request.offered(for: chosen) else { return }
        let isNamed = chosen.contains { !$0.isEmpty }
        throw SockeyeError(isNamed ? PeerFault.upgradeToOtherProtocol : .upgradeWithoutProtocol, phase: .head)
    }

    @inline(never)
    private static func evidence(_ head: borrowing ResponseHead) -> SockeyeError.Evidence {
        SockeyeError.Evidence(status: .init(code: head.status), headers: head.makeFields(), startOf: Bytes())
    }

    static func response(
        _ head: consuming ResponseHead, _ framing: BodyFraming, to request: borrowing PreparedRequest,
        undoing codings: [ContentCoding], first: Bytes, source: (any BodySource)?, trailers: Headers?, tls: TLSInfo?
    ) -> IncomingResponse {
        var first = first
        var source = source
        var length = framing.length
        let isCoded = codings.isEmpty && head.summary.hasContentEncoding
        if !codings.isEmpty {
            source = DecodingSource(
                codings, limits: DecodingLimits(request.limits), first: first, upstream: source,
                exceeded: exceeded(request))
            first = Bytes()
            length = nil
        }
        if let limit = request.bodyLimit, source != nil || !first.isEmpty {
            source = LimitedSource(limit, announced: length, first: first, upstream: source)
            first = Bytes()
        }
        return IncomingResponse(
            ResponseStorage(
                head: head, hidesCoding: !codings.isEmpty, request: request.identity,
                started: request.deadlines.started, tls: tls,
                body: BodyContent(first: first, source: source, expectedLength: length, trailers: trailers),
                codedLimits: isCoded ? codedLimits(request) : nil))
    }

    private static func codedLimits(_ request: borrowing PreparedRequest) -> CodedLimits {
        CodedLimits(
            decoding: DecodingLimits(request.limits), body: request.bodyLimit, exceeded: exceeded(request))
    }

    /// Returns a closure that checks the deadlines during decoding. A separate function, so that only responses with a
    /// content coding pay for the closure's allocation.
    @inline(never)
    private static func exceeded(_ request: borrowing PreparedRequest) -> @Sendable () -> SockeyeError? {
        let deadlines = request.deadlines.afterHead
        return { deadlines.exceeded(in: .body) }
    }

    /// Returns the codings to undo, if this client asked for codings. A body with an unknown coding is not decoded, and
    /// its Content-Encoding field stays in the head.
    private static func codingsToUndo(
        _ request: borrowing PreparedRequest, _ head: borrowing ResponseHead, _ framing: BodyFraming
    ) throws(SockeyeError) -> [ContentCoding] {
        guard head.summary.hasContentEncoding, request.decompresses, !framing.isEmpty else { return [] }
        do throws(CodecError) {
            return try ContentCoding.parse(head.values(of: .contentEncoding))
        } catch {
            if case .unsupported = error { return [] }
            throw undecodable(error, head)
        }
    }

    /// Converts the error and adds the status and the fields of the response. This code is not part of `codingsToUndo`:
    /// a closure there that captures the head would make every call copy the head, even without an error.
    @inline(never)
    private static func undecodable(_ error: CodecError, _ head: borrowing ResponseHead) -> SockeyeError {
        let evidence = evidence(head)
        return SockeyeError(error).with { $0.response = evidence }
    }
}

extension DecodingLimits {
    init(_ limits: ResponseLimits) {
        self.init(
            maximumBytes: limits.decodedBytes, maximumRatio: limits.decodedRatio, ratioFloor: limits.decodedRatioFloor)
    }
}
