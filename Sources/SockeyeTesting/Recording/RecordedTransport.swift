public import Sockeye
import SockeyeCore
public import SockeyeEngine
import SockeyePlatform
import Synchronization

/// A transport that records a client's exchanges to a file, and answers from that file without a network.
///
/// ```swift
/// let recorded = try RecordedTransport("Recordings/users.txt", rules: rules)
/// let client = HTTPClient(transport: recorded).adding(.retry(max: 2))
/// let user = try await client.get(
///     "https://api.example.com/users/1", as: User.self)
/// try await recorded.finish()
/// ```
///
/// Replaces the transport over sockets. The client's policies run while recording and while replaying, so each
/// redirect, challenge and retry is a separate exchange. Content codings are undone before recording, unless
/// decompression is disabled. If the caller drops a response before the end of its body, or calls ``finish()``, the
/// transport records the unread part that arrives within the next 5 seconds. Interim responses, trailers, network
/// errors and the pieces in which a body arrived are also recorded. TLS details and timing are not recorded: replaying
/// never waits.
///
/// The file is text that can be read, reviewed and edited: HTTP messages as `curl -v` shows them. Secrets are removed
/// before anything reaches the disk; see ``RecordingRules``.
public final class RecordedTransport: HTTPTransport {
    /// The use of the network and of the recording file.
    @nonexhaustive public enum Mode: Sendable, Hashable {
        /// Answers from the file. A request for which the file has no answer is an error.
        case replay
        /// Sends every request over the network. ``RecordedTransport/finish()`` replaces the file.
        case record
        /// Answers from the file. A request for which the file has no answer goes over the network, and
        /// ``RecordedTransport/finish()`` adds its exchange to the file.
        case recordMissing

        /// The mode set by the environment variable `SOCKEYE_RECORD`: ``record`` for `all`, ``recordMissing`` for
        /// `missing`, otherwise ``replay``.
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
        /// The recorded exchanges in the order in which the requests began. An element is nil while its exchange is in
        /// progress, and if the request was cancelled before the response arrived.
        var recorded: [RecordedExchange?] = []
        /// The response bodies that are not recorded yet, by the index of their exchange in `recorded`.
        var taps: [Int: ResponseTap] = [:]
        var failures: [TestServerError] = []
    }

    /// The use of the network and of the recording file.
    public let mode: Mode
    /// The path of the recording.
    public let path: String
    private let rules: RecordingRules
    private let bodyLimit: Int
    private let network: any HTTPTransport
    private let matching: Matching
    private let state: Mutex<State>

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - path: The file. A relative path is relative to the folder of the calling source file. When recording,
    ///     ``finish()`` creates the file and its folder.
    ///   - mode: The use of the network and of the recording file. By default the environment variable `SOCKEYE_RECORD`
    ///     decides; see ``Mode/environment``.
    ///   - network: The client that provides connections, deadlines and TLS settings for recording. Its policies are
    ///     not used.
    ///   - rules: The rules that remove secrets before anything reaches the disk.
    ///   - matching: The rules that decide if a request matches a recorded request.
    ///   - bodyLimit: The most bytes of a body to record; default 16 MiB. A larger body makes ``finish()`` fail. In the
    ///     modes ``Mode/replay`` and ``Mode/recordMissing``, a larger request body fails its request instead.
    ///   - file: The calling source file; leave the default.
    /// - Throws: ``TestServerError`` with the code `badRecording` if the file cannot be read or is not a recording, or
    ///   if it is missing in the mode ``Mode/replay``. In the mode ``Mode/record`` the file is not read.
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

    /// The number of exchanges that were read from the file, plus those recorded so far.
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
        if mode == .recordMissing { return try await record(request.with(received), reportsUpload: false) }
        let error = state.withLock { state in
            let error = TestServerError(.unexpectedRequest, state.replay.refusal(of: asked))
            state.failures.append(error)
            return error
        }
        throw SockeyeError(error, received.identity)
    }

    /// - Parameter reportsUpload: False if the body was collected before, because collecting has already reported the
    ///   progress.
    private func record(
        _ request: OutgoingRequest, reportsUpload: Bool = true
    ) async throws(SockeyeError) -> IncomingResponse {
        let tap = RequestTap(limit: bodyLimit)
        var outgoing = tap.tapping(request)
        if !reportsUpload { outgoing.options.onBodyProgress = nil }
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
                    .badRecording, "a body of \(cleaned.request.line) exceeds the bodyLimit of \(bodyLimit) bytes"))
        }
    }

    // MARK: Finishing

    /// Writes the recorded exchanges to the file, unless the mode is ``Mode/replay``. If there were failures, throws
    /// the first failure and writes nothing.
    ///
    /// Response bodies that have not been read to their end are read now, for at most 5 seconds each. Callers that
    /// still have the responses can read the bodies afterwards. May be called again.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; then nothing is written. Any other error is a
    ///   ``TestServerError``. Its code in the mode ``Mode/replay``: `unexpectedRequest`, with the differences, if the
    ///   recording had no answer for a request; `verificationFailed` if recorded exchanges were not used and the order
    ///   is ``Matching/Order/strict``. Its code in the other modes: `badRecording` if the file cannot be written or a
    ///   body was too large.
    public func finish() async throws {
        for tap in state.withLock({ Array($0.taps.values) }) { await tap.drain() }
        // In a cancelled task, `drain()` does not wait for whole bodies, so writing now would store incomplete ones.
        try Task.checkCancellation()
        let (failure, unused) = state.withLock { ($0.failures.first, $0.replay.unused) }
        if let failure { throw failure }
        if mode == .replay, matching.order == .strict, let first = unused.first {
            throw TestServerError(
                .verificationFailed,
                "\(unused.count) recorded exchanges were not used; the first is \(first.request.line)")
        }
        guard mode != .replay else { return }
        let exchanges = state.withLock { $0.replay.exchanges + $0.recorded.compactMap { $0 } }
        try RecordingFile.write(exchanges, to: path)
    }
}
