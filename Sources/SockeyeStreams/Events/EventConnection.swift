import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

/// The response from which a stream of events is read. Releasing this object discards the rest of the body, which
/// closes the connection, even if the caller still holds the response.
final class EventConnection: Sendable {
    let response: IncomingResponse

    /// Begins to read the body. Throws if another reader has begun; that reader continues.
    init(_ response: IncomingResponse) throws(SockeyeError) {
        guard response.head.reader.begin() else { throw BodyReader.consumed }
        self.response = response
    }

    deinit {
        response.discard()
    }

    /// Returns the next chunk, or nil at the end.
    ///
    /// Throws if the deadline has passed, even if a chunk is available. Without this check, the deadline would never
    /// take effect while the peer sends without a pause.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait; nil if only the body's own deadlines apply.
    ///   - idle: The configured limit that led to the deadline, for the error.
    func read(
        until deadline: MonotonicTime?, of idle: Duration?, by clock: CallClock
    ) async throws(SockeyeError) -> Bytes? {
        if let deadline, clock.time.now >= deadline { throw Self.idleError(idle) }
        switch response.head.reader.take() {
        case .piece(let piece): return piece
        case .busy: throw BodyReader.consumed
        case .fetch(let source):
            guard let deadline else { return try await response.head.reader.fetch(from: source) }
            return try await fetch(from: source, until: deadline, of: idle, by: clock)
        }
    }

    private enum Ending: Sendable {
        case read(Result<Bytes?, SockeyeError>)
        /// The deadline has passed.
        case tooLate
        /// The timer was cancelled or failed. If it failed, the read continues without this deadline.
        case unwatched
    }

    /// Reads a chunk while a timer runs. The end of the read cancels the timer, and the deadline cancels the read.
    private func fetch(
        from source: any BodySource, until deadline: MonotonicTime, of idle: Duration?, by clock: CallClock
    ) async throws(SockeyeError) -> Bytes? {
        let head = response.head
        let result: Result<Bytes?, SockeyeError> = await withTaskGroup(of: Ending.self) { group in
            group.addTask {
                do throws(SockeyeError) {
                    return .read(.success(try await head.reader.fetch(from: source)))
                } catch {
                    return .read(.failure(error))
                }
            }
            group.addTask {
                do throws(TransportError) { try await clock.sleep(until: deadline) } catch { return .unwatched }
                return .tooLate
            }
            var (isLate, outcome) = (
                false, Result<Bytes?, SockeyeError>.failure(SockeyeError(.cancelled, phase: .body))
            )
            for await ending in group {
                switch ending {
                case .read(let result):
                    outcome = result
                    group.cancelAll()
                case .tooLate:
                    isLate = true
                    group.cancelAll()
                case .unwatched: break
                }
            }
            // A chunk that arrived together with the deadline is returned.
            if isLate, case .failure = outcome { return .failure(Self.idleError(idle)) }
            return outcome
        }
        return try result.get()
    }

    private static func idleError(_ idle: Duration?) -> SockeyeError {
        var fields = SockeyeError.Fields(
            .timeout, phase: .body, blame: .peer, message: "no event arrived within the idle limit")
        fields.limit = .init("idle", configured: idle.map { "\($0)" } ?? "none")
        return SockeyeError(fields)
    }

    /// The limits of ``drain(by:)``: the number of bytes, and the time. If either limit is reached before the end of
    /// the response, the connection is closed.
    private static let largestRest = 64 << 10
    private static let longestWait = Duration.milliseconds(50)

    /// Reads the rest of the response if it is short, so that the connection can be reused.
    func drain(by clock: CallClock) async {
        let deadline = clock.time.now.advanced(by: Self.longestWait)
        var rest = Self.largestRest
        while rest > 0, let piece = try? await read(until: deadline, of: Self.longestWait, by: clock) {
            rest -= piece.count
        }
    }
}

/// The conditions for a response to be an event stream (HTML Standard, 9.2.3).
enum EventStreamResponse {
    private static let validation = IncomingResponse.Validation(statusCodes: [200], contentTypes: ["text/event-stream"])

    static func hasType(_ response: IncomingResponse) -> Bool {
        !validation.objections(to: response).contains(.contentType)
    }

    /// Returns the error for a response that is not an event stream, with the start of its body. Discards the rest.
    static func refusal(of response: IncomingResponse, by clock: CallClock) async -> SockeyeError {
        let start = await response.startOfRefusedBody(by: clock)
        defer { response.discard() }
        return validation.refusal(of: response, body: start)
            ?? response.refusal(.unacceptableContentType, "the response is not an event stream", body: start)
    }
}

/// The total deadline of a stream, shared by all its connections.
struct TotalDeadline: Sendable {
    private let limit: Duration?
    /// The time at which the whole stream must be over.
    let end: MonotonicTime

    init() {
        limit = nil
        end = .distantFuture
    }

    /// - Parameter request: The caller's request; nil if it is invalid. Deadlines that the request does not set come
    ///   from the client's scope (see `scoped` of ``/Sockeye/HTTPClient``) and configuration.
    init(of request: OutgoingRequest?, by client: HTTPClient, at time: TimeSource) {
        let own = request.flatMap { client.scope.completing($0).options.timeouts } ?? Timeouts()
        limit = PhaseLimits(own.over(client.scope.sockets?.configuration.timeouts ?? Timeouts())).total
        end = limit == nil ? .distantFuture : time.now.deadline(after: limit)
    }

    var error: SockeyeError { .timeout(.prepare, configured: limit, name: "total") }

    /// Sets the remaining time as the total deadline of a connection's request.
    func bound(_ request: inout OutgoingRequest, at now: MonotonicTime) throws(SockeyeError) {
        guard end != .distantFuture else { return }
        guard now < end else { throw error }
        var timeouts = request.options.timeouts ?? Timeouts()
        timeouts.total = end.since(now)
        request.options.timeouts = timeouts
    }
}
