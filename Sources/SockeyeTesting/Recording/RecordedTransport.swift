public import Sockeye
import SockeyeCore
public import SockeyeEngine
import SockeyePlatform
import Synchronization

/// Records a client's exchanges to a file, and answers from it when there is no network.
///
/// ```swift
/// let recorded = try RecordedTransport("Recordings/users.txt", rules: rules)
/// let client = HTTPClient(transport: recorded).adding(.retry(max: 2))
/// let user = try await client.get("https://api.example.com/users/1", as: User.self)
/// try await recorded.finish()
/// ```
///
/// It stands where the sockets stand: the client's policies run while recording and while replaying, so redirects, challenges
/// and retries are exchanges of their own. Content codings are undone before. Bodies are recorded whole, read or not; interim
/// responses, trailers, the pieces of a stream, and errors of the network are recorded as well. Not recorded are TLS and
/// time: replaying waits for nothing.
///
/// The file is text, made to be read, reviewed and edited: HTTP messages as `curl -v` shows them. Secrets are removed before
/// anything reaches the disk; see ``RecordingRules``.
///
/// Without a `mode` the environment decides: `SOCKEYE_RECORD=all` records, `SOCKEYE_RECORD=missing` records what is missing,
/// and without it nothing but the file is asked.
public final class RecordedTransport: HTTPTransport {
    /// Whether to ask the network.
    @nonexhaustive public enum Mode: Sendable, Hashable {
        /// Answers from the file; what is not there is an error.
        case replay
        /// Asks the network, and makes the file anew.
        case record
        /// Answers from the file, asks the network for what is not there, and adds it.
        case recordMissing

        /// As `SOCKEYE_RECORD` says: `all`, `missing`, or else ``replay``.
        public static var environment: Mode {
            switch SystemProcess.environment("SOCKEYE_RECORD") {
            case "all": .record
            case "missing": .recordMissing
            default: .replay
            }
        }
    }

    private struct State {
        var replay: ReplayList
        /// In the order in which the requests began; nil while one is under way, or when it was cancelled.
        var recorded: [RecordedExchange?] = []
        var taps: [Int: ResponseTap] = [:]
        var failures: [TestServerError] = []
    }

    /// Whether to ask the network.
    public let mode: Mode
    /// Where the recording is.
    public let path: String
    private let rules: RecordingRules
    private let bodyLimit: Int
    private let network: any HTTPTransport
    private let matching: Matching
    private let state: Mutex<State>

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - path: The file; relative to the folder of the source file that this is called in. Recording creates it, and
    ///     its folder, when it is finished.
    ///   - mode: Whether to ask the network.
    ///   - network: Whose connections, deadlines and TLS are used for recording. Its policies are not.
    ///   - rules: What is removed before it reaches the disk.
    ///   - matching: When a request is one that was recorded.
    ///   - bodyLimit: The most bytes of a body to record. A larger one makes ``finish()`` fail. Default 16 MiB.
    ///   - file: The source file; leave it out.
    /// - Throws: ``TestServerError`` with the code `badRecording`, for a file that is needed and missing, or is none.
    public init(
        _ path: String, mode: Mode = .environment, over network: HTTPClient = HTTPClient(),
        rules: RecordingRules = RecordingRules(), matching: Matching = Matching(), bodyLimit: Int = 16 << 20,
        file: String = #filePath
    ) throws {
        let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
        self.path = path.hasPrefix("/") ? path : folder + path
        self.mode = mode
        self.network = network.transport
        self.rules = rules
        self.matching = matching
        self.bodyLimit = bodyLimit
        let exchanges = try mode == .record ? [] : RecordingFile.read(self.path, isNeeded: mode == .replay)
        state = Mutex(State(replay: ReplayList(exchanges, matching)))
    }

    /// How many exchanges there are: in the file, and recorded so far.
    public var count: Int {
        state.withLock { $0.replay.exchanges.count + $0.recorded.count { $0 != nil } }
    }

    // MARK: Exchanges

