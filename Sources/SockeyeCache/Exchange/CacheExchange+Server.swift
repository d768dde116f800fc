import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

/// Requests of the cache to the server, and the handling of their responses.
extension CacheExchange {
    /// Requests the complete resource.
    func requestComplete(_ reason: CacheReason, _ candidates: [StoredResponse]) async throws(SockeyeError)
        -> IncomingResponse
    {
        let sent = sent()
        let selected = CachePlan.selected(for: cacheRequest, among: candidates)
        let requestTime = now
        let generation = policy.activity.generation
        let outcome = await call.outcome(of: sent)
        if let selected, let stale = try await substitute(selected, for: outcome, to: sent) { return stale }
        let response = try outcome.get()
        if cacheRequest.method == .head {
            await updateFromHead(response, on: candidates, requestTime)
            return response.withCacheOutcome(.asked(.miss, reason))
        }
        let answer = await storeIfAllowed(response, .miss, reason, requestTime, generation)
        if let selected, !selected.isFresh(at: now), !request.headers.contains(.range) {
            await forget(selected, supersededBy: answer)
        }
        return answer
    }

    /// Returns the request to send, with the validators of `stored` if it is given.
    ///
    /// In a mode that reloads, the request has a Cache-Control for the caches between client and server, unless the
    /// caller set that field.
    private func sent(validating stored: StoredResponse? = nil) -> OutgoingRequest {
        let directive: String? =
            switch use {
            case .reloadIgnoringCache: "no-cache"
            case .reloadRevalidatingCache: "max-age=0"
            case .useProtocol, .returnCacheElseLoad, .returnCacheDontLoad: nil
            }
        let field = request.headers.contains(.cacheControl) ? nil : directive
        guard field != nil || stored != nil else { return request }
        var sent = request
        sent.change { values in
            if let field { values.headers[.cacheControl] = field }
            // For caches of HTTP/1.0 (RFC 9111 5.4).
            if field == "no-cache", !values.headers.contains("Pragma") { values.headers["Pragma"] = "no-cache" }
            for (name, value) in stored?.response.validators ?? [] { values.headers[name] = value }
        }
        return sent
    }

    /// Sends a conditional request that the caller made to validate its own copy of the resource.
    func sendConditional(_ reason: CacheReason) async throws(SockeyeError) -> IncomingResponse {
        let requestTime = now
        let generation = policy.activity.generation
        let response = try await call.proceed(request)
        guard cacheRequest.method == .get else { return response.withCacheOutcome(.asked(.bypass, reason)) }
        return await storeIfAllowed(response, .bypass, reason, requestTime, generation)
    }

    /// Validates a stored response (RFC 9111 4.3).
    func validate(_ stored: StoredResponse, _ reason: CacheReason) async throws(SockeyeError) -> IncomingResponse {
        let sent = sent(validating: stored)
        let requestTime = now
        let generation = policy.activity.generation
        let outcome = await call.outcome(of: sent)
        if let stale = try await substitute(stored, for: outcome, to: sent) { return stale }
        let response = try outcome.get()
        guard response.statusCode == 304 else {
            let answer = await storeIfAllowed(response, .miss, reason, requestTime, generation)
            await forget(stored, supersededBy: answer)
            return answer
        }
        call.record(sent, .success(response.withCacheOutcome(.asked(.revalidated, reason))), reason: .revalidated)
        response.discard()
        // If the 304 does not confirm the stored response, the server means another version.
        guard stored.response.isConfirmed(by: response.headers) else {
            await forget(stored)
            return try await requestComplete(reason, [])
        }
        let now = now
        let updated = StoredResponse(
            stored.response.updated(
                with: response.headers, to: cacheRequest, requestTime: requestTime, responseTime: now))
        let remainsStored = await replace(by: updated, generation)
        let served = try await serve(updated, nil, reason, at: now, confirmation: response)
        if !remainsStored { await forget(stored) }
        if let served { return served }
        return try await requestComplete(reason, [])
    }

    /// Stores the updated head of a response that a 304 confirmed, unless the key was invalidated since the request was
    /// sent.
    ///
    /// - Returns: False if the update forbids storing (RFC 9111 3), or if `willCache` refuses it. The caller then
    ///   removes the stored response, but only after serving its content.
    private func replace(by updated: StoredResponse, _ generation: Int) async -> Bool {
        guard updated.refusal(to: cacheRequest) == nil, let adapted = adapted(updated.response) else { return false }
        guard policy.activity.mayStore(key, since: generation) else { return true }
        await update(adapted)
        return true
    }

