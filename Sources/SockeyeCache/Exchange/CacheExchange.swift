import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Handles one request to the cache: makes a ``CachePlan`` (serve, validate, load or refuse) and carries out the plan.
struct CacheExchange: Sendable {
    let policy: CachePolicy
    let request: OutgoingRequest
    let cacheRequest: CacheRequest
    let call: Call
    let key: String

    init(policy: CachePolicy, request: OutgoingRequest, cacheRequest: CacheRequest, call: Call) {
        self.policy = policy
        self.request = request
        self.cacheRequest = cacheRequest
        self.call = call
        key = cacheRequest.key
    }

    var store: any CachePolicy.Store { policy.store }
    var now: Int64 { call.shared.time.unixTime }

    private var ownUse: CachedResponse.Mode? { request.parts.hasRareOptions ? request.options.cacheMode : nil }
    /// The mode of the request if the caller set one, else that of the policy.
    var use: CachedResponse.Mode { ownUse ?? policy.mode }

    /// True if the request is a retry after an error response. That response may be stored by now and must not be
    /// served.
    var isRetryAfterErrorResponse: Bool { request.parts.hasRareOptions && request.options.isRetryAfterResponse }

    private var mayAsk: Bool { use != .returnCacheDontLoad && !cacheRequest.directives.has(.onlyIfCached) }

    /// - Parameter joins: True if the request may join an equal one in flight.
    func run(joins: Bool = true) async throws(SockeyeError) -> IncomingResponse {
        guard cacheRequest.isSafe else { return mayAsk ? try await sendUnsafe() : refusal(.method) }
        if let reason = bypassReason {
            guard mayAsk else { return refusal(reason) }
            guard reason == .conditional else {
                return try await call.proceed(request).withCacheOutcome(.asked(.bypass, reason))
            }
            return try await sendConditional(reason)
        }
        let candidates = try await candidates()
        let now = now
        let plan =
            isRetryAfterErrorResponse
            ? .load(.retried) : CachePlan(for: cacheRequest, among: candidates, use: use, at: now)
        switch plan {
        case .serve(let stored, let reason, let part, let revalidates):
            guard let response = try await serve(stored, part, reason, at: now) else {
                return mayAsk ? try await requestComplete(.storeFailed, []) : refusal(.storeFailed)
            }
            if revalidates { revalidateInBackground(stored) }
            return response
        case .validate, .load:
            return joins && mayJoin ? try await join(plan, candidates) : try await ask(plan, candidates)
        case .refuse(let reason): return refusal(reason)
        }
    }

    func ask(_ plan: CachePlan, _ candidates: [StoredResponse]) async throws(SockeyeError) -> IncomingResponse {
        switch plan {
        case .validate(let stored, let reason): try await validate(stored, reason)
        case .load(let reason), .serve(_, let reason, _, _), .refuse(let reason):
            try await requestComplete(reason, candidates)
        }
    }

    /// The reason why the request bypasses the cache; nil if the cache handles it.
    private var bypassReason: CacheReason? {
        guard cacheRequest.method == .get || cacheRequest.method == .head else { return .method }
        if request.parts.body.length != 0 { return .content }
        if request.parts.hasRareOptions, request.options.tls != nil { return .ownTLS }
        if cacheRequest.directives.has(.noStore) { return .requestNoStore }
        if policy.partition.isEmpty, call.hasHiddenCredentials { return .hiddenCredentials }
        return cacheRequest.isConditional ? .conditional : nil
    }
}

extension CacheExchange {
    // MARK: The store

    var storeDeadline: StoreDeadline? { policy.storeDeadline(in: call.shared) }

    /// Returns the responses stored under the key; an empty array if the store fails.
    func candidates() async throws(SockeyeError) -> [StoredResponse] {
        if let memory = policy.memory { return memory.candidates(for: key) }
        let found = try await read { [store, key] in try await store.responses(for: key) }
        return (found ?? []).map(StoredResponse.init)
    }

