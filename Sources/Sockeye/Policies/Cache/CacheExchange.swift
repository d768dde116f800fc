import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// One request at a cache: does what the ``CachePlan`` says.
struct CacheExchange: Sendable {
    let policy: CachePolicy
    let request: OutgoingRequest
    let inquiry: CacheInquiry
    let call: Call
    private let key: String

    init(policy: CachePolicy, request: OutgoingRequest, inquiry: CacheInquiry, call: Call) {
        self.policy = policy
        self.request = request
        self.inquiry = inquiry
        self.call = call
        key = inquiry.key
    }

    private var store: any CacheStore { policy.store }
    private var now: Int64 { call.context.time.unixTime }
    private var use: CacheUse { request.options.cacheUse ?? policy.mode.use }

    /// - Parameter joins: Whether it may be one with a request in flight.
    func run(joins: Bool = true) async throws(SockeyeError) -> IncomingResponse {
        guard inquiry.isSafe else { return try await sendUnsafe() }
        if let reason = passing {
            let mayAsk = use != .onlyStored && !inquiry.directives.has(.onlyIfCached)
            guard mayAsk else { return refusal(reason) }
            guard reason == .conditional else { return try await call.proceed(request).noting(.bypass, reason) }
            return try await fetch(request, .bypass, reason)
        }
        let candidates = (try? await store.responses(for: key)) ?? []
        let plan = CachePlan(for: inquiry, among: candidates, use: use, at: now)
        switch plan {
        case .serve(let stored, let reason, let part, let revalidates):
            guard let response = await serve(stored, part, reason) else {
                try? await store.remove(stored, for: key)
                guard use != .onlyStored, !inquiry.directives.has(.onlyIfCached) else { return refusal(.storeFailed) }
                return try await load(.storeFailed, [])
            }
            if revalidates { revalidateInBackground(stored) }
            return response
        case .validate, .load:
            return joins && mayJoin ? try await join(plan, candidates) : try await ask(plan, candidates)
        case .refuse(let reason): return refusal(reason)
        }
    }

    private func ask(_ plan: CachePlan, _ candidates: [CachedResponse]) async throws(SockeyeError) -> IncomingResponse {
        switch plan {
        case .validate(let stored, let reason): try await validate(stored, reason)
        case .load(let reason), .serve(_, let reason, _, _), .refuse(let reason): try await load(reason, candidates)
        }
    }

    // MARK: Requests in flight

    /// Whether an answer may be shared that was asked for a little earlier.
    private var mayJoin: Bool {
        guard policy.joinsRequests, inquiry.method == .get, use == .usual || use == .preferStored,
            !inquiry.directives.has(.noCache), inquiry.directives.maxAge != 0, !request.headers.contains(.range)
        else { return false }
        guard request.parts.hasRareOptions || request.options.onInterim != nil else { return true }
        return request.options.onInterim == nil && request.options.tolerances == nil
    }

    private func join(_ plan: CachePlan, _ candidates: [CachedResponse]) async throws(SockeyeError) -> IncomingResponse
    {
        let flight = SharedExchange.Key(
            url: key, partition: inquiry.partition, decodes: inquiry.decodes, headers: request.headers,
            bodyLimit: request.options.bodyLimit, chain: call.chainIdentity)
        let (exchange, isNew) = policy.activity.enter(flight)
        if isNew {
            let task = Task {
                let outcome: SharedExchange.Answer.Outcome
                do throws(SockeyeError) {
                    outcome = .success(try await ask(plan, candidates))
                } catch {
                    outcome = .failure(error)
                }
                policy.activity.close(exchange, flight)
                exchange.finish(outcome)
            }
            exchange.carriedOut(by: task)
        }
        let share: SharedExchange.Share
        do throws(SockeyeError) {
            share = try await exchange.share(in: call.context, isOwner: isNew)
        } catch {
            policy.activity.leave(exchange, flight, withShare: false)
            throw error
        }
        policy.activity.leave(exchange, flight, withShare: true)
        switch share {
        case .response(let response): return response
        case .failure(let error): throw error
        case .nothing: return try await run(joins: false)
        }
    }

    /// Why the cache has nothing to do with the request; nil where it has.
    private var passing: CacheReason? {
        guard inquiry.method == .get || inquiry.method == .head else { return .method }
        if request.body.length != 0 { return .content }
        if request.parts.hasRareOptions, request.options.tls != nil { return .ownTLS }
        if inquiry.directives.has(.noStore) { return .requestNoStore }
        return inquiry.isConditional ? .conditional : nil
    }

    // MARK: Answers of the cache

