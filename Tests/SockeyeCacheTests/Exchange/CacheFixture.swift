import Sockeye
import SockeyeCache
import SockeyeEngine
import SockeyeNet
import SockeyeTesting
import Testing

/// A client with a cache over a mock transport. The test moves its clock.
struct CacheFixture {
    let mock = MockTransport()
    let clock = ManualClock()
    let store = CachePolicy.MemoryStore(limit: 1 << 20)
    var policy: CachePolicy
    let url = "https://a.test/x"
    /// The poller for waits between callers of a shared response; nil for the poller of the process.
    var poller: EventPoller?

    init(_ change: (inout CachePolicy) -> Void = { _ in }) {
        policy = CachePolicy(store)
        change(&policy)
    }

    var client: HTTPClient { client(over: mock) }

    func client(over transport: some HTTPTransport, with policy: CachePolicy? = nil) -> HTTPClient {
        HTTPClient(
            transport: transport, interceptors: [policy ?? self.policy],
            clock: CallClock(time: clock.timeSource) { [poller] () throws(TransportError) in
                if let poller { poller } else { try EventPoller.shared() }
            })
    }

    /// Returns a response with a Cache-Control field.
    static func answer(_ text: String, _ cacheControl: String = "max-age=60", _ headers: Headers = [:])
        -> TestServerResponse
    {
        .ok(text, headers: headers.merging([.cacheControl: cacheControl]))
    }

    /// Returns a response whose content comes in pieces, without a length.
    static func pieces(_ pieces: [String], then error: SockeyeError? = nil, _ headers: Headers = [:])
        -> TestServerResponse
    {
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            for piece in pieces { continuation.yield(Array(piece.utf8)) }
            continuation.finish(throwing: error)
        }
        return .stream(stream, headers: headers.merging([.cacheControl: "max-age=60"]))
    }
}

extension IncomingResponse {
    var outcomeText: String { cacheOutcome?.description ?? "nothing" }
}
