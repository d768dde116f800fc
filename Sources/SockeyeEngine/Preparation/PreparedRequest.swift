import HTTPTypes
import SockeyeCore
package import SockeyeHTTP

/// A request for which all decisions that do not depend on the connection have been made.
///
/// Noncopyable, because it holds a dozen references, and a copy would retain all of them.
struct PreparedRequest: ~Copyable, Sendable {
    let request: OutgoingRequest.Parts
    private let configuration: SharedConfiguration
    /// The head to send, with the caller's fields and the credentials of the URL. The client's own fields and the
    /// fields that policies add are not part of it; ``encodeHead(adding:into:)`` adds them.
    private let head: RequestHead
    let deadlines: RequestDeadlines
    /// The longest wait for permission to send the body; nil to send the body at once.
    let expectContinue: Duration?
    /// True if a coded response body is decoded; see `undoesCodings(byDefault:)`.
    let decompresses: Bool
    /// An upper bound of the size of the head, without fields that policies add.
    let headSizeBound: Int
    let observer: (any ExchangeObserver)?
    /// The number that the observer has given to the exchange that sends the request.
    var exchange = 0

    /// - Parameter call: The client's call that makes this request. If nil, the observer and the deadline in the
    ///   options of the request apply.
    init(
        _ request: OutgoingRequest.Parts, of call: (any CallLink)? = nil, proxy: Proxy? = nil,
        proxyAuthorization: String? = nil, configuration: SharedConfiguration, time: TimeSource
    ) throws(SockeyeError) {
        let kind = MethodKind(request.method.rawValue)
        let framing = try Self.framing(of: request, kind: kind)
        let url = request.url
        var headers =
            url.hasUserInfo
            ? try Self.headersWithCredentials(request, through: proxy, configuration.value) : request.headers
        if let proxyAuthorization { headers.append(.proxyAuthorization, proxyAuthorization) }
        // A forwarding proxy gets the target in absolute-form (RFC 9112 3.2.2).
        let isForwarded = proxy?.forwards(url) ?? false
        self.request = request
        self.configuration = configuration
        deadlines = RequestDeadlines(
            timeouts: request.timeouts(over: configuration.timeouts), time: time,
            deadline: request.deadline(of: call), attemptTimeout: request.options.attemptTimeout,
            attemptStart: request.options.attemptTimeout == nil ? nil : call?.attemptStart)
        observer = request.observer(of: call)
        decompresses = request.undoesCodings(byDefault: configuration.value.decompresses)
        let permission = request.options.expectContinue ?? (request.headers.asksForContinue ? .seconds(1) : nil)
        expectContinue = framing.isEmpty ? nil : permission
        head = RequestHead(
            method: request.method.rawValue, kind: kind, target: Self.target(url, kind, isForwarded: isForwarded),
            headers: headers, body: framing,
            closesConnection: request.options.closesConnection || request.headers.asksToClose,
            expectsContinue: expectContinue != nil, upgrade: request.hasRareOptions ? request.options.upgrade : nil,
            isSentToProxy: isForwarded)
        headSizeBound = RequestHeadEncoder.sizeBound(head, defaults: configuration.defaults)
    }

    /// Copies the request without `Expect: 100-continue`, after the server refused that expectation (417).
    init(withoutExpectation other: borrowing PreparedRequest) {
        self.init(other, headers: other.head.headers, expectContinue: nil)
    }

    /// Copies the request with the answer to a proxy's challenge.
    init(_ other: borrowing PreparedRequest, proxyAuthorization: String) {
        var headers = other.head.headers
        headers.removeAll(named: .proxyAuthorization)
        headers.append(.proxyAuthorization, proxyAuthorization)
        self.init(other, headers: headers, expectContinue: other.expectContinue)
    }

    private init(_ other: borrowing PreparedRequest, headers: Headers, expectContinue: Duration?) {
        request = other.request
        observer = other.observer
        configuration = other.configuration
        deadlines = other.deadlines
        decompresses = other.decompresses
        self.expectContinue = expectContinue
        head = RequestHead(
            method: other.head.method, kind: other.kind, target: other.head.target, headers: headers,
            body: other.framing, closesConnection: other.head.closesConnection,
            expectsContinue: expectContinue != nil, upgrade: other.upgrade, isSentToProxy: other.head.isSentToProxy)
        headSizeBound = RequestHeadEncoder.sizeBound(head, defaults: configuration.defaults)
    }

