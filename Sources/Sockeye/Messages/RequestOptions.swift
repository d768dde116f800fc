package import SockeyeCore
public import SockeyeNet

/// What one call may set differently from its client. Nil leaves the client's setting.
public struct RequestOptions: Sendable {
    /// Deadlines for this request instead of the client's.
    public var timeouts: Timeouts? {
        @inline(__always) get { seldom?.set.timeouts }
        set { change { $0.timeouts = newValue } }
    }

    /// TLS for this request instead of what the client has for its host (``ClientConfiguration/tls``,
    /// ``ClientConfiguration/tlsOverrides``), as a whole. Default nil: the client's.
    ///
    /// The request uses only connections and sessions that were made with an equal configuration. A redirect to another
    /// origin goes on with what the client has for that one. With pins, a request over plain http fails.
    public var tls: TLSConfiguration? {
        get { seldom?.set.tls?.configuration }
        set { change { $0.tls = newValue.map { OwnTLS($0) } } }
    }

    /// What the response may do wrong, instead of the client's setting.
    public var tolerances: ResponseTolerances? {
        @inline(__always) get { seldom?.set.tolerances }
        set { change { $0.tolerances = newValue } }
    }

    /// How the body is compressed. Default nil: not at all. Content-Encoding is set, unless the request has that field,
    /// in which case the body is taken for coded already.
    public var compression: RequestCompression? {
        get { seldom?.set.compression }
        set { change { $0.compression = newValue } }
    }

    /// The bytes of the body that this call accepts, after decoding, instead of ``ResponseLimits/bodyBytes``; `Int.max` for
    /// any. Default nil: as the client. Holds for streamed bodies, too; see there for when and how it fails.
    public var bodyLimit: Int? {
        get { seldom?.set.bodyLimit }
        set { change { $0.bodyLimit = newValue } }
    }

    /// Interceptors of this call, in addition to those of its client: further in than the client's in the same stage, and
    /// instead of it where a stage holds one. Default none. See ``Interceptor``.
    public var interceptors: [any Interceptor] {
        get { seldom?.set.interceptors ?? [] }
        set { change { $0.interceptors = newValue } }
    }

    /// Stages whose interceptors this call goes without, such as `[.cookies]`. Those in ``interceptors`` stay. Default
    /// none.
    public var skippedStages: Set<InterceptorStage> {
        get { seldom?.set.skippedStages ?? [] }
        set { change { $0.skippedStages = newValue } }
    }

    /// Whether the call is measured; see ``Response/metrics``. Default false.
    public var collectsMetrics: Bool {
        @inline(__always) get { seldom?.set.collectsMetrics ?? false }
        set { change { $0.collectsMetrics = newValue } }
    }

    /// Who takes note of what happens to the call.
    package var observer: CallObserver? {
        @inline(__always) get { seldom?.set.observer }
        set { change { $0.observer = newValue } }
    }

    /// Holds up the content while the task that sends it is paused.
    var gate: TransferGate? {
        @inline(__always) get { seldom?.set.gate }
        set { change { $0.gate = newValue } }
    }

    /// When the call that this request is part of has to be over.
    package var deadline: MonotonicTime? {
        @inline(__always) get { seldom?.set.deadline }
        set { change { $0.deadline = newValue } }
    }

    /// How long this exchange may take until its head is there.
    package var attemptTimeout: Duration? {
        @inline(__always) get { seldom?.set.attemptTimeout }
        set { change { $0.attemptTimeout = newValue } }
    }

    /// Whether a redirect has led to another origin than the caller asked for, be it that another one led back.
    package var leftOrigin: Bool {
        @inline(__always) get { seldom?.set.leftOrigin ?? false }
        set { change { $0.leftOrigin = newValue } }
    }

    /// Whether the caller asked for another origin than those that the client's scope is meant for.
    var isOutsideScope: Bool {
        @inline(__always) get { seldom?.set.isOutsideScope ?? false }
        set { change { $0.isOutsideScope = newValue } }
    }

    /// What the policy of authentication put into the request.
    var sentCredential: SentCredential? {
        @inline(__always) get { seldom?.set.sentCredential }
        set { change { $0.sentCredential = newValue } }
    }

    /// Whether there is such a thing.
    var isAuthorized: Bool { seldom?.set.sentCredential != nil }

    /// By reference: most requests have none of these, and none should pay for carrying a dozen fields around. What reads
    /// it is inlined where it is asked for, so that it loads this one reference instead of copying all options.
    private var seldom: Seldom?

    /// By reference, as it is large and few have it.
    private final class OwnTLS: Sendable {
        let configuration: TLSConfiguration

