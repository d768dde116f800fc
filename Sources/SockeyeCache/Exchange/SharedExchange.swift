import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// One exchange for several equal requests in flight (single flight). Requests can join it until its response head
/// arrives.
///
/// It runs in a task of its own, without a total deadline. Each caller waits with its own deadline and cancellation;
/// when the last caller leaves, the task is cancelled.
final class SharedExchange: Sendable {
    /// The properties in which two requests must be equal to share an exchange.
    struct Key: Hashable {
        /// The key of the stored response: the URL without user information and fragment.
        let url: String
        /// The fragment of the URL. It is not sent, but the URL of the shared response and of its errors includes it.
        let fragment: String?
        /// The digest of the values that tell users apart, such as credentials; see `CachePartition`.
        let partition: String
        /// True if the client decodes content codings of the response.
        let decodes: Bool
        let headers: Headers
        let bodyLimit: Int?
        /// The limits of the single phases, which apply to the exchange and thus to all of its callers. The total
        /// deadline is not included: each caller has its own.
        let limits: PhaseLimits
        /// The identity of the client's interceptors: two clients may send the same request in different ways.
        let chain: ObjectIdentifier
    }

    typealias Answer = InFlightOperation<IncomingResponse, SockeyeError>

    /// The result of the exchange for one caller.
    enum Share {
        case response(IncomingResponse)
        case failure(SockeyeError)
        /// The result cannot be shared with this caller, which must send its own request.
        case nothing
    }

    /// A caller of the exchange.
    struct Caller {
        let context: CallContext
        /// True if this caller started the exchange.
        let isOwner: Bool
        /// The longest time for which other callers that stopped reading may hold up this caller; nil for no limit.
        /// Other callers that have read nothing yet may hold it up for at most `SharedPieces.grace`.
        let stall: Duration?
        let continuation: SharedBody.Continuation
    }

    /// The reserved reader slot of a caller that left without its share of the body.
    struct ReservedReader {
        fileprivate let body: SharedBody
        fileprivate let id: Int

        func release() { body.leave(id) }
    }

    private struct State {
        /// The number of callers that entered and have not left. A caller leaves after it has received its share or has
        /// given up.
        var callers = 0
        /// True if a caller has received the response or the error.
        var isTaken = false
        var body: SharedBody?
        /// Reader slots reserved for callers that have not taken their share yet.
        var free: Range<Int> = 0..<0
    }

    private let answer = Answer()
    private let state = Mutex(State())

    var callerCount: Int { state.withLock(\.callers) }

    func enter() { state.withLock { $0.callers += 1 } }

    /// Notes that a caller has left.
    ///
    /// - Returns: True if this was the last caller; and the reader reserved for the caller, if any. Release the reader
    ///   without holding a lock, because its release may run cancellation handlers of a transport.
    func leave(withShare: Bool) -> (isLast: Bool, reserved: ReservedReader?) {
        state.withLock { state in
            state.callers -= 1
            var reserved: ReservedReader?
            if !withShare, let body = state.body, let id = state.free.popFirst() {
                reserved = ReservedReader(body: body, id: id)
            }
            return (state.callers == 0, reserved)
        }
    }

    /// Cancels the exchange unless it is finished.
    func abandon() { answer.abandon() }

    func carriedOut(by task: Task<Void, Never>) { answer.carriedOut(by: task) }

    func finish(_ outcome: Result<IncomingResponse, SockeyeError>) { answer.finish(outcome) }

    /// Waits for the head and takes a share. Called once by each caller that entered.
    func share(of caller: Caller) async throws(SockeyeError) -> Share {
        let context = caller.context
        let outcome: Answer.Outcome
        do throws(TransportError) {
            outcome = try await answer.outcome(until: context.deadline, poller: context.poller())
        } catch {
            throw error == .timedOut ? context.timedOut(in: .head) : SockeyeError(error, phase: .head)
        }
        return state.withLock { state in take(outcome, &state, caller) }
    }

    private func take(_ outcome: Answer.Outcome, _ state: inout State, _ caller: Caller) -> Share {
        let isFirst = !state.isTaken
        switch outcome {
        case .failure(let error):
            // If the exchange timed out or was cancelled, only the caller that started it gets the error. The others
            // joined later and may have time left, so each of them sends its own request.
            let concernsOwnerOnly = error.code == .timeout || error.code == .cancelled
            guard caller.isOwner || !concernsOwnerOnly else { return .nothing }
            state.isTaken = true
            return .failure(isFirst ? error : error.with { $0.isShared = true })
        case .success(let response):
            state.isTaken = true
            if isFirst {
                guard state.callers > 1, response.isShareable else {
                    return .response(Self.withDeadline(of: caller.context, response))
                }
                state.body = SharedBody(of: response, readers: state.callers)
                state.free = 0..<state.callers
            }
            guard let body = state.body, let id = state.free.popFirst() else { return .nothing }
            let source = body.reader(id, in: caller.context, stall: caller.stall, continuing: caller.continuation)
            return .response(response.shared(source, isFirst: isFirst))
        }
    }

    /// The response for a single caller. The exchange has no total deadline, so reading the content uses the caller's
    /// deadline.
    private static func withDeadline(of context: CallContext, _ response: IncomingResponse) -> IncomingResponse {
        guard context.deadline != .distantFuture, response.head.reader.unread != nil, response.announcedSizeError == nil
        else {
            return response
        }
        return response.shared(SharedBody(of: response, readers: 1).reader(0, in: context), isFirst: true)
    }
}
