import SockeyeAuthentication
import SockeyeHTTP1

/// What the policy added to a request, to be told from what the caller did.
enum SentCredential: Sendable {
    /// The how manyeth token it was.
    case token(generation: Int)
    case answer(MadeAnswer)
}

extension Request {
    /// The request with an Authorization field of the policy's.
    func authorized(_ authorization: String, as sent: SentCredential? = nil) -> Request {
        var request = self
        request.change { values in
            values.headers.append(.authorization, authorization)
            if let sent { values.options.sentCredential = sent }
        }
        return request
    }

    /// The request without it.
    var withoutSentCredential: Request {
        guard parts.options.sentCredential != nil else { return self }
        var request = self
        request.change { values in
            values.headers.removeAll(named: .authorization)
            values.options.sentCredential = nil
        }
        return request
    }
}

extension Request {
    /// The request with fields of policies, and with what the policy of authentication has to know of it.
    func adding(_ fields: [EncodedField]) -> Request {
        guard !fields.isEmpty else { return self }
        var request = self
        request.change { values in
            for field in fields {
                values.headers.append(field.name, field.value)
                guard let token = field.note as? TokenMachine.Generation else { continue }
                values.options.sentCredential = .token(generation: token.number)
            }
        }
        return request
    }
}

extension SockeyeError {
    /// Translates why credentials cannot be sent.
    init(_ fault: CredentialFault) {
        self.init(.init(.invalidRequest, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
    }

    /// Nobody could tell which credentials to use.
    static func authenticationFailed(_ message: String, _ cause: any Error) -> SockeyeError {
        var fields = Fields(.authenticationFailed, phase: .prepare, blame: .caller, message: message)
        fields.underlying = cause
        return SockeyeError(fields)
    }
}

extension Credential {
    /// The field, checked and written out.
    var checkedField: EncodedField {
        get throws(SockeyeError) {
            let value = try checkedAuthorization
            guard let line = EncodedField.authorization(value) else {
                throw SockeyeError(RequestFault.invalidFieldValue(.authorization))
            }
            return line
        }
    }

    /// The value of the field; its fault becomes the library's error.
    var checkedAuthorization: String {
        get throws(SockeyeError) {
            do throws(CredentialFault) {
                return try authorization
            } catch {
                throw SockeyeError(error)
            }
        }
    }
}