        init(_ configuration: TLSConfiguration) { self.configuration = configuration }
    }

    private struct SeldomSet: Sendable {
        var tls: OwnTLS?
        var timeouts: Timeouts?
        var tolerances: ResponseTolerances?
        var compression: RequestCompression?
        var bodyLimit: Int?
        var interceptors: [any Interceptor] = []
        var skippedStages: Set<InterceptorStage> = []
        var deadline: MonotonicTime?
        var attemptTimeout: Duration?
        var collectsMetrics = false
        var observer: CallObserver?
        var gate: TransferGate?
        var leftOrigin = false
        var isOutsideScope = false
        var sentCredential: SentCredential?
    }

    private final class Seldom: Sendable {
        let set: SeldomSet

        init(_ set: SeldomSet) { self.set = set }
    }

    private mutating func change(_ body: (inout SeldomSet) -> Void) {
        var set = seldom?.set ?? SeldomSet()
        body(&set)
        seldom = Seldom(set)
    }

    /// Whether any of those is set.
    var hasSeldomOptions: Bool { seldom != nil }

    /// Whether the call has interceptors of its own, or goes without some.
    @inline(__always) var changesInterceptors: Bool {
        guard let seldom else { return false }
        return !seldom.set.interceptors.isEmpty || !seldom.set.skippedStages.isEmpty
    }

    /// Whether the call has a chain of its own, is to be accounted for, or does not end with every response.
    @inline(__always) var isSpecial: Bool {
        guard let seldom else { return false }
        return changesInterceptors || seldom.set.collectsMetrics || seldom.set.bodyLimit != nil
    }

    /// Asks the server for permission (`Expect: 100-continue`, RFC 9110 10.1.1) before a body is sent, and waits for it
    /// at most this long before sending the body anyway. Default nil: the body follows at once, unless the caller sets
    /// the field, which then means one second.
    public var expectContinue: Duration?
    /// Whether gzip and deflate are asked for and undone. Default: the client's setting, which is true.
    public var decompresses: Bool?
    /// The unix-domain socket to connect to instead of the URL's host; `Host` still names the URL's authority.
    public var unixSocketPath: String?
    /// Whether a request that found its reused connection closed may be sent again although its method is not idempotent
    /// (as an `Idempotency-Key` field says as well). Default false. RFC 9110 9.2.2.
    public var isIdempotent: Bool?
    /// Closes the connection after the response (`Connection: close`). Default false.
    public var closesConnection = false
    /// Called for each interim response (1xx) with its status code and fields, before the final one is delivered.
    public var onInterim: (@Sendable (InterimResponse) -> Void)?
    /// Called with the number of body bytes that the system has taken so far, each time some were.
    public var onBodyProgress: (@Sendable (Int) -> Void)?

    /// Makes options that leave everything to the client.
    public init() {}

    /// Options with deadlines of their own.
    public static func timeouts(_ timeouts: Timeouts) -> RequestOptions {
        var options = RequestOptions()
        options.timeouts = timeouts
        return options
    }

    /// Options with a closure that is called with the number of body bytes sent so far.
    public static func reportingProgress(_ report: @escaping @Sendable (Int) -> Void) -> RequestOptions {
        var options = RequestOptions()
        options.onBodyProgress = report
        return options
    }

    /// Options with a limit for the body of the response.
    public static func limitingBody(to bytes: Int) -> RequestOptions {
        var options = RequestOptions()
        options.bodyLimit = bytes
        return options
    }

    /// Options with an interceptor of the call's own, such as `.intercepting(.redirects(.manual))`.
    public static func intercepting(_ interceptor: some Interceptor) -> RequestOptions {
        intercepting(interceptor as any Interceptor)
    }

    /// Options with an interceptor of any type.
    public static func intercepting(_ interceptor: any Interceptor) -> RequestOptions {
        var options = RequestOptions()
        options.interceptors = [interceptor]
        return options
    }

    /// Options without the policies of some stages, such as `.skipping(.cookies)`.
    public static func skipping(_ stages: InterceptorStage...) -> RequestOptions {
        var options = RequestOptions()
        options.skippedStages = Set(stages)
        return options
    }

    /// Options with the body compressed.
    public static func compressing(_ compression: RequestCompression) -> RequestOptions {
        var options = RequestOptions()
        options.compression = compression
        return options
    }

    /// Options with a deadline for the whole request and, if given, one for the connect phase.
    public static func timeout(total: Duration?, connect: Duration? = .seconds(10)) -> RequestOptions {
        .timeouts(Timeouts(total: total, connect: connect))
    }
}
