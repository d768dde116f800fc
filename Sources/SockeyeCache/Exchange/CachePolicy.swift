public import SockeyeEngine
import SockeyeHTTP

/// A private HTTP cache (RFC 9111): serves and stores responses. Off by default.
///
/// ```swift
/// let client = HTTPClient().adding(
///     .cache(CachePolicy.MemoryStore(limit: 64 << 20)))
/// ```
///
/// For GET and HEAD all of RFC 9111 is implemented: freshness, Age, Vary, validation by ETag and Last-Modified, updates
/// by 304 and HEAD, and invalidation by unsafe methods. Freshness is explicit or heuristic; heuristic freshness lasts a
/// tenth of the time since Last-Modified, one day at most. `stale-while-revalidate` and `stale-if-error` (RFC 5861) and
/// `immutable` (RFC 8246) are implemented as well. Ranges are served from complete responses without content coding;
/// partial responses are not stored. ``/Sockeye/IncomingResponse/cacheOutcome`` tells what the cache did, and a served
/// response carries Age.
///
/// The cache runs after the policies for cookies and credentials and sees each request that they send. A response is
/// stored while the caller reads it, at the caller's pace. If the caller stops early, nothing is stored, unless
/// ``finishesAbandonedBodies`` is set. Requests with content, or with TLS settings of their own, bypass the cache;
/// conditional requests of the caller are sent unchanged. Identical GETs in flight share one exchange, see
/// ``joinsRequests``. Trailer fields are not stored. A stored Set-Cookie is never served: it belongs to the call that
/// received it.
///
/// **Secrets.** Each stored response carries an unsalted SHA-256 digest of the secrets of its request, and is served
/// only to requests with the same digest, whatever Vary says. The digest covers Authorization, Cookie, the user
/// information of the URL, Host, the unix-domain socket, the fields of ``/Sockeye/RedirectPolicy/usualStrippedFields``
/// and the client's ``/Sockeye/RedirectPolicy/strippedFields``. A response with `private` is served only if all other
/// request fields are equal, too. Fields that say nothing about the user are exempt: content negotiation, User-Agent,
/// Referer, conditions, and identifiers of traces and requests. Because of the digest, several clients and users may
/// share a store.
///
/// Requests that are sent without the client certificate have stored responses of their own. These are the requests
/// after a redirect to another origin, and requests to origins outside of the client's scope (see `scoped` of
/// ``/Sockeye/HTTPClient``). Calls with ``/Sockeye/ResponseTolerances`` also have stored responses of their own,
/// because they may accept an incomplete response.
///
/// The policy cannot tell apart clients that differ in their client certificates, proxies, host overrides, or secrets
/// that an interceptor of the stage ``/Sockeye/Call/Stage/attempt`` adds. If such clients share a store, each needs a
/// ``partition`` of its own. Without a partition, calls bypass the cache if such an interceptor declares that it
/// carries credentials. With Digest authentication each request has a different Authorization field, so nothing is
/// served.
public struct CachePolicy: Interceptor {
    /// The use of the cache by a call, named as in `NSURLRequest.CachePolicy` and AFNetworking.
    public typealias Mode = CachedResponse.Mode

    /// The limits of background work, which no caller waits for.
    public struct BackgroundLimits: Sendable, Hashable {
        /// The duration after which a task is cancelled. Default 60 s; with zero or less no background work is done.
        public var duration: Duration = .seconds(60)
        /// The maximum content that one task reads, in bytes after decoding. Default 64 MiB. Longer content is not
        /// stored.
        public var bytes = 64 << 20

        /// Creates limits with the default of each property.
        public init() {}
    }

    /// The store of the responses.
    public let store: any CachePolicy.Store
    /// The mode of calls that do not set ``Sockeye/OutgoingRequest/Options/cacheMode``. Default
    /// ``CachedResponse/Mode/useProtocol``.
    public var mode = Mode.useProtocol
    /// A name that separates the responses of this policy from those of other policies over the same store. Default
    /// empty.
    public var partition = ""
    /// The time during which a stale response without `stale-if-error` is served in place of an error, counted from the
    /// moment at which the response became stale. Default zero: not at all.
    ///
    /// An error is an unreachable server or a 500, 502, 503 or 504. In the modes
    /// ``CachedResponse/Mode/reloadIgnoringCache`` and ``CachedResponse/Mode/reloadRevalidatingCache`` the caller gets
    /// every error.
    public var staleIfError = Duration.zero
    /// True if a body that the caller stops reading is read to its end in the background and stored.
    ///
    /// Default false: a response that is not read to its end is not stored, and its connection is closed unless little
    /// of the body is left. Even if true, the body of an earlier response of the call, such as a followed redirect, is
    /// not read to its end.
    public var finishesAbandonedBodies = false
    /// The limits of background work: revalidation after `stale-while-revalidate`, and reading bodies for
    /// ``finishesAbandonedBodies``. All background work is cancelled when the client is shut down or, for a client over
    /// sockets, when its last copy is released.
    public var background = BackgroundLimits()
    /// True if a GET waits for an identical one in flight and shares its response instead of sending its own request.
    /// Default true.
    ///
    /// The GET waits for the response head. If the response may be stored and served without validation, all callers
    /// share it, whatever its size. Otherwise one caller gets the response, and each other caller sends its own
    /// request. Each caller keeps its own total deadline and cancellation. Calls share an exchange only if their other
    /// deadlines (``/Sockeye/Timeouts``) are equal.
    ///
    /// Each caller reads at its own pace until the slowest caller is 1 MiB behind. Then the other callers wait for the
    /// slowest one: up to their ``/Sockeye/Timeouts/stall`` deadline, and at most 2 s if the slowest one has read
    /// nothing yet. After that the slow caller no longer takes part in the exchange. When it reads again, it gets the
    /// rest of the content from the store or by a request of its own. If the server has another version of the content
    /// by then, the rest cannot be fetched any more. The caller, which has read too slowly, then gets a
    /// ``/Sockeye/SockeyeError/Code-swift.struct/timeout``. It also gets this error if it has already read a part and
    /// the content has no strong validator (RFC 9110 8.8.1), because the cache could not recognise another version. The
    /// exchange ends when its last caller leaves.
    public var joinsRequests = true
    /// Called with each response before it is stored; returns the response to store, or nil to store none. Default nil:
    /// all storable responses are stored.
    ///
    /// Also called with a stored response whose head a 304 or an answer to HEAD has updated, before the update is
    /// stored. The update may contain fields again that an earlier call removed. If the result is nil, the stored
    /// response is removed.
    ///
    /// AFNetworking's counterpart is `setDataTaskWillCacheResponseBlock:`.
    public var willCache: (@Sendable (_ response: CachedResponse, _ request: OutgoingRequest) -> CachedResponse?)?

