public import SockeyeEngine
import SockeyeHTTP

/// Options of a call, such as interceptors and compression, which the module SockeyeEngine does not know. Most requests
/// have no such options and hold nil instead of this object. The object is immutable, so copies of a request can share
/// it.
final class CallOptions: RequestAttachment {
    struct Values: Sendable {
        var compression: OutgoingRequest.Compression?
        var interceptors: [any Interceptor] = []
        var skippedStages: Set<Call.Stage> = []
        var collectsMetrics = false
        var sentCredential: SentCredential?
        var isRetryAfterResponse = false
        var circuitProbe: Int?
        var context = OutgoingRequest.Context()
        /// See ``OutgoingRequest/Options/further``.
        var further = OutgoingRequest.Context()
    }

    let values: Values

    init(_ values: Values) { self.values = values }
}

extension OutgoingRequest.Options {
    var call: CallOptions? {
        @inline(__always) get { attachment as? CallOptions }
    }

    mutating func changeCall(_ body: (inout CallOptions.Values) -> Void) {
        var values = call?.values ?? CallOptions.Values()
        body(&values)
        attachment = CallOptions(values)
    }

    /// The compression of the body. Default: nil, no compression. A compression also sets Content-Encoding. If the
    /// request has that field already, the body is considered compressed and is sent unchanged.
    public var compression: OutgoingRequest.Compression? {
        get { call?.values.compression }
        set { changeCall { $0.compression = newValue } }
    }

    /// Interceptors of this call in addition to the client's. Default: none. See ``Interceptor``.
    ///
    /// Each runs inside of the client's interceptors of the same stage. The stages from ``Call/Stage/redirects`` to
    /// ``Call/Stage/cache`` can hold only one interceptor each; there, the call's interceptor replaces the client's.
    ///
    /// The list is empty in a request that an interceptor or a custom transport receives. So the interceptors do not
    /// run again if the receiver sends the request with another client.
    public var interceptors: [any Interceptor] {
        get { call?.values.interceptors ?? [] }
        set { changeCall { $0.interceptors = newValue } }
    }

    /// Stages that this call skips, such as `[.cookies]`. Interceptors in ``interceptors`` still run. Default: none.
    public var skippedStages: Set<Call.Stage> {
        get { call?.values.skippedStages ?? [] }
        set { changeCall { $0.skippedStages = newValue } }
    }

    /// True if the call sends the client's cookies and stores those of the response. Default: true.
    ///
    /// Has no effect for a client without a ``CookiePolicy``. Setting it to false adds `.cookies` to ``skippedStages``.
    /// AFNetworking's counterpart is `HTTPShouldHandleCookies`.
    public var handlesCookies: Bool {
        get { !skippedStages.contains(.cookies) }
        set {
            guard newValue != handlesCookies else { return }
            if newValue { skippedStages.remove(.cookies) } else { skippedStages.insert(.cookies) }
        }
    }

    /// True if the call collects metrics; see ``IncomingResponse/metrics``. Default: false.
    public var collectsMetrics: Bool {
        get { call?.values.collectsMetrics ?? false }
        set { changeCall { $0.collectsMetrics = newValue } }
    }

    /// True if the request is sent again because of the response to an earlier attempt. A cache must not answer such a
    /// request with a stored response.
    package var isRetryAfterResponse: Bool {
        get { call?.values.isRetryAfterResponse ?? false }
        set { changeCall { $0.isRetryAfterResponse = newValue } }
    }

    /// The sequence number of the probe, if a circuit breaker sends the request as a probe; nil for other requests. See
    /// ``CircuitBreakerMachine/Admission``.
    var circuitProbe: Int? {
        get { call?.values.circuitProbe }
        set { changeCall { $0.circuitProbe = newValue } }
    }

    /// The credential that the authentication policy added; nil if it added none.
    var sentCredential: SentCredential? {
        get { call?.values.sentCredential }
        set { changeCall { $0.sentCredential = newValue } }
    }

    /// True if the authentication policy added a credential.
    var isAuthorized: Bool { call?.values.sentCredential != nil }

    var hasInterceptors: Bool { call.map { !$0.values.interceptors.isEmpty } ?? false }

    /// True if the call adds or skips interceptors.
    var changesInterceptors: Bool {
        guard let call else { return false }
        return !call.values.interceptors.isEmpty || !call.values.skippedStages.isEmpty
    }

    /// True if the call needs a ``CallContext`` from its start, even if other calls of its client need none.
    var needsContext: Bool {
        bodyLimit != nil || compression != nil || collectsMetrics || changesInterceptors
    }
}

extension OutgoingRequest.Options {
    /// Returns options with interceptors for this call, such as `.intercepting(.redirects(.manual))`.
    public static func intercepting(_ interceptors: any Interceptor...) -> OutgoingRequest.Options {
        OutgoingRequest.Options().with { $0.interceptors = interceptors }
    }

    /// Returns these options with further interceptors. Each runs inside of the existing ones of the same stage.
    public func intercepting(_ interceptors: any Interceptor...) -> OutgoingRequest.Options {
        with { $0.interceptors += interceptors }
    }

    /// Returns options that skip the policies of some stages, such as `.skipping(.cookies)`.
    public static func skipping(_ stages: Call.Stage...) -> OutgoingRequest.Options {
        OutgoingRequest.Options().with { $0.skippedStages = Set(stages) }
    }

    /// Returns these options with further stages to skip.
    public func skipping(_ stages: Call.Stage...) -> OutgoingRequest.Options {
        with { $0.skippedStages.formUnion(stages) }
    }

    /// Returns options that compress the body.
    public static func compressing(_ compression: OutgoingRequest.Compression) -> OutgoingRequest.Options {
        OutgoingRequest.Options().compressing(compression)
    }

    /// Returns these options, set to compress the body.
    public func compressing(_ compression: OutgoingRequest.Compression) -> OutgoingRequest.Options {
        with { $0.compression = compression }
    }
}

/// A credential that the authentication policy added to a request, as opposed to one that the caller set.
enum SentCredential: Sendable {
    /// A bearer token of a token provider. The policy numbers the provider's tokens from 1; `generation` is the number
    /// of this token.
    case token(generation: Int)
    /// An answer to a challenge, or a credential that a ``CredentialSource`` gave without a challenge.
    case answer(ChallengeAnswer)
}

extension OutgoingRequest {
    /// Returns the request with the `fields` of the interceptors at or before `position` in the chain. If one of them
    /// is the token of a provider, the request records the token's number.
    func adding(_ fields: FieldLineBuffer, upTo position: Int = .max) -> OutgoingRequest {
        guard !fields.isEmpty else { return self }
        var request = self
        request.change { values in
            guard let generation = fields.copy(upTo: position, to: &values.headers) else { return }
            values.options.sentCredential = .token(generation: generation)
        }
        return request
    }
}
