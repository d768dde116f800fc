import SockeyeCore
import Synchronization

extension TLSStream {
    /// Has the evaluation decide about the peer that the handshake has stopped at. Returns when it has, or throws at the
    /// deadline or when the task is cancelled, whatever the closure does.
    func evaluate(until deadline: MonotonicTime) async throws(TransportError) {
        guard let (evaluation, evidence) = engine.withLock({ $0?.question }) else { throw .closed }
        let sleeper = try lower.waitPoint(for: .write, as: .writer).makeSleeper()
        let answer = EvaluationAnswer()
        let task = Task {
            let decision = await evaluation.evaluator(TLSTrust(evidence))
            answer.decision.withLock { $0 = decision }
            sleeper.signal()
        }
        let wake = await sleeper.sleep(until: deadline)
        guard let decision = answer.decision.withLock({ $0 }) else {
            task.cancel()
            try wake.check()
            throw .closed
        }
        engine.withLock { $0?.hooks.decision = decision }
    }
}

private final class EvaluationAnswer: Sendable {
    let decision = Mutex<TLSTrust.Decision?>(nil)
}

extension TLSEngine {
    /// Who is to decide, and about what, while that has not been done.
    var question: (TLSConfiguration.Evaluation, TLSEvidence)? {
        guard let evaluation = hooks.evaluation, hooks.decision == nil, let evidence = hooks.evidence else {
            return nil
        }
        return (evaluation, evidence)
    }
}