    var identity: RequestIdentity { RequestIdentity(method: request.method.rawValue, url: request.url) }
    var kind: MethodKind { head.kind }
    var framing: RequestFraming { head.body }
    var upgrade: String? { head.upgrade }
    var url: HTTPURL { _read { yield request.url } }
    var body: OutgoingRequest.Body { _read { yield request.body } }
    var options: OutgoingRequest.Options { _read { yield request.options } }
    var limits: ResponseLimits { configuration.value.limits }
    var bodyLimit: BodyLimit? {
        if request.hasRareOptions, let bytes = request.options.bodyLimit { return .ofCall(bytes) }
        return configuration.value.limits.bodyBytes.map { .ofClient($0) }
    }
    var wireLimits: HTTP1Limits { configuration.wireLimits }
    var tolerances: ResponseTolerances { request.options.tolerances ?? configuration.tolerances }

    var isRepeatable: Bool { request.body.isReplayable && request.isIdempotent }

    /// True if the Upgrade fields of a 101 response name at least one protocol, and only protocols that the request
    /// offered (RFC 9110 7.8).
    ///
    /// - Parameter protocols: The values of the response's Upgrade fields.
    func offered(for protocols: [String]) -> Bool {
        let asked = Self.protocols(in: upgrade ?? "")
        let chosen = protocols.flatMap { Self.protocols(in: $0) }
        return !chosen.isEmpty && chosen.allSatisfy { asked.contains($0) }
    }

    private static func protocols(in list: String) -> [[UInt8]] {
        list.utf8.split(separator: UInt8(ascii: ",")).map { member in
            member.filter { $0 != 0x20 && $0 != 0x09 }.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        }
    }

    /// The facts about the request that the exchange needs.
    var facts: ExchangeFacts {
        ExchangeFacts(
            method: kind, hasBody: !framing.isEmpty, expectsContinue: expectContinue != nil,
            requestsUpgrade: upgrade != nil, closesConnection: head.closesConnection, limits: wireLimits)
    }

    /// Writes the head to the start of `buffer` and returns its length.
    ///
    /// - Parameters:
    ///   - added: The fields added by policies.
    ///   - buffer: A buffer with room for ``headSizeBound`` bytes and those of `added`.
    func encodeHead(
        adding added: borrowing FieldLineBuffer, into buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestFault) -> Int {
        // `defaults` are the client's own fields. Each is sent only if the request has no field of that name. The
        // buffer is large enough for either list: `headSizeBound` was computed with the longer one, which includes
        // Accept-Encoding.
        let defaults = decompresses ? configuration.defaults : configuration.uncodedDefaults
        let count = try unsafe RequestHeadEncoder.encode(head, defaults: defaults, into: buffer) ?? 0
        return unsafe added.isEmpty ? count : RequestHeadEncoder.add(added, toHeadOf: count, in: buffer)
    }

    private static func target(_ url: HTTPURL, _ kind: MethodKind, isForwarded: Bool) -> RequestTarget {
        guard kind == .connect else {
            return isForwarded ? .text(target: url.absoluteForm, authority: url.authorityView) : .url(url)
        }
        let authority = Substring(url.authorityForm).utf8
        return .text(target: authority, authority: authority)
    }

    private static func framing(
        of request: OutgoingRequest.Parts, kind: MethodKind
    ) throws(SockeyeError) -> RequestFraming {
        switch request.body.source {
        case .none: return .none
        case .bytes(let bytes) where kind == .trace || kind == .connect:
            if bytes.isEmpty { return .none }
            throw SockeyeError(RequestFault.bodyNotAllowed)
        case .bytes(let bytes): return .length(bytes.count)
        case .producer:
            if let length = request.body.length {
                guard length >= 0 else { throw SockeyeError(RequestFault.invalidLength) }
                return .length(length)
            }
            return try framingByField(of: request)
        }
    }