    /// Removes a stored response that a complete response to an equal request has superseded without being stored (RFC
    /// 9111 4.3.3). Otherwise `stale-while-revalidate` or `stale-if-error` could allow serving it again.
    private func forget(_ stored: StoredResponse, supersededBy response: IncomingResponse) async {
        guard response.cacheOutcome?.refusal != nil, Self.describesResource(response.statusCode) else { return }
        await forget(stored)
    }

    /// Returns true for the statuses of responses that tell the current state of the resource itself.
    private static func describesResource(_ status: Int) -> Bool { [200, 404, 410].contains(status) }

    /// Returns a stale response in place of an error (RFC 5861 4). Nil if there is no error, if stale responses are not
    /// allowed, or if the cache cannot deliver the requested content.
    func substitute(
        _ stored: StoredResponse, for outcome: Result<IncomingResponse, SockeyeError>, to sent: OutgoingRequest
    ) async throws(SockeyeError) -> IncomingResponse? {
        guard !use.reloads else { return nil }
        switch outcome {
        case .success(let response): guard StoredResponse.isPassingError(response.statusCode) else { return nil }
        case .failure(let error): guard error.isUnreachability else { return nil }
        }
        let now = now
        let usual = policy.staleIfError.clampedNanoseconds / 1_000_000_000
        guard stored.canServeInsteadOfError(to: cacheRequest, usual: usual, at: now) else { return nil }
        let part: Range<Int>?
        switch CacheRange(of: cacheRequest, in: stored) {
        case .whole: part = nil
        case .part(let range): part = range
        case .unknown: return nil
        }
        guard let response = try await serve(stored, part, .staleIfError, at: now) else { return nil }
        call.record(sent, outcome, reason: .substituted)
        if case .success(let error) = outcome { error.discard() }
        return response
    }

    /// After the answer to a HEAD, updates the stored responses that match the request (RFC 9111 4.3.5). Removes a
    /// matching response instead if the answer does not describe it, if the update forbids storing, or if `willCache`
    /// refuses it.
    private func updateFromHead(_ response: IncomingResponse, on candidates: [StoredResponse], _ requestTime: Int64)
        async
    {
        guard Self.describesResource(response.statusCode) else { return }
        let headers = response.headers
        for stored in candidates where cacheRequest.selects(stored) {
            let updated = StoredResponse(
                stored.response.updated(
                    with: headers, to: cacheRequest, requestTime: requestTime, responseTime: now))
            if stored.response.isDescribed(by: headers, status: response.statusCode),
                updated.refusal(to: cacheRequest.asGet) == nil, let adapted = adapted(updated.response)
            {
                await update(adapted)
            } else {
                await forget(stored)
            }
        }
    }

    // MARK: Storing and forgetting

    /// Stores a response while the caller reads it, if it may be stored.
    private func storeIfAllowed(
        _ response: IncomingResponse, _ kind: CacheOutcome.Kind, _ reason: CacheReason, _ requestTime: Int64,
        _ generation: Int
    ) async -> IncomingResponse {
        let now = now
        let received = StoredResponse(
            CachedResponse(
                id: Self.newID(), status: response.statusCode, reason: response.reason,
                headers: response.fieldsAsText, isDecoded: response.isDecoded, to: cacheRequest,
                requestTime: requestTime,
                responseTime: now))
        if let refusal = refusal(of: response, as: received, generation) {
            return response.withCacheOutcome(.asked(kind, reason, refusal: refusal))
        }
        let isShareable =
            received.isFresh(at: now) && !received.directives.has(.noCache) && cacheRequest.selects(received)
        guard let stored = adapted(received.response), let writer = await writer(for: stored) else {
            return response.withCacheOutcome(.asked(kind, reason, refusal: .refused, isShareable: isShareable))
        }
        // Checks again, because the key may have been invalidated before the store knew the writer. After a later
        // invalidation the store itself rejects the writer.
        guard policy.activity.mayStore(key, since: generation) else {
            writer.abandon()
            return response.withCacheOutcome(.asked(kind, reason, refusal: .invalidated))
        }
        let kept = response.withCacheOutcome(.asked(kind, reason, isShareable: isShareable))
        let finisher = policy.finishesAbandonedBodies ? BodyFinisher(self) : nil
        await kept.store(by: writer, id: stored.id, finisher: finisher, until: storeDeadline)
        return kept
    }

