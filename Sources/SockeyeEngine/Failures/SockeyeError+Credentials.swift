package import SockeyeHTTP

extension SockeyeError {
    /// Translates why credentials cannot be sent.
    package init(_ fault: CredentialFault) {
        self.init(.init(.invalidRequest, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
    }

    /// Whoever listens would see the credentials.
    package static func insecureCredentials(_ message: String) -> SockeyeError {
        SockeyeError(.init(.insecureCredentials, phase: .prepare, blame: .policy, message: message))
    }
}

extension Credential {
    /// The field, checked and written out.
    package var checkedField: EncodedField {
        get throws(SockeyeError) {
            let value = try checkedAuthorization
            guard let line = EncodedField.authorization(value) else {
                throw SockeyeError(RequestFault.invalidFieldValue(.authorization))
            }
            return line
        }
    }

    /// The value of the field; its fault becomes the library's error.
    package var checkedAuthorization: String {
        get throws(SockeyeError) {
            do throws(CredentialFault) {
                return try authorization
            } catch {
                throw SockeyeError(error)
            }
        }
    }
}
