import SockeyeEngine

extension OutgoingRequest {
    /// The request with an Authorization field of the policy's.
    func authorized(_ authorization: String, as sent: SentCredential? = nil) -> OutgoingRequest {
        var request = self
        request.change { values in
            values.headers.append(.authorization, authorization)
            if let sent { values.options.sentCredential = sent }
        }
        return request
    }

    /// The request without it.
    var withoutSentCredential: OutgoingRequest {
        guard parts.options.sentCredential != nil else { return self }
        var request = self
        request.change { values in
            values.headers.removeAll(named: .authorization)
            values.options.sentCredential = nil
        }
        return request
    }
}

extension SockeyeError {
    /// Nobody could tell which credentials to use.
    static func authenticationFailed(_ message: String, _ cause: any Error) -> SockeyeError {
        var fields = Fields(.authenticationFailed, phase: .prepare, blame: .caller, message: message)
        fields.underlying = cause
        return SockeyeError(fields)
    }
}