    /// Returns a response as `willCache` changes it before it is stored or updated in the store; nil if `willCache`
    /// refuses it. The changed fields decide which requests it answers.
    private func adapted(_ response: CachedResponse) -> CachedResponse? {
        guard let willCache = policy.willCache else { return response }
        guard var changed = willCache(response, request) else { return nil }
        changed.bodyLength = response.bodyLength
        changed.assign(to: cacheRequest)
        return changed
    }

    /// The reason why a response may not be stored; nil if it may be.
    private func refusal(of response: IncomingResponse, as received: StoredResponse, _ generation: Int) -> CacheReason?
    {
        if let refusal = received.refusal(to: cacheRequest, use: use) { return refusal }
        if response.announcedSizeError != nil { return .tooLarge }
        if !response.head.reader.isUnread { return .bodyConsumed }
        return policy.activity.mayStore(key, since: generation) ? nil : .invalidated
    }

    private static func newID() -> String {
        var random = SystemRandomNumberGenerator()
        return String(random.next(), radix: 36) + String(random.next(), radix: 36)
    }

    /// Sends a request with an unsafe method, and removes the stored responses that the request may have made outdated
    /// (RFC 9111 4.4).
    func sendUnsafe() async throws(SockeyeError) -> IncomingResponse {
        let outcome = await call.outcome(of: request)
        let response = try? outcome.get()
        let keys = cacheRequest.invalidatedKeys(status: response?.statusCode, headers: response?.headers ?? [:])
        for key in keys { policy.activity.invalidate(key) }
        await removeAll(for: keys)
        return try outcome.get().withCacheOutcome(.asked(.bypass, .method))
    }

    /// Removes the stored responses under some keys. Unless the store is the memory store, a separate task removes
    /// them. This task continues if the call is cancelled or its deadline passes meanwhile.
    private func removeAll(for keys: [String]) async {
        if let memory = policy.memory {
            for key in keys { memory.removeAll(for: key) }
            return
        }
        guard !keys.isEmpty else { return }
        let (store, removal) = (store, InFlightOperation<Void, Never>())
        let task = Task {
            for key in keys { try? await store.removeAll(for: key) }
            removal.finish(.success(()))
        }
        guard let poller = try? call.shared.poller() else { return await task.value }
        _ = try? await removal.outcome(until: call.shared.deadline, poller: poller)
    }

    // MARK: In the background

    /// Validates a response that was served stale (RFC 5861 3), in a task and with a deadline of its own. At most one
    /// such task runs for each response.
    func revalidateInBackground(_ stored: StoredResponse) {
        let (id, activity) = (stored.response.id, policy.activity)
        // A request with a range would refresh only a part of the stored response.
        guard !request.headers.contains(.range), activity.beginsRevalidation(of: id) else { return }
        var request = request
        request.change { values in
            values.method = .get
            values.options.gate = nil
            values.options.observer = nil
            if values.options.onInterim != nil { values.options.onInterim = nil }
            values.options.deadline = nil
        }
        let exchange = CacheExchange(
            policy: policy, request: request, cacheRequest: cacheRequest.asGet, call: call.detached)
        call.inBackground(
            within: policy.background.duration, work: { await exchange.refresh(stored) },
            ended: { _ in activity.endRevalidation(of: id) })
    }

    private func refresh(_ stored: StoredResponse) async {
        let answer =
            stored.hasValidators
            ? try? await validate(stored, .staleWhileRevalidate)
            : try? await requestComplete(.staleWhileRevalidate, [])
        guard let answer, answer.cacheOutcome?.kind == .miss else { return }
        await forget(stored, supersededBy: answer)
        await answer.readToStore(upTo: policy.background.bytes)
    }
}

extension SockeyeError {
    /// True if the server gave no answer. This includes a call that got no connection in time. False if certificate
    /// verification failed.
    fileprivate var isUnreachability: Bool {
        [.resolutionFailed, .connectFailed, .timeout, .connectionClosed, .proxyFailed].contains(code)
    }
}
