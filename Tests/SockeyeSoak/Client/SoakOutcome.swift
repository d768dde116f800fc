import Sockeye
import SockeyeCore

/// The outcome of an exchange, and whether it is allowed.
struct SoakOutcome: Sendable {
    /// The label of the outcome in the table.
    let label: String
    /// The complaint about the outcome, or nil if the outcome is allowed.
    let complaint: String?
    /// The time from the deadline of the exchange to its end; negative if it ended earlier.
    let lateness: Duration

    /// - Parameter ofOthers: The time for which other processes used each processor during the exchange. It is read
    ///   only if the exchange was late.
    init(
        _ exchange: SoakExchange, _ result: Result<Bytes?, any Error>, after time: Duration,
        ofOthers: @autoclosure () -> Duration
    ) {
        let behaviour = exchange.behaviour
        var wrong: String?
        switch result {
        case .success(nil):
            label = "dropped"
            if behaviour.expected == .failure, behaviour.phase == .head { wrong = "an answer" }
        case .success(let content?):
            label = "content"
            wrong = Self.judge(exchange, content)
        case .failure(let error as SockeyeError):
            label = error.code.description
            wrong = Self.judge(exchange, error)
        case .failure(let error) where exchange.behaviour.shape == .socket && !(error is UnmetCondition):
            label = "ended"
        case .failure(let error):
            label = "foreign"
            wrong = "a foreign error: \(error)"
        }
        lateness = time - behaviour.deadline
        if lateness > SoakRun.slack, lateness - SoakRun.slack > ofOthers() {
            wrong = "\(time) for a deadline of \(behaviour.deadline)"
        }
        complaint = wrong.map { what in
            let tls = exchange.overTLS ? " over TLS" : ""
            return "\(behaviour.name)\(tls), \(exchange.path), body \(exchange.bodySize), \(exchange.ending): \(what)"
        }
    }

    private static func judge(_ exchange: SoakExchange, _ content: Bytes) -> String? {
        switch exchange.behaviour.expected {
        case .failure: return "\(content.count) bytes in place of an error"
        case .empty: return content.isEmpty ? nil : "\(content.count) bytes in a response without content"
        case .content, .either:
            let expected = Content.bytes(exchange.nonce, exchange.size)
            return content == expected ? nil : "\(content.count) wrong bytes for \(expected.count)"
        }
    }

    private static func judge(_ exchange: SoakExchange, _ error: SockeyeError) -> String? {
        if error.code == .cancelled {
            if case .cancelled = exchange.ending { return nil }
            return "cancelled without a reason"
        }
        switch exchange.behaviour.expected {
        case .failure, .either:
            // Only an exchange with a short deadline may end by its deadline. All others have to end earlier.
            let isPatient = exchange.behaviour.deadline >= .seconds(30)
            return error.code == .timeout && isPatient ? "a deadline: \(error)" : nil
        case .content, .empty:
            // A request that cannot be repeated may fail if its connection was closed without an answer.
            return error.code == .connectionClosed && !exchange.isRepeatable ? nil : "\(error)"
        }
    }
}

extension Behaviour {
    enum Phase { case head, body }

    /// The part of the answer in which the failure occurs. A caller that drops the response does not notice a failure
    /// in the body.
    var phase: Phase {
        switch shape {
        case .pieces, .lines, .events, .jsonLines, .socket: return .body
        default: break
        }
        let inBody = [
            "extreme length", "cut after the head", "in the body", "within", "chunk", "gzip", "drip", "trailers",
            "codings",
        ]
        // A faulty Transfer-Encoding, such as "chunked twice", fails in the head.
        return inBody.contains { name.contains($0) } && !name.contains("chunked") ? .body : .head
    }
}