    /// A stored response as the answer; nil where its content is gone.
    private func serve(
        _ stored: CachedResponse, _ part: Range<Int>?, _ reason: CacheReason, confirmation: IncomingResponse? = nil
    ) async -> IncomingResponse? {
        let isHead = inquiry.method == .head
        let range = part ?? 0..<stored.bodyLength
        var content = BodyContent(expectedLength: 0)
        if !isHead {
            guard let body = (try? await store.body(of: stored, for: key)) ?? nil,
                let found = body.content(range, of: stored.bodyLength)
            else { return nil }
            let client = call.usualSettings.bodyLimit
            content = found.limited(by: request.options.bodyLimit, orClient: client)
        }
        let now = now
        var fields = stored.headers
        fields[.age] = String(stored.currentAge(at: now))
        if part != nil {
            fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(stored.bodyLength)"
            fields[.contentLength] = String(range.count)
        }
        let response = IncomingResponse(
            ResponseStorage(
                status: part == nil ? stored.status : 206, fields: fields,
                reason: part == nil ? stored.reason : "Partial Content",
                request: RequestIdentity(method: request.method.rawValue, url: request.url), body: content,
                isDecoded: stored.isDecoded, setsCookies: confirmation?.setsCookies ?? false))
        if confirmation != nil { return response.noting(.revalidated, reason) }
        return response.noting(stored.isFresh(at: now) ? .hit : .staleHit, reason, isLocal: true)
    }

    /// 504 (RFC 9111 5.2.1.7).
    private func refusal(_ reason: CacheReason) -> IncomingResponse {
        IncomingResponse(
            ResponseStorage(
                status: 504, fields: [.contentLength: "0"], reason: "Gateway Timeout",
                request: RequestIdentity(method: request.method.rawValue, url: request.url),
                body: BodyContent(expectedLength: 0))
        ).noting(.bypass, reason, isLocal: true)
    }

    // MARK: Answers of the server

    /// Asks for the whole.
    private func load(_ reason: CacheReason, _ candidates: [CachedResponse]) async throws(SockeyeError)
        -> IncomingResponse
    {
        var sent = request
        if use == .reload, !sent.headers.contains(.cacheControl) {
            sent.change { values in
                values.headers[.cacheControl] = "no-cache"
                if !values.headers.contains("Pragma") { values.headers["Pragma"] = "no-cache" }
            }
        }
        let selected = use == .reload ? nil : CachePlan.selected(for: inquiry, among: candidates)
        let requestTime = now
        let generation = policy.activity.generation
        let outcome = await call.outcome(of: sent)
        if let selected, let stale = await substitute(selected, for: outcome, to: sent) { return stale }
        let response = try outcome.get()
        if inquiry.method == .head {
            await note(response, on: candidates, requestTime)
            return response.noting(.miss, reason)
        }
        return await keep(response, .miss, reason, requestTime, generation)
    }

    /// Asks for the whole on behalf of a caller who does it by himself.
    private func fetch(
        _ sent: OutgoingRequest, _ kind: CachePolicy.Outcome.Kind, _ reason: CacheReason
    ) async throws(SockeyeError) -> IncomingResponse {
        let requestTime = now
        let generation = policy.activity.generation
        let response = try await call.proceed(sent)
        guard inquiry.method == .get else { return response.noting(kind, reason) }
        return await keep(response, kind, reason, requestTime, generation)
    }

    /// Asks whether a stored response still holds (RFC 9111 4.3).
    private func validate(_ stored: CachedResponse, _ reason: CacheReason) async throws(SockeyeError)
        -> IncomingResponse
    {
        var sent = request
        sent.change { values in
            for (name, value) in stored.validators { values.headers[name] = value }
        }
        let requestTime = now
        let generation = policy.activity.generation
        let outcome = await call.outcome(of: sent)
        if let stale = await substitute(stored, for: outcome, to: sent) { return stale }
        let response = try outcome.get()
        guard response.statusCode == 304 else {
            return await keep(response, .miss, reason, requestTime, generation)
        }
        call.record(sent, .success(response), reason: .revalidated)
        response.discard()
        if stored.isConfirmed(by: response.headers) {
            let updated = stored.updated(
                with: response.headers, to: inquiry, requestTime: requestTime, responseTime: now)
            if policy.activity.mayStore(key, since: generation) { try? await store.update(updated, for: key) }
            if let served = await serve(updated, nil, reason, confirmation: response) { return served }
        }
        // It is of another version, or the content is gone.
        try? await store.remove(stored, for: key)
        return try await load(reason, [])
    }

