import SockeyeAuthentication
import SockeyeHTTP1

/// What the policy added to a request, to be told from what the caller did.
enum SentCredential: Sendable {
    /// The how manyeth token it was.
    case token(generation: Int)
    case answer(MadeAnswer)
}

extension Request {
    /// The request with fields of policies, and with what the policy of authentication has to know of it.
    func adding(_ fields: [EncodedField]) -> Request {
        guard !fields.isEmpty else { return self }
        var request = self
        request.change { values in
            for field in fields {
                values.headers.append(field.name, field.value)
                guard let generation = field.note else { continue }
                values.options.sentCredential = .token(generation: generation)
            }
        }
        return request
    }
}