    /// Returns the framing of a body without a declared length: by the caller's Content-Length field, else chunked. If
    /// the body has another length than that field says, the upload fails.
    ///
    /// A Content-Length is ignored if the body has trailers, which need chunks (RFC 9112 7.1.2). It is also ignored if
    /// the caller set Transfer-Encoding, which overrides it (RFC 9112 6.3).
    private static func framingByField(of request: OutgoingRequest.Parts) throws(SockeyeError) -> RequestFraming {
        guard request.body.trailers == nil, request.headers.contains(.contentLength),
            !request.headers.contains(.transferEncoding)
        else { return .chunked }
        let values = request.headers[values: .contentLength]
        guard values.count == 1, values[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let length = Int(values[0]).flatMap({ PeerNumber.length($0) })
        else { throw SockeyeError(RequestFault.invalidContentLength) }
        return .length(length)
    }

    /// Returns the fields of the request. If the URL has a user name and the caller did not set Authorization, the
    /// user name and password are added as Basic credentials (RFC 7617).
    private static func headersWithCredentials(
        _ request: OutgoingRequest.Parts, through proxy: Proxy?, _ configuration: EngineConfiguration
    ) throws(SockeyeError) -> Headers {
        // TRACE gets no credentials, because its response may show the fields of the request (RFC 9110 9.3.8).
        guard let credential = request.url.credential, !request.headers.contains(.authorization),
            !request.isTrace
        else { return request.headers }
        guard
            configuration.allowsPlaintextCredentials
                || request.isPrivate(by: LoopbackRoute(through: proxy, configuration.overrides))
        else {
            throw .insecureCredentials(
                "user name and password of the URL are not sent over plain http, unless the client's configuration "
                    + "has allowsPlaintextCredentials")
        }
        var headers = request.headers
        headers.append(.authorization, try credential.checkedAuthorization)
        return headers
    }
}

extension OutgoingRequest.Parts {
    /// True for TRACE. Compares the lengths first, because comparing different texts takes a hundred instructions.
    package var isTrace: Bool { method.rawValue.utf8.count == 5 && method == .trace }

    /// True for CONNECT. Compares the lengths first, for the same reason.
    package var isConnect: Bool { method.rawValue.utf8.count == 7 && method == .connect }

    /// True if sending the request twice has the same effect as sending it once (RFC 9110 9.2.2). The caller's
    /// declaration takes precedence. Without a declaration, the method or an Idempotency-Key field decides.
    package var isIdempotent: Bool {
        if let declared = options.isIdempotent { return declared }
        return MethodKind(method.rawValue).isIdempotent || headers.contains("Idempotency-Key")
    }

    /// Returns the time limits of the request, completed with those of the client.
    @inline(__always)
    func timeouts(over usual: SharedTimeouts) -> SharedTimeouts {
        guard hasRareOptions, let own = options.timeouts else { return usual }
        return SharedTimeouts(own.over(usual.value))
    }

    @inline(__always)
    func observer(of call: (any CallLink)?) -> (any ExchangeObserver)? {
        if let observer = call?.exchangeObserver { return observer }
        return hasRareOptions ? options.observer : nil
    }

    /// Returns the deadline of the call. Without a call, or if the call has no deadline, returns the deadline in the
    /// options of the request. If the result is nil, the total limit counts from the start of this request.
    @inline(__always)
    func deadline(of call: (any CallLink)?) -> MonotonicTime? {
        if let deadline = call?.deadline, deadline != .distantFuture { return deadline }
        return hasRareOptions ? options.deadline : nil
    }

    /// Returns the start of the call. Without a call, returns the start in the options of the request, which is nil if
    /// this request begins the call.
    func start(of call: (any CallLink)?) -> MonotonicTime? {
        call?.started ?? (hasRareOptions ? options.callStarted : nil)
    }

    /// True if content codings of the response are undone. False if decompression is turned off. Also false if the
    /// caller asks for a Range, which counts bytes of the coded form, or negotiates codings with an Accept-Encoding
    /// field.
    ///
    /// With ``OutgoingRequest/Options/decompresses`` set to true, `Accept-Encoding: identity` does not count as
    /// negotiation.
    @inline(__always)
    package func undoesCodings(byDefault usual: Bool) -> Bool {
        guard options.decompresses ?? usual else { return false }
        return headers.isEmpty || leavesCodingsToClient
    }

    private var leavesCodingsToClient: Bool {
        guard !headers.contains(.range) else { return false }
        guard headers.contains(.acceptEncoding) else { return true }
        return options.decompresses == true && headers.acceptsOnlyIdentity
    }
}

extension HTTPURL {
    /// The user name and password of the URL; nil without a user name. A missing password counts as an empty one.
    package var credential: Credential? { user.map { .user($0, password: password ?? "") } }
}