    /// Reads the content of a stored response. The outer optional is nil if the store failed, the inner one if the
    /// content was removed.
    private func content(of response: CachedResponse) async throws(SockeyeError) -> CachedResponse.Body?? {
        if let memory = policy.memory { return .some(memory.body(of: response, for: key)) }
        return try await read { [store, key] in try await store.body(of: response, for: key) }
    }

    /// Runs an operation that reads from the store; nil if the store fails.
    ///
    /// - Throws: If the call was cancelled or its total deadline passed meanwhile.
    private func read<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws(SockeyeError) -> Value? {
        do {
            return try await storeDeadline.run(operation)
        } catch {
            if Task.isCancelled { throw SockeyeError(.cancelled, phase: .body) }
            if call.shared.isOverdue { throw call.shared.timedOut(in: .body) }
            return nil
        }
    }

    /// Replaces the head of a stored response.
    func update(_ response: CachedResponse) async {
        try? await storeDeadline.run { [store, key] in try await store.update(response, for: key) }
    }

    /// Begins to store a response; nil if the store refuses it, fails, or hangs until the deadline.
    func writer(for response: CachedResponse) async -> (any CachePolicy.Writer)? {
        guard let storeDeadline else { return (try? await store.writer(for: response, key: key)) ?? nil }
        let handover = WriterHandover()
        try? await storeDeadline.run { [store, key] in
            if let writer = try await store.writer(for: response, key: key) { handover.put(writer) }
        }
        return handover.take()
    }

    func forget(_ stored: StoredResponse) async {
        try? await storeDeadline.run { [store, key] in try await store.remove(stored.response, for: key) }
    }

    // MARK: Answers of the cache

    /// Makes a response from a stored one; nil if the store cannot deliver its content. If the content was removed, or
    /// its length differs from the recorded one, this method also removes the stored response. If the store failed, the
    /// stored response remains, because the next read may succeed.
    ///
    /// - Parameter confirmation: The 304 that confirmed the stored response.
    func serve(
        _ stored: StoredResponse, _ part: Range<Int>?, _ reason: CacheReason, at now: Int64,
        confirmation: IncomingResponse? = nil
    ) async throws(SockeyeError) -> IncomingResponse? {
        let length = stored.response.bodyLength
        var content = BodyContent(expectedLength: 0)
        var bytes = 0
        if cacheRequest.method != .head {
            let range = part ?? 0..<length
            guard let answer = try await self.content(of: stored.response) else { return nil }
            guard let found = answer?.content(range, of: length, until: storeDeadline) else {
                await forget(stored)
                return nil
            }
            let own = request.parts.hasRareOptions ? request.options.bodyLimit : nil
            content = found.limited(by: own, orClient: call.usualSettings.bodyLimit)
            bytes = range.count
        }
        let head = StoredHead(
            stored, age: stored.currentAge(at: now), part: part,
            cookies: confirmation?.headers[values: .setCookie] ?? [])
        let response = IncomingResponse(
            ResponseStorage(
                head, request: RequestIdentity(method: request.parts.method.rawValue, url: request.parts.url),
                body: content, setsCookies: confirmation?.setsCookies ?? false))
        if confirmation != nil {
            return response.withCacheOutcome(.served(.revalidated, reason, bytes: bytes, .answered))
        }
        return response.withCacheOutcome(
            .served(
                stored.isFresh(at: now) ? .hit : .staleHit, reason, bytes: bytes,
                reason == .staleIfError ? .failed : .none))
    }

    private func refusal(_ reason: CacheReason) -> IncomingResponse { Self.refusal(reason, to: request) }

    /// A response with status 504 (RFC 9111 5.2.1.7): the cache has no answer and must not ask the server.
    static func refusal(_ reason: CacheReason, to request: OutgoingRequest) -> IncomingResponse {
        IncomingResponse(
            ResponseStorage(
                status: 504, fields: [.contentLength: "0"], reason: "Gateway Timeout",
                request: RequestIdentity(method: request.method.rawValue, url: request.url),
                body: BodyContent(expectedLength: 0))
        ).withCacheOutcome(.refused(reason))
    }
}
