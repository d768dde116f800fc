public import SockeyeEngine
public import SockeyeHTTP

/// Answers from stored responses, and stores what may be: a private HTTP cache (RFC 9111). Off by default.
///
/// ```swift
/// let client = HTTPClient().adding(.cache(CachePolicy.MemoryStore(limit: 64 << 20)))
/// ```
///
/// All of RFC 9111 holds for GET and HEAD: freshness, said or guessed (a tenth of the time since the last change, a day at
/// most), Age, Vary, validation by ETag and Last-Modified, updates by 304 and HEAD, invalidation by unsafe methods; besides
/// `stale-while-revalidate` and `stale-if-error` (RFC 5861) and `immutable` (RFC 8246). Ranges are served from whole
/// responses whose content is in no coding; parts are not stored. What was done stands in
/// ``IncomingResponse/cacheOutcome``, and a served response carries Age.
///
/// It stands behind the policies of cookies and credentials and sees each of their requests. A response is stored while its
/// caller reads it, at the caller's pace: if the caller stops early, nothing is stored, unless ``finishesAbandonedBodies``. Requests go
/// past the cache that have content or TLS settings of their own; conditional requests of the caller's own are sent as they
/// are. Identical GETs in flight join, see ``joinsRequests``. Trailer fields are not stored, and a stored
/// Set-Cookie is never served: it is for the caller that caused the request.
///
/// **Secrets.** The answers to different Authorization, Cookie, user information of the URL, Host, unix-domain socket, the
/// fields of ``RedirectPolicy/usualStrippedFields`` and those of the client's ``RedirectPolicy/strippedFields`` never mix,
/// whatever Vary says: stored responses have an unsalted SHA-256 digest of them and are served only if it is the same. An answer
/// with `private` is served only if all other fields of the request are the same as well, but for those that say nothing about
/// the user: content negotiation, User-Agent, Referer, conditions, and identifiers of traces and requests. So one store may be shared by several clients and users. What the
/// policy cannot see, it cannot tell apart: clients that share a store and differ in their client certificates, proxies, host
/// overrides, or in secrets that an interceptor of the stage ``Call/Stage/attempt`` adds, each need a ``partition``
/// of their own; calls with such an interceptor that says of itself that it carries credentials, and without a partition, go past
/// the cache. With Digest authentication no two requests have the same field, and nothing is served.
public struct CachePolicy: Interceptor {
    /// How a call uses the cache; `NSURLRequest.CachePolicy`'s and AFNetworking's names.
    public typealias Mode = CachedResponse.Mode

    /// The bounds of work that no caller waits for.
    public struct BackgroundLimits: Sendable, Hashable {
        /// How long one piece of work may take. Default 60 s. It is cancelled then; zero and less: nothing is done.
        public var duration: Duration = .seconds(60)
        /// The most bytes of content that one piece of work reads, after decoding. Default 64 MiB. Longer content is not stored.
        public var bytes = 64 << 20

        /// Makes the defaults named at each property.
        public init() {}
    }

    /// Where the responses are.
    public let store: any CachePolicy.Store
    /// How calls use it that do not say so (``OutgoingRequest/Options/cacheMode``). Default ``CachedResponse/Mode/useProtocol``.
    public var mode = Mode.useProtocol
    /// Keeps responses apart from those of other policies over the same store. Default empty.
    public var partition = ""
    /// For how long a response may be stale that is served because the server cannot be reached or answers 500, 502, 503 or
    /// 504, where the response itself does not say (`stale-if-error`). Default zero: not at all.
    public var staleIfError = Duration.zero
    /// Whether a body that the caller stops reading is read to its end in the background and stored. Default false: it ends
    /// there, and so does its connection, and nothing is stored.
    public var finishesAbandonedBodies = false
    /// The bounds of work in the background: of the refresh of a response that was served by `stale-while-revalidate`, and of
    /// reading a body by ``finishesAbandonedBodies``. All of it also ends with the client.
    public var background = BackgroundLimits()
    /// Whether a GET waits for an identical one in flight and shares its answer, instead of being sent as well. Default true.
    ///
    /// It waits for the head. An answer that may be stored and served without asking is then shared, whatever its size; any other
    /// goes to one caller, and each of the others sends its own request. Each caller has a total deadline and cancellation of its
    /// own, and reads at its own pace until the slowest caller is 1 MiB behind. Then the others wait for that one: up to their
    /// ``Timeouts/stall`` deadline, and 2 s if it has read nothing yet. A caller that has not read until then gets the rest
    /// from the store, or by a request of its own; it fails with ``SockeyeError/Code-swift.struct/timeout`` if the server has
    /// another version of the content by then. The exchange ends with its last caller. Calls join only if their deadlines for the
    /// single phases (``Timeouts``) are equal.
    public var joinsRequests = true
    /// Asked about each response before it is stored: returns it, or changed, or nil for not storing it. AFNetworking's
    /// counterpart is `setDataTaskWillCacheResponseBlock:`. Default nil: all are stored that may be.
    public var willCache: (@Sendable (_ response: CachedResponse, _ request: OutgoingRequest) -> CachedResponse?)?

    let activity = CacheActivity()
    /// The store, if it is that one: it is asked without waiting, and knows more.
    let memory: CachePolicy.MemoryStore?

    /// Whether something is being revalidated in the background.
    package var isRevalidating: Bool { activity.isRevalidating }

    /// How many calls wait for the head of an exchange that they may share.
    package var callersInFlight: Int { activity.callersInFlight }

    /// Makes a policy over a store, which any number of clients may share.
    public init(_ store: any CachePolicy.Store) {
        self.store = store
        memory = store as? CachePolicy.MemoryStore
    }

    /// Behind all that changes a request for its origin.
    public var stage: Call.Stage { .cache }

    /// Serves a stored response, or sends the request.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        let inquiry = CacheInquiry(
            method: request.parts.method, url: request.parts.url, headers: request.parts.headers,
            decodes: request.parts.undoesCodings(byDefault: call.usualSettings.decompresses),
            separators: separators(of: request), secretFields: call.secretFields)
        let response: IncomingResponse
        if let inquiry {
            response = try await CacheExchange(policy: self, request: request, inquiry: inquiry, call: call).run()
        } else {
            response = try await call.proceed(request).noting(.asked(.bypass, .storeFailed))
        }
        call.shared.cacheAnswered(response, to: request.parts.url)
        return response
    }

    /// What the answers are kept apart by besides the fields of the request. Mostly nothing, and no array either.
    private func separators(of request: OutgoingRequest) -> [String] {
        var separators: [String] = []
        if !partition.isEmpty { separators.append(partition) }
        if let path = request.parts.options.unixSocketPath { separators.append("unix:" + path) }
        return separators
    }
}

extension Interceptor where Self == CachePolicy {
    /// Answers from stored responses, and stores what may be.
    ///
    /// - Parameters:
    ///   - store: Where they are.
    ///   - mode: How calls use it that do not say so.
    ///   - partition: Keeps them apart from those of other policies over the same store.
    public static func cache(
        _ store: any CachePolicy.Store, mode: CachePolicy.Mode = .useProtocol, partition: String = ""
    ) -> CachePolicy {
        var policy = CachePolicy(store)
        policy.mode = mode
        policy.partition = partition
        return policy
    }

    /// Answers from stored responses as a policy says that was made before.
    public static func cache(_ policy: CachePolicy) -> CachePolicy { policy }
}
