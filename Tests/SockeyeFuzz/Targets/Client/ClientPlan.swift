import HTTPTypes
import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeEngine

/// The client's part of a run: its policies, its requests, and its way of reading the answers.
struct ClientPlan: Sendable {
    enum Reading: CaseIterable, Sendable {
        case bytes, text, json, lines, jsonLines, parts, responseEvents, clientEvents, reconnectingEvents, nothing
    }

    enum Sending: CaseIterable, Sendable {
        case get, head, post, expecting, stream
    }

    /// The limit of each wait, and of each call except a call whose event stream reconnects.
    static let limit = Duration.milliseconds(300)

    var calls = 1
    var reading = Reading.bytes
    var sending = Sending.get
    var ending = FuzzServer.Script.Ending.closes
    private var policies = 0
    private var isLenient = false

    init(_ input: inout FuzzInput) {
        policies = input.choice(below: 64)
        reading = Reading.allCases[input.choice(below: Reading.allCases.count)]
        sending = Sending.allCases[input.choice(below: Sending.allCases.count)]
        let style = input.choice(below: 64)
        calls = 1 + style % 3
        isLenient = style & 4 != 0
        // Silence lasts until the deadline, so only few inputs select it.
        ending = style < 40 ? .closes : style < 62 ? .keepsAlive : .silent
    }

    /// True if only the bytes determine the outcome. Otherwise a clock matters, surplus bytes race the next request, or
    /// a request body races an early answer.
    var isDetermined: Bool {
        ending == .closes && policies & 0b11 == 0 && reading != .reconnectingEvents && sending != .stream
            && sending != .expecting
    }

    /// The time within which a call must end.
    var deadline: Duration { reading == .reconnectingEvents ? Self.limit * 10 : Self.limit }

    func configuration(for script: FuzzServer.Script) -> HTTPClient.Configuration {
        var configuration = FuzzServer.shared.configuration(for: script)
        configuration.timeouts = Timeouts(total: Self.limit, head: Self.limit, stall: Self.limit)
        configuration.limits.headBytes = 2000
        configuration.limits.decodedBytes = 1 << 20
        configuration.tolerances = isLenient ? [.bareLineFeeds, .missingCloseNotify] : []
        configuration.interceptors = interceptors
        return configuration
    }

    private var interceptors: [any Interceptor] {
        var chosen: [any Interceptor] = []
        if policies & 1 != 0 {
            var retry = RetryPolicy()
            (retry.backoff, retry.maximumRetryAfter, retry.budget) = (.none, .milliseconds(20), nil)
            chosen.append(retry)
        }
        if policies & 2 != 0 { chosen.append(.cache(CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20)))) }
        if policies & 4 != 0 { chosen.append(.cookies()) }
        switch policies >> 3 & 3 {
        case 1: chosen.append(.basic(user: "user", password: "secret", origins: ["http://a.test"]))
        case 2: chosen.append(.digest(user: "user", password: "secret"))
        default: break
        }
        if policies & 32 != 0 { chosen.append(.redirects(.manual)) }
        return chosen
    }

    var method: HTTPRequest.Method {
        switch sending {
        case .get: .get
        case .head: .head
        case .post, .expecting, .stream: .post
        }
    }

    var body: OutgoingRequest.Body {
        switch sending {
        case .get, .head: return .none
        case .post, .expecting: return .bytes(Bytes("a=b"))
        case .stream:
            let chunks = AsyncStream<Bytes> { continuation in
                for _ in 0..<3 { continuation.yield(Bytes("chunk")) }
                continuation.finish()
            }
            return .stream(chunks, length: nil)
        }
    }

    var options: OutgoingRequest.Options {
        var options = OutgoingRequest.Options()
        if sending == .expecting { options.expectContinue = .milliseconds(5) }
        return options
    }
}