    /// A stale response in the place of an error (RFC 5861 4); nil where there is no error, or it may not be.
    private func substitute(
        _ stored: CachedResponse, for outcome: Result<IncomingResponse, SockeyeError>, to sent: OutgoingRequest
    ) async -> IncomingResponse? {
        switch outcome {
        case .success(let response): guard CachedResponse.isPassingError(response.statusCode) else { return nil }
        case .failure(let error): guard error.isUnreachability else { return nil }
        }
        let usual = policy.staleIfError.components.seconds
        guard stored.mayReplaceError(to: inquiry, usual: usual, at: now) else { return nil }
        let part: Range<Int>?
        switch CacheRange(of: inquiry, in: stored) {
        case .whole: part = nil
        case .part(let range): part = range
        case .unknown: return nil
        }
        guard let response = await serve(stored, part, .staleIfError) else { return nil }
        call.record(sent, outcome, reason: .revalidated)
        if case .success(let error) = outcome { error.discard() }
        return response
    }

    /// Updates or removes what the answer to HEAD is about (RFC 9111 4.3.5).
    private func note(_ response: IncomingResponse, on candidates: [CachedResponse], _ requestTime: Int64) async {
        guard [200, 404, 410].contains(response.statusCode) else { return }
        let headers = response.headers
        for stored in candidates where inquiry.selects(stored) {
            if stored.isDescribed(by: headers, status: response.statusCode) {
                let updated = stored.updated(with: headers, to: inquiry, requestTime: requestTime, responseTime: now)
                try? await store.update(updated, for: key)
            } else {
                try? await store.remove(stored, for: key)
            }
        }
    }

    // MARK: Storing and forgetting

    /// Has a response stored while it is read, if it may be.
    private func keep(
        _ response: IncomingResponse, _ kind: CachePolicy.Outcome.Kind, _ reason: CacheReason, _ requestTime: Int64,
        _ generation: Int
    ) async -> IncomingResponse {
        var id = SystemRandomNumberGenerator()
        let now = now
        var stored = CachedResponse(
            id: String(id.next(), radix: 36) + String(id.next(), radix: 36), status: response.statusCode,
            reason: response.reason, headers: response.headers, isDecoded: response.isDecoded, to: inquiry,
            requestTime: requestTime, responseTime: now)
        guard stored.refusal(to: inquiry) == nil, response.excess == nil,
            policy.activity.mayStore(key, since: generation)
        else { return response.noting(kind, reason) }
        let isShareable = stored.isFresh(at: now) && !stored.directives.has(.noCache) && inquiry.selects(stored)
        let response = response.noting(kind, reason, isShareable: isShareable)
        if let willCache = policy.willCache {
            guard let changed = willCache(stored, request) else { return response }
            stored = changed
        }
        guard let writer = (try? await store.writer(for: stored, key: key)) ?? nil else { return response }
        await response.store(by: writer, finishes: policy.finishesAbandonedBodies)
        return response
    }

    /// Sends what may change something, and forgets what it may have changed (RFC 9111 4.4).
    private func sendUnsafe() async throws(SockeyeError) -> IncomingResponse {
        let outcome = await call.outcome(of: request)
        let response = try? outcome.get()
        for key in inquiry.invalidatedKeys(status: response?.statusCode, headers: response?.headers ?? [:]) {
            policy.activity.invalidate(key)
            try? await store.removeAll(for: key)
        }
        return try outcome.get().noting(.bypass, .method)
    }

    /// Asks whether a response still holds that was served all the same (RFC 5861 3): in a task of its own, with a deadline of
    /// the same length, one at a time.
    private func revalidateInBackground(_ stored: CachedResponse) {
        // A part is no occasion: the whole is what is stored.
        guard !request.headers.contains(.range), policy.activity.beginsRevalidation(of: stored.id) else { return }
        var request = request
        request.change { values in
            values.method = .get
            values.options.gate = nil
            values.options.observer = nil
            values.options.onInterim = nil
            values.options.deadline = nil
        }
        let exchange = CacheExchange(policy: policy, request: request, inquiry: inquiry.asGet, call: call.detached)
        Task {
            await exchange.refresh(stored)
            exchange.policy.activity.endRevalidation(of: stored.id)
        }
    }

    private func refresh(_ stored: CachedResponse) async {
        let isConfirmable = !stored.validators.isEmpty
        let answer =
            isConfirmable
            ? try? await validate(stored, .staleWhileRevalidate)
            : try? await load(.staleWhileRevalidate, [])
        // What is read is stored.
        guard let answer, answer.cacheOutcome?.kind == .miss, answer.isBeingStored else { return }
        do throws(SockeyeError) {
            var pieces = answer.body.makeAsyncIterator()
            while try await pieces.next() != nil {}
        } catch {
            // It is as if it had never been asked for.
        }
    }
}

extension SockeyeError {
    /// Whether the server could not be asked; that it was not trusted is another matter.
    fileprivate var isUnreachability: Bool {
        [.resolutionFailed, .connectFailed, .timeout, .connectionClosed, .proxyFailed].contains(code)
    }
}
