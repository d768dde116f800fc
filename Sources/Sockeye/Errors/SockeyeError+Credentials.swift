import SockeyeHTTP

extension SockeyeError {
    /// Translates why credentials cannot be sent.
    init(_ fault: CredentialFault) {
        self.init(.init(.invalidRequest, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
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
