public import SockeyeEngine
import SockeyeHTTP

/// The options of a call that the engine does not know, such as interceptors and compression. An immutable reference, since
/// few requests have any.
final class CallOptions: RequestAttachment {
    struct Values: Sendable {
        var compression: OutgoingRequest.Compression?
        var interceptors: [any Interceptor] = []
        var skippedStages: Set<Call.Stage> = []
        var collectsMetrics = false
        var sentCredential: SentCredential?
        var cacheUse: CachedResponse.Mode?
        var repeatsAnswer = false
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

    /// How the body is compressed. Default nil: not at all. Content-Encoding is set, unless the request has that field,
    /// in which case the body is taken for coded already.
    public var compression: OutgoingRequest.Compression? {
        get { call?.values.compression }
        set { changeCall { $0.compression = newValue } }
    }

    /// Interceptors of this call, in addition to those of its client: further in than the client's in the same stage, and
    /// instead of it where a stage holds one. Default none. See ``Interceptor``.
    public var interceptors: [any Interceptor] {
        get { call?.values.interceptors ?? [] }
        set { changeCall { $0.interceptors = newValue } }
    }

    /// Stages whose interceptors this call goes without, such as `[.cookies]`. Those in ``interceptors`` stay. Default
    /// none.
    public var skippedStages: Set<Call.Stage> {
        get { call?.values.skippedStages ?? [] }
        set { changeCall { $0.skippedStages = newValue } }
    }

    /// Whether the call takes part in its client's cookies: sends them, and stores those of the response. Default true, which
    /// changes nothing for a client without a ``CookiePolicy``. False is ``skippedStages`` with `.cookies` in it.
    ///
    /// AFNetworking's counterpart is `HTTPShouldHandleCookies`.
    public var handlesCookies: Bool {
        get { !skippedStages.contains(.cookies) }
        set {
            guard newValue != handlesCookies else { return }
            if newValue { skippedStages.remove(.cookies) } else { skippedStages.insert(.cookies) }
        }
    }

    /// Whether the call is measured; see ``IncomingResponse/metrics``. Default false.
    public var collectsMetrics: Bool {
        get { call?.values.collectsMetrics ?? false }
        set { changeCall { $0.collectsMetrics = newValue } }
    }

    /// How far the caching policy uses what is stored; nil: as it was told.
    var cacheUse: CachedResponse.Mode? {
        get { call?.values.cacheUse }
        set { changeCall { $0.cacheUse = newValue } }
    }

    /// Whether the request is sent again because of the answer that it got, which is not to come from a store then.
    var repeatsAnswer: Bool {
        get { call?.values.repeatsAnswer ?? false }
        set { changeCall { $0.repeatsAnswer = newValue } }
    }

    /// The credential that the authentication policy added.
    var sentCredential: SentCredential? {
        get { call?.values.sentCredential }
        set { changeCall { $0.sentCredential = newValue } }
    }

    /// Whether the authentication policy added a credential.
    var isAuthorized: Bool { call?.values.sentCredential != nil }

    /// Whether the call has interceptors of its own, or goes without some.
    var changesInterceptors: Bool {
        guard let call else { return false }
        return !call.values.interceptors.isEmpty || !call.values.skippedStages.isEmpty
    }

    /// Whether the call leaves the fast path of its client's chain: for metrics, compression, a body limit or interceptors of
    /// its own.
    var needsContext: Bool {
        bodyLimit != nil || compression != nil || collectsMetrics || changesInterceptors
    }
}

extension OutgoingRequest.Options {
    /// Options with interceptors of the call's own, such as `.intercepting(.redirects(.manual))`.
    public static func intercepting(_ interceptors: any Interceptor...) -> OutgoingRequest.Options {
        OutgoingRequest.Options().with { $0.interceptors = interceptors }
    }

    /// These options with further interceptors, further in than those of the same stage.
    public func intercepting(_ interceptors: any Interceptor...) -> OutgoingRequest.Options {
        with { $0.interceptors += interceptors }
    }

    /// Options without the policies of some stages, such as `.skipping(.cookies)`.
    public static func skipping(_ stages: Call.Stage...) -> OutgoingRequest.Options {
        OutgoingRequest.Options().with { $0.skippedStages = Set(stages) }
    }

    /// These options without the policies of some further stages.
    public func skipping(_ stages: Call.Stage...) -> OutgoingRequest.Options {
        with { $0.skippedStages.formUnion(stages) }
    }

    /// Options with the body compressed.
    public static func compressing(_ compression: OutgoingRequest.Compression) -> OutgoingRequest.Options {
        OutgoingRequest.Options().compressing(compression)
    }

    /// These options with the body compressed.
    public func compressing(_ compression: OutgoingRequest.Compression) -> OutgoingRequest.Options {
        with { $0.compression = compression }
    }
}

/// The credential that the authentication policy added to a request, as opposed to one of the caller's.
enum SentCredential: Sendable {
    /// A bearer token, by its number.
    case token(generation: Int)
    case answer(ChallengeAnswer)
}

extension OutgoingRequest {
    /// The request with the fields that policies up to a position added, and a note of the credential among them.
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
