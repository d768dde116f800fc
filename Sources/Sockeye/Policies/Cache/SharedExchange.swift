import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// One exchange for several equal requests in flight (single flight), until its head is here.
///
/// It runs in a task of its own, without a total deadline. Each caller waits with its own deadline and cancellation; when the
/// last one leaves, the task is cancelled.
final class SharedExchange: Sendable {
    /// The properties in which two requests must be equal to share an exchange.
    struct Key: Hashable {
        let url: String
        let partition: String
        let decodes: Bool
        let headers: Headers
        let bodyLimit: Int?
        /// Without the total deadline: each caller waits for phases of the exchange as long as for phases of its own.
        let limits: PhaseLimits
        /// Two clients may send the same request in different ways.
        let chain: ObjectIdentifier
    }

    typealias Answer = InFlightOperation<IncomingResponse, SockeyeError>

    /// The result of the exchange for one caller.
    enum Share {
        case response(IncomingResponse)
        case failure(SockeyeError)
        /// The answer may not be shared: the caller has to send its own request.
        case nothing
    }

    /// A caller of the exchange.
    struct Caller {
        let context: CallContext
        /// Whether the exchange is made in this call's name.
        let isOwner: Bool
        /// How long it waits for other callers that do not read.
        let stall: Duration?
        let continuation: SharedBody.Continuation
    }

    private struct State {
        /// The callers that wait or have not taken their share.
        var callers = 0
        var isTaken = false
        var body: SharedBody?
        /// Reader slots reserved for callers that have not taken their share yet.
        var free: Range<Int> = 0..<0
    }

    private let answer = Answer()
    private let state = Mutex(State())

    var callerCount: Int { state.withLock(\.callers) }

    func enter() { state.withLock { $0.callers += 1 } }

    /// - Returns: Whether that was the last one.
    func leave(withShare: Bool) -> Bool {
        let (isLast, left) = state.withLock { state -> (Bool, (SharedBody, Int)?) in
            state.callers -= 1
            var left: (SharedBody, Int)?
            if !withShare, let body = state.body, let id = state.free.popFirst() { left = (body, id) }
            return (state.callers == 0, left)
        }
        if let (body, id) = left { body.leave(id) }
        return isLast
    }

    /// Ends the exchange unless it has come to an answer.
    func abandon() { answer.abandon() }

    func carriedOut(by task: Task<Void, Never>) { answer.carriedOut(by: task) }

    func finish(_ outcome: Result<IncomingResponse, SockeyeError>) { answer.finish(outcome) }

    /// Waits for the head, and takes a share. Called once by each caller that entered.
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
        state.isTaken = true
        switch outcome {
        case .failure(let error):
            // A deadline or cancellation of one caller does not concern the others.
            let isOfOne = error.code == .timeout || error.code == .cancelled
            return caller.isOwner || !isOfOne ? .failure(error) : .nothing
        case .success(let response):
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

    /// The response for a single caller. The exchange has no total deadline, so reading the content gets the caller's.
    private static func withDeadline(of context: CallContext, _ response: IncomingResponse) -> IncomingResponse {
        guard context.deadline != .distantFuture, response.head.reader.unread != nil, response.excess == nil else {
            return response
        }
        return response.shared(SharedBody(of: response, readers: 1).reader(0, in: context), isFirst: true)
    }
}
