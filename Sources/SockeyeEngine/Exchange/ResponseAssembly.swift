import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The assembly of a response: head, body source, and the decoding and limit in between.
enum ResponseAssembly {
    /// The codings to undo, outermost last.
    ///
    /// Refuses what the head alone tells to be unacceptable, while the connection still is the caller's to close.
    static func check(
        _ head: borrowing ResponseHead, _ framing: BodyFraming, for request: borrowing PreparedRequest
    ) throws(SockeyeError) -> [ContentCoding] {
        // We never offer transfer codings (TE), so a body that has one besides chunked is not the body it claims to be.
        if head.summary.hasTransferCoding, !framing.isEmpty {
            var fields = SockeyeError.Fields(
                .malformedResponse, phase: .head, blame: .peer,
                message: "the body has a transfer coding that was not asked for")
            fields.response = evidence(head)
            throw SockeyeError(fields)
        }
        return try codingsToUndo(request, head, framing)
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
                body: BodyContent(first: first, source: source, expectedLength: length, trailers: trailers)))
    }

    /// Apart, since a closure costs an allocation that only coded content needs.
    @inline(never)
    private static func exceeded(_ request: borrowing PreparedRequest) -> @Sendable () -> SockeyeError? {
        let deadlines = request.deadlines.afterHead
        return { deadlines.exceeded(in: .body) }
    }

    /// The codings that this client asked for and so takes back. One that it does not know is left to the caller, with
    /// the field that names it.
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

    /// Apart, since a closure over the head costs every response a copy of it.
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
