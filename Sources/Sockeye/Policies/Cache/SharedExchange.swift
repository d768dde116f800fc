import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// An exchange for everybody who asks for the same at the same time (single flight), until its head is here.
///
/// It runs in a task of its own, without a total deadline. Each caller waits with his own deadline and cancellation; when the
/// last one is gone, the task is cancelled.
final class SharedExchange: Sendable {
    /// What has to be equal for two requests to be one.
    struct Key: Hashable {
        let url: String
        let partition: String
        let decodes: Bool
        let headers: Headers
        let bodyLimit: Int?
        /// Two clients may send the same request in other ways.
        let chain: ObjectIdentifier
    }

    typealias Answer = InFlightOperation<IncomingResponse, SockeyeError>

    /// What a caller gets.
    enum Share {
        case response(IncomingResponse)
        case failure(SockeyeError)
        /// Nothing: he has to ask for himself.
        case nothing
    }

    private struct State {
        /// Those who wait or have not taken their share.
        var callers = 0
        var isTaken = false
        var body: SharedBody?
        /// Its readers that nobody is yet.
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

    /// Waits for the head, and takes a share. Called once by each who entered.
    ///
    /// - Parameter isOwner: Whether the exchange is made in this call's name, with its deadlines for each phase.
    func share(in context: CallContext, isOwner: Bool) async throws(SockeyeError) -> Share {
        let outcome: Answer.Outcome
        do throws(TransportError) {
            outcome = try await answer.outcome(until: context.deadline, poller: context.poller())
        } catch {
            throw error == .timedOut ? context.timedOut(in: .head) : SockeyeError(error, phase: .head)
        }
        return state.withLock { state in take(outcome, &state, context, isOwner: isOwner) }
    }

    private func take(
        _ outcome: Answer.Outcome, _ state: inout State, _ context: CallContext, isOwner: Bool
    ) -> Share {
        let isFirst = !state.isTaken
        state.isTaken = true
        switch outcome {
        case .failure(let error):
            // The deadline of one is not that of the others.
            let isOfOne = error.code == .timeout || error.code == .cancelled
            return isOwner || !isOfOne ? .failure(error) : .nothing
        case .success(let response):
            if isFirst {
                guard state.callers > 1, response.isShareable else {
                    return .response(Self.withDeadline(of: context, response))
                }
                state.body = SharedBody(of: response, readers: state.callers)
                state.free = 0..<state.callers
            }
            guard let body = state.body, let id = state.free.popFirst() else { return .nothing }
            let source = body.reader(id, in: context)
            return .response(response.shared(source, isFirst: isFirst))
        }
    }

    /// The response for a single caller. The exchange goes on without a deadline, so that its content needs the caller's.
    private static func withDeadline(of context: CallContext, _ response: IncomingResponse) -> IncomingResponse {
        guard context.deadline != .distantFuture, response.head.reader.unread != nil, response.excess == nil else {
            return response
        }
        return response.shared(SharedBody(of: response, readers: 1).reader(0, in: context), isFirst: true)
    }
}
