import SockeyeEngine
import SockeyeHTTP

/// What the policy added to a request, to be told from what the caller did.
enum SentCredential: Sendable {
    /// The how manyeth token it was.
    case token(generation: Int)
    case answer(ChallengeAnswer)
}

extension OutgoingRequest {
    /// The request with fields that policies added up to a position, and with what the policy of authentication has to know of it.
    func adding(_ fields: FieldLineBuffer, upTo position: Int = .max) -> OutgoingRequest {
        guard !fields.isEmpty else { return self }
        var request = self
        request.change { values in
            guard let generation = fields.copy(upTo: position, to: &values.headers) else { return }
            values.options.sentCredential = .token(generation: generation)
        }
        return request
    }
}
