import FoundationEssentials
import HTTPTypes
import SockeyeCore
import SockeyeHTTP1

/// A request with everything decided that does not depend on the connection.
///
/// A class, since it goes from hand to hand on the hot path and holds a dozen references: handing it on is one of them.
final class PreparedRequest: Sendable {
    let url: HTTPURL
    let kind: MethodKind
    let options: RequestOptions
    let body: RequestBody
    let framing: RequestFraming
    let deadlines: Deadlines
    let limits: ResponseLimits
    /// How long to wait for permission to send the body; nil sends it at once.
    let expectContinue: Duration?
    /// Whether a coded body is decoded: only if it was this client that asked for codings.
    let decompresses: Bool
    let head: RequestHead
    /// The limits in the engine's terms.
    let wireLimits: HTTP1Limits

    init(
        _ request: Request, upgrade: String?, configuration: ClientConfiguration, time: TimeSource
    ) throws(SockeyeError) {
        let framing = try Self.framing(of: request.body, kind: MethodKind(request.method.rawValue))
        self.framing = framing
        url = request.url
        options = request.options
        body = request.body
        kind = MethodKind(request.method.rawValue)
        deadlines = Deadlines(timeouts: request.options.timeouts ?? configuration.timeouts, time: time)
        limits = configuration.limits
        wireLimits = HTTP1Limits(configuration.limits)
        let wantsDecoding = request.options.decompresses ?? configuration.decompresses
        decompresses = wantsDecoding && !request.headers.contains(.acceptEncoding) && !request.headers.contains(.range)
        let permission = request.options.expectContinue ?? (request.headers.asksForContinue ? .seconds(1) : nil)
        expectContinue = framing.isEmpty ? nil : permission
        let connectTarget = kind == .connect ? request.url.authorityForm : nil
        var head = RequestHead(
            method: request.method.rawValue, kind: kind,
            target: connectTarget.map { Substring($0).utf8 } ?? request.url.target,
            authority: connectTarget.map { Substring($0).utf8 } ?? request.url.authority,
            headers: try Self.withCredentials(of: request), defaults: [:], body: framing,
            closesConnection: request.options.closesConnection || request.headers.asksToClose,
            expectsContinue: expectContinue != nil, upgrade: upgrade)
        head.defaults = Self.defaults(userAgent: configuration.userAgent, decompresses: decompresses)
        self.head = head
    }

    /// The same request without an expectation, which the server refused.
    init(withoutExpectation other: PreparedRequest) {
        url = other.url
        kind = other.kind
        options = other.options
        body = other.body
        framing = other.framing
        deadlines = other.deadlines
        limits = other.limits
        wireLimits = other.wireLimits
        decompresses = other.decompresses
        expectContinue = nil
        var head = other.head
        head.expectsContinue = false
        self.head = head
    }

    /// The client's own fields; those that never change are made once per process.
    private static func defaults(userAgent: String?, decompresses: Bool) -> Headers {
        if userAgent == "sockeye" { return decompresses ? usual : usualUncoded }
        var fields = Headers()
        if let userAgent { fields.append(.userAgent, userAgent) }
        fields.append(.accept, "*/*")
        if decompresses { fields.append(.acceptEncoding, codings) }
        return fields
    }

    private static let codings = "gzip, deflate"
    private static let usual: Headers = [.userAgent: "sockeye", .accept: "*/*", .acceptEncoding: codings]
    private static let usualUncoded: Headers = [.userAgent: "sockeye", .accept: "*/*"]

    private static func framing(of body: RequestBody, kind: MethodKind) throws(SockeyeError) -> RequestFraming {
        switch body.source {
        case .none: return .none
        case .bytes(let bytes) where kind == .trace || kind == .connect:
            if bytes.isEmpty { return .none }
            throw SockeyeError(RequestFault.bodyNotAllowed)
        case .bytes(let bytes): return .length(bytes.count)
        case .producer:
            if let length = body.length {
                guard length >= 0 else { throw SockeyeError(RequestFault.invalidLength) }
                return .length(length)
            }
            return .chunked
        }
    }

    /// User name and password of the URL become Basic credentials (RFC 7617), unless the caller set his own.
    private static func withCredentials(of request: Request) throws(SockeyeError) -> Headers {
        guard let user = request.url.user, !request.headers.contains(.authorization) else { return request.headers }
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw SockeyeError(
                .init(
                    .invalidRequest, phase: .prepare, blame: .caller,
                    message: "the user name in the URL has a colon, which Basic credentials cannot carry"))
        }
        var headers = request.headers
        let pair = Data("\(user):\(request.url.password ?? "")".utf8)
        headers.append(.authorization, "Basic \(pair.base64EncodedString())")
        return headers
    }
}

extension HTTP1Limits {
    fileprivate init(_ limits: ResponseLimits) {
        self.init()
        headBytes = limits.headBytes
        fieldCount = limits.fieldCount
        interimResponses = limits.interimResponses
    }
}
