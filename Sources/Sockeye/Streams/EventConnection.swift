import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

/// The response that a stream of events is read from. Dropping it closes its connection, whoever else has the response.
final class EventConnection: Sendable {
    let response: IncomingResponse

    init(_ response: IncomingResponse) {
        self.response = response
    }

    deinit {
        response.discard()
    }

    func begin() throws(SockeyeError) {
        guard response.head.reader.begin() else { throw BodyReader.consumed }
    }

    /// The next chunk, or nil at the end.
    ///
    /// Throws if the deadline has passed, also if a chunk is here: otherwise a peer that never pauses would outlast it.
    ///
    /// - Parameters:
    ///   - deadline: When the wait ends; nil: when the body's own deadlines say.
    ///   - idle: What led to the deadline, for its error.
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
        case tooLate
        case unwatched
    }

    /// A read and a timer, of which the first to end cancels the other.
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
            // A chunk that came with the deadline is an answer to it.
            if isLate, case .failure = outcome { return .failure(Self.idleError(idle)) }
            return outcome
        }
        return try result.get()
    }

    private static func idleError(_ idle: Duration?) -> SockeyeError {
        var fields = SockeyeError.Fields(.timeout, phase: .body, blame: .peer, message: "no event came in time")
        fields.limit = .init("idle", configured: idle.map { "\($0)" } ?? "none")
        return SockeyeError(fields)
    }

    /// The longest rest that is read away behind the last event that anybody wants, and for how long that is waited for.
    private static let largestRest = 64 << 10
    private static let longestWait = Duration.milliseconds(50)

    /// Reads what is left if that is little, so that the connection serves again.
    func drain(by clock: CallClock) async {
        let deadline = clock.time.now.advanced(by: Self.longestWait)
        var rest = Self.largestRest
        while rest > 0, let piece = try? await read(until: deadline, of: Self.longestWait, by: clock) {
            rest -= piece.count
        }
    }
}

/// What makes a response one that a stream of events is read from (HTML Standard, 9.2.3).
enum EventStreamResponse {
    private static let validation = IncomingResponse.Validation(statusCodes: [200], contentTypes: ["text/event-stream"])

    static func hasType(_ response: IncomingResponse) -> Bool {
        !validation.objections(to: response).contains(.contentType)
    }

    /// The error about a response that is none.
    static func refusal(of response: IncomingResponse) async -> SockeyeError {
        let start = await response.leadingBytes().bytes
        defer { response.discard() }
        return validation.refusal(of: response, body: start)
            ?? response.refusal(.unacceptableContentType, "the response is not an event stream", body: start)
    }
}

/// The total deadline of a stream, which all its connections share.
struct TotalDeadline: Sendable {
    private let limit: Duration?
    /// When the whole stream has to be over.
    let end: MonotonicTime

    init() {
        limit = nil
        end = .distantFuture
    }

    /// - Parameter request: As the caller made it: its scope's and its client's deadlines hold where it has none.
    init(of request: OutgoingRequest?, by client: HTTPClient, at time: TimeSource) {
        let own = request.flatMap { client.scope.completing($0).options.timeouts } ?? Timeouts()
        limit = PhaseLimits(own.over(client.scope.sockets?.configuration.timeouts ?? Timeouts())).total
        end = limit == nil ? .distantFuture : time.now.deadline(after: limit)
    }

    var error: SockeyeError { .timeout(.prepare, configured: limit, name: "total") }

    /// Leaves a connection what is left.
    func bound(_ request: inout OutgoingRequest, at now: MonotonicTime) throws(SockeyeError) {
        guard end != .distantFuture else { return }
        guard now < end else { throw error }
        var timeouts = request.options.timeouts ?? Timeouts()
        timeouts.total = end.since(now)
        request.options.timeouts = timeouts
    }
}
