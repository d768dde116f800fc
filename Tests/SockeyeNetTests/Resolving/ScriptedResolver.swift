import SockeyeNet
import SockeyeTestSupport
import Synchronization

/// A resolver whose answers a test gives one by one at chosen times.
final class ScriptedResolver: NameResolver {
    private struct State {
        var questions: [(host: String, answer: CheckedContinuation<[EndpointAddress], any Error>)] = []
        var asked: [String] = []
        var observers: [CheckedContinuation<Void, Never>] = []
        var cancelled = 0
    }

    private let state = Mutex(State())

    /// Every `host:port` of a look-up, in order.
    var asked: [String] { state.withLock { $0.asked } }
    var cancellations: Int { state.withLock { $0.cancelled } }

    func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let observers = state.withLock { state in
                    state.questions.append((host, continuation))
                    state.asked.append("\(host):\(port)")
                    defer { state.observers = [] }
                    return state.observers
                }
                for observer in observers { observer.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancelled += 1 }
        }
    }

    /// Waits until a look-up is pending and answers the oldest one.
    func answer(_ result: Result<[EndpointAddress], any Error>) async {
        while true {
            let question = state.withLock { $0.questions.isEmpty ? nil : $0.questions.removeFirst() }
            if let question { return question.answer.resume(with: result) }
            await nextQuestion()
        }
    }

    func answer(_ literals: String...) async {
        await answer(.success(literals.map { address($0) }))
    }

    /// Waits until a question is open.
    func nextQuestion() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.questions.isEmpty { state.observers.append(continuation) }
                return !state.questions.isEmpty
            }
            if isOpen { continuation.resume() }
        }
    }
}