    /// Answers a request; called by the client.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        guard mode != .record else { return try await record(request) }
        let received = try await MockRequest(collecting: request, upTo: bodyLimit)
        try Task.checkCancellation()
        let asked = rules.cleaned(RecordedExchange.Request(received))
        if let exchange = state.withLock({ $0.replay.take(asked) }) { return try exchange.outcome(for: received) }
        if mode == .recordMissing { return try await record(request.with(received)) }
        let error = state.withLock { state in
            let error = TestServerError(.unexpectedRequest, state.replay.refusal(of: asked))
            state.failures.append(error)
            return error
        }
        throw SockeyeError(error, received.identity)
    }

    private func record(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        let tap = RequestTap(limit: bodyLimit)
        var outgoing = tap.tapping(request)
        let interims = InterimTap()
        let onInterim = request.options.onInterim
        outgoing.options.onInterim = { interim in
            interims.append(interim)
            onInterim?(interim)
        }
        let index = state.withLock { state in
            state.recorded.append(nil)
            return state.recorded.count - 1
        }
        let begun: @Sendable () -> RecordedExchange = {
            var recorded = RecordedExchange.Request(
                method: request.method.rawValue, url: request.url.description, headers: request.headers,
                isChunked: request.body.length == nil)
            if let content = tap.content { (recorded.body, recorded.trailers) = content }
            return RecordedExchange(request: recorded, interims: interims.heads)
        }
        do throws(SockeyeError) {
            let response = try await network.answer(outgoing)
            return tapped(response, to: request, at: index, tap, begun)
        } catch {
            if error.code != .cancelled {
                var exchange = begun()
                exchange.failure = RecordedExchange.Failure(error)
                conclude(exchange, at: index, isWhole: tap.content != nil)
            }
            throw error
        }
    }

    private func tapped(
        _ response: IncomingResponse, to request: OutgoingRequest, at index: Int, _ tap: RequestTap,
        _ begun: @escaping @Sendable () -> RecordedExchange
    ) -> IncomingResponse {
        let (head, isDecoded) = (RecordedExchange.Head(response), response.isDecoded)
        let responseTap = ResponseTap(response.head, limit: bodyLimit) { [weak self] content in
            var exchange = begun()
            exchange.response = RecordedExchange.Response(head, content, isDecoded: isDecoded)
            exchange.failure = content.failure.map { RecordedExchange.Failure($0) }
            self?.conclude(exchange, at: index, isWhole: tap.content != nil && !content.isTooLarge)
        }
        state.withLock { $0.taps[index] = responseTap }
        let limit = (network as? SocketTransport)?.configuration.limits.bodyBytes
        let body = BodyContent(
            source: RecordingSource(responseTap), expectedLength: response.body.expectedLength)
        return IncomingResponse(
            ResponseStorage(
                status: head.status, fields: response.headers, reason: response.reason,
                request: RequestIdentity(method: request.method.rawValue, url: request.url),
                body: body.limited(by: request.options.bodyLimit, orClient: limit), isDecoded: isDecoded,
                tls: response.tls, minorVersion: response.minorVersion))
    }

    private func conclude(_ exchange: RecordedExchange, at index: Int, isWhole: Bool) {
        let cleaned = rules.cleaned(exchange)
        state.withLock { state in
            state.taps[index] = nil
            state.recorded[index] = cleaned
            guard !isWhole else { return }
            state.failures.append(
                TestServerError(
                    .badRecording, "a body of \(cleaned.request.line) has more than \(bodyLimit) bytes to record"))
        }
    }

    // MARK: The end

    /// Writes what was recorded, when everything is there, and throws what went wrong.
    ///
    /// Bodies that nobody has read to their end are read now, at most for some seconds each; they can still be read by whoever
    /// holds the response. May be called again.
    ///
    /// - Throws: ``TestServerError``: `unexpectedRequest` for a request that the recording does not have, with a difference;
    ///   `verificationFailed` for recorded exchanges that were not asked for, in the order ``Matching/Order/strict``;
    ///   `badRecording` when the file cannot be written, or a body was too large.
    public func finish() async throws {
        for tap in state.withLock({ Array($0.taps.values) }) { await tap.drain() }
        let (failure, unused) = state.withLock { ($0.failures.first, $0.replay.unused) }
        if let failure { throw failure }
        if mode == .replay, matching.order == .strict, let first = unused.first {
            throw TestServerError(
                .verificationFailed,
                "\(unused.count) recorded exchanges were not asked for, the first is \(first.request.line)")
        }
        guard mode != .replay else { return }
        let exchanges = state.withLock { $0.replay.exchanges + $0.recorded.compactMap { $0 } }
        try RecordingFile.write(exchanges, to: path)
    }
}