    let activity = CacheActivity()
    /// The store if it is a ``MemoryStore``, which never suspends its caller and keeps parsed responses; otherwise nil.
    let memory: CachePolicy.MemoryStore?
    /// True if the store is a ``InterruptibleStore``.
    let isStoreInterruptible: Bool

    /// True while a stored response is being revalidated in the background.
    package var isRevalidating: Bool { activity.isRevalidating }

    /// The number of calls that take part in a shared exchange and have not received its head.
    package var callersInFlight: Int { activity.callersInFlight }

    /// Creates a policy over a store. Any number of clients may share a store.
    public init(_ store: any CachePolicy.Store) {
        self.store = store
        memory = store as? CachePolicy.MemoryStore
        isStoreInterruptible = store is any InterruptibleStore
    }

    /// The stage ``/Sockeye/Call/Stage/cache``.
    public var stage: Call.Stage { .cache }

    /// Serves a stored response, or sends the request.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        let cacheRequest = CacheRequest(
            method: request.parts.method, url: request.parts.url, headers: request.parts.headers,
            decodes: request.parts.undoesCodings(byDefault: call.usualSettings.decompresses),
            separators: separators(of: request, in: call), userAgent: call.usualUserAgent,
            secretFields: call.secretFields)
        let response: IncomingResponse
        if let cacheRequest {
            response = try await CacheExchange(policy: self, request: request, cacheRequest: cacheRequest, call: call)
                .run()
        } else {
            response = try await respondWithoutDigest(to: request, in: call)
        }
        call.shared.cacheAnswered(response, to: request.parts.url)
        return response
    }

    /// Returns the response to a request for which OpenSSL cannot compute the digest that separates users. No response
    /// can be stored or served, so the request is sent, or refused with 504 if it permits only stored responses (RFC
    /// 9111 5.2.1.7).
    func respondWithoutDigest(to request: OutgoingRequest, in call: Call) async throws(SockeyeError)
        -> IncomingResponse
    {
        let use = (request.parts.hasRareOptions ? request.options.cacheMode : nil) ?? mode
        guard use != .returnCacheDontLoad, !CacheDirectives(request: request.parts.headers).has(.onlyIfCached) else {
            return CacheExchange.refusal(.storeFailed, to: request)
        }
        return try await call.proceed(request).withCacheOutcome(.asked(.bypass, .storeFailed))
    }

    /// Returns values that separate responses in addition to the request's fields. If there is any such value, the
    /// partition comes first, even if it is empty. So a partition named `foreign` differs from the separator `foreign`.
    private func separators(of request: OutgoingRequest, in call: Call) -> [String] {
        var separators: [String] = []
        var tolerances = call.usualTolerances
        if let path = request.parts.options.unixSocketPath { separators.append("unix:" + path) }
        if request.parts.hasRareOptions {
            let options = request.parts.options
            // These requests are sent without the client certificate and without the secrets of interceptors.
            if options.leftOrigin || options.isOutsideScope { separators.append("foreign") }
            if let own = options.tolerances { tolerances = own }
        }
        // A call without a tolerance must not get a response with a fault that another call's tolerance accepted.
        if !tolerances.isEmpty { separators.append("tolerances:\(tolerances.rawValue)") }
        if !partition.isEmpty || !separators.isEmpty { separators.insert(partition, at: 0) }
        return separators
    }
}

extension Interceptor where Self == CachePolicy {
    /// Serves stored responses, and stores responses that may be stored.
    ///
    /// - Parameters:
    ///   - store: The store of the responses.
    ///   - mode: The mode of calls that do not set one. Default ``CachedResponse/Mode/useProtocol``.
    ///   - partition: A name that separates the responses of this policy from those of other policies over the same
    ///     store. Default empty.
    public static func cache(
        _ store: any CachePolicy.Store, mode: CachePolicy.Mode = .useProtocol, partition: String = ""
    ) -> CachePolicy {
        var policy = CachePolicy(store)
        policy.mode = mode
        policy.partition = partition
        return policy
    }

    /// Serves and stores responses by an existing policy.
    public static func cache(_ policy: CachePolicy) -> CachePolicy { policy }
}
