import HTTPTypes
import SockeyeCache
import SockeyeEssentials
import SockeyeHTTP

/// The decisions of a cache about requests and responses.
enum CacheTargets {
    /// The input has the fields of a response, one on each line, then an empty line and the fields of a request.
    static let decisions: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let now: Int64 = 1_767_225_600
        let times: [Int64] = [now, now - 1, now + 100, 0, -1, .min, .max, now - 100_000]
        let (requestTime, responseTime) = (times[input.choice(below: 8)], times[input.choice(below: 8)])
        let status = [200, 200, 203, 206, 301, 304, 404, 412, 416, 429, 503, 599][input.choice(below: 12)]
        let use = [
            CachedResponse.Mode.useProtocol, .useProtocol, .reloadIgnoringCache, .reloadRevalidatingCache,
            .returnCacheElseLoad, .returnCacheDontLoad,
        ][input.choice(below: 6)]
        let (isHead, decodes) = (input.flag(), input.flag())
        let parts = Self.parts(of: input.bytes)
        guard let url = try? HTTPURL("https://u@a.test/x?q#f"),
            let cacheRequest = CacheRequest(
                method: isHead ? .head : .get, url: url, headers: parts.request, decodes: decodes)
        else { return }
        var response = CachedResponse(
            id: "1", status: status, reason: "", headers: parts.response, isDecoded: decodes, to: cacheRequest,
            requestTime: requestTime, responseTime: responseTime)
        response.bodyLength = 100
        check(response, cacheRequest, use, times)
        response = response.updated(
            with: parts.response, to: cacheRequest, requestTime: responseTime, responseTime: requestTime)
        check(response, cacheRequest, use, times)
    }

    private static func check(
        _ response: CachedResponse, _ cacheRequest: CacheRequest, _ use: CachedResponse.Mode, _ times: [Int64]
    ) {
        let stored = StoredResponse(response)
        let again = reread(response)
        require(again.response == response, "the response changed by storing and reading")
        require(
            again.refusal(to: cacheRequest) == stored.refusal(to: cacheRequest),
            "the stored response is not storable after reading")
        if stored.refusal(to: cacheRequest) == nil {
            require(cacheRequest.selects(stored), "the stored response does not answer its own request")
            require(response.replaces(response), "the response does not replace an equal one")
        }
        for time in times {
            let age = stored.currentAge(at: time)
            require((0...CacheDirectives.maximumSeconds).contains(age), "an age of \(age)")
            require(
                again.currentAge(at: time) == age && again.staleness(at: time) == stored.staleness(at: time), "\(age)")
            let plan = CachePlan(for: cacheRequest, among: [stored], use: use, at: time)
            require(plan == CachePlan(for: cacheRequest, among: [again], use: use, at: time), "\(plan)")
            check(plan, cacheRequest, use, time)
        }
    }

    private static func check(_ plan: CachePlan, _ cacheRequest: CacheRequest, _ use: CachedResponse.Mode, _ now: Int64)
    {
        let isLimited = use == .returnCacheDontLoad || cacheRequest.directives.has(.onlyIfCached)
        switch plan {
        case .serve(let stored, let reason, let part, let revalidates):
            require(cacheRequest.selects(stored), "another request's answer")
            require(part.map { $0.lowerBound >= 0 && !$0.isEmpty && $0.upperBound <= 100 } ?? true, "\(part as Any)")
            require(reason != .fresh || stored.isFresh(at: now), "a stale response served as fresh")
            require(!(isLimited && revalidates), "a request although the call allows none")
            let mayBeStale = use.ignoresAge
            require(mayBeStale || !stored.directives.has(.noCache), "no-cache, and served without asking")
            let head = StoredHead(stored, age: stored.currentAge(at: now), part: part)
            let fields = head.makeFields()
            for name in ["Age", "Content-Range", "Content-Length", "ETag"] {
                let name = Headers.Name(name)
                require(head.values(of: name) == fields[values: name], "\(name) has two values")
            }
        case .validate(let stored, _):
            require(!isLimited && stored.hasValidators, "a validation that is not allowed or has no validator")
        case .load: require(!isLimited, "a request although the call allows none")
        case .refuse: require(isLimited, "a refusal although a request is allowed")
        }
    }

    /// Returns the response as a store reads it back.
    private static func reread(_ response: CachedResponse) -> StoredResponse {
        do {
            let data = try JSONEncoder().encode(response)
            return StoredResponse(try JSONDecoder().decode(CachedResponse.self, from: data))
        } catch {
            fatalError("a stored response cannot be read: \(error)")
        }
    }

    private static func parts(of bytes: [UInt8]) -> (response: Headers, request: Headers) {
        var (fields, request) = (Headers(), Headers())
        var isRequest = false
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            guard !line.isEmpty else {
                isRequest = true
                continue
            }
            let halves = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            var field = Headers()
            let (name, value) = (String(decoding: halves[0], as: UTF8.self), String(decoding: halves[1], as: UTF8.self))
            field.append(Headers.Name(name), value)
            guard field.isValid else { continue }
            if isRequest { request.append(contentsOf: field) } else { fields.append(contentsOf: field) }
        }
        return (fields, request)
    }
}
