import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// Requests that share an exchange with equal requests in flight.
extension CacheExchange {
    /// True if the response to an equal request in flight may answer this request.
    var mayJoin: Bool {
        guard policy.joinsRequests, cacheRequest.method == .get, use == .useProtocol || use == .returnCacheElseLoad,
            !isRetryAfterErrorResponse,
            !cacheRequest.directives.has(.noCache), cacheRequest.directives.maxAge != 0,
            !request.headers.contains(.range)
        else { return false }
        guard request.parts.hasRareOptions else { return true }
        return request.options.onInterim == nil && request.options.tolerances == nil
    }

    /// A copy of this exchange for all callers that share it, without the total deadline and the gate of this call. The
    /// gate is shut while this call's `TransferTask` is paused. If the shared exchange had the gate, each pause would
    /// postpone the deadlines `head` and `stall` for the other callers, too.
    private var ofAllCallers: CacheExchange {
        guard call.shared.deadline != .distantFuture || request.options.gate != nil else { return self }
        var request = request
        request.change { values in
            values.options.deadline = .distantFuture
            values.options.gate = nil
        }
        return CacheExchange(policy: policy, request: request, cacheRequest: cacheRequest, call: call.withoutDeadline)
    }

    private func exchangeKey(_ limits: PhaseLimits) -> SharedExchange.Key {
        var limits = limits
        limits.total = nil
        return SharedExchange.Key(
            url: key, fragment: cacheRequest.url.fragment, partition: cacheRequest.partition,
            decodes: cacheRequest.decodes, headers: request.headers, bodyLimit: request.options.bodyLimit,
            limits: limits, chain: call.chainIdentity)
    }

    func join(_ plan: CachePlan, _ candidates: [StoredResponse]) async throws(SockeyeError) -> IncomingResponse {
        let limits = call.limits(of: request)
        let key = exchangeKey(limits)
        let (exchange, isNew) = policy.activity.enter(key)
        let own = ofAllCallers
        if isNew { start(exchange, key) { () throws(SockeyeError) in try await own.ask(plan, candidates) } }
        let caller = SharedExchange.Caller(
            context: call.shared, isOwner: isNew, stall: limits.stall,
            continuation: { (shared, position) async throws(SockeyeError) -> any BodySource in
                try await rest(of: shared, from: position)
            })
        let share: SharedExchange.Share
        do throws(SockeyeError) {
            share = try await exchange.share(of: caller)
        } catch {
            policy.activity.leave(exchange, key, withShare: false)
            // The exchange has no total deadline, so it does not replace the error of this caller's deadline.
            if let selected = CachePlan.selected(for: cacheRequest, among: candidates),
                let stale = try? await substitute(selected, for: .failure(error), to: request)
            {
                return stale
            }
            throw error
        }
        policy.activity.leave(exchange, key, withShare: true)
        if isNew { call.shared.adopt(own.call.shared) }
        switch share {
        case .response(let response): return response
        case .failure(let error): throw error
        case .nothing: return try await run(joins: false)
        }
    }

    private func start(
        _ exchange: SharedExchange, _ key: SharedExchange.Key,
        _ ask: @escaping @Sendable () async throws(SockeyeError) -> IncomingResponse
    ) {
        let activity = policy.activity
        let task = Task {
            let outcome: SharedExchange.Answer.Outcome
            do throws(SockeyeError) {
                outcome = .success(try await ask())
            } catch {
                outcome = .failure(error)
            }
            activity.close(exchange, key)
            exchange.finish(outcome)
        }
        exchange.carriedOut(by: task)
    }

    // MARK: Readers that fell behind

    /// The rest of a shared response for a caller that read too slowly: from the store if the response is stored by
    /// now, else from another request.
    ///
    /// - Parameter position: The number of bytes that the caller has received.
    private func rest(of shared: ContentIdentity, from position: Int) async throws(SockeyeError) -> any BodySource {
        if let id = shared.storedID, let response = try await stored(id, from: position) {
            return try ResponseSource(response)
        }
        let response = try await run(joins: false)
        guard shared.isContinued(by: ContentIdentity(of: response), at: position) else { throw .fellBehind }
        let source = try ResponseSource(response)
        try await source.skip(position)
        return source
    }

    private func stored(_ id: String, from position: Int) async throws(SockeyeError) -> IncomingResponse? {
        guard let stored = try await candidates().first(where: { $0.response.id == id }),
            position < stored.response.bodyLength
        else { return nil }
        return try await serve(stored, position..<stored.response.bodyLength, .joined, at: now)
    }
}

/// The content of a response as the source of another response's body.
final class ResponseSource: BodySource {
    private let response: IncomingResponse
    /// The remainder of a piece that was skipped in part.
    private let first = Mutex(Bytes())

    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/bodyConsumed`` if reading has begun already.
    init(_ response: IncomingResponse) throws(SockeyeError) {
        guard response.head.reader.begin() else { throw BodyReader.consumed }
        self.response = response
    }

    var trailers: Headers? { response.trailers }

    func next() async throws(SockeyeError) -> Bytes? {
        let first = first.withLock { first in
            defer { first = Bytes() }
            return first
        }
        return first.isEmpty ? try await response.head.reader.next() : first
    }

    /// Discards bytes that the caller has received already.
    func skip(_ count: Int) async throws(SockeyeError) {
        var (missing, turn) = (count, TurnBudget())
        while missing > 0 {
            guard let piece = try await response.head.reader.next() else { throw .fellBehind }
            if piece.count > missing {
                first.withLock { $0 = piece.slice(missing..<piece.count) }
                return
            }
            missing -= piece.count
            guard turn.spend(piece.count) else { continue }
            if Task.isCancelled { throw SockeyeError(.cancelled, phase: .body) }
            await Task.yield()
        }
    }
}

extension SockeyeError {
    /// The error of a caller that read too slowly and cannot get the rest of the content.
    fileprivate static var fellBehind: SockeyeError {
        SockeyeError(
            Fields(
                .timeout, phase: .body, blame: .caller,
                message: "calls that share this response waited for its caller until their stall deadline and went on "
                    + "without it, and the rest cannot be requested: the content changed, or has no strong validator"))
    }
}
