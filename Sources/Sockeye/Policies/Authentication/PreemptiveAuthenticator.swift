import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Credentials that are sent with each request, unasked.
final class PreemptiveAuthenticator: Authenticator {
    let restrictions: CredentialRestrictions
    private let authorization: EncodedField

    private init(_ authorization: EncodedField, _ restrictions: CredentialRestrictions) {
        self.restrictions = restrictions
        self.authorization = authorization
    }

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try restrictions.requirePrivacy(request)
        fields.append(authorization)
        return .ready
    }

    /// Sends a credential; where that has no field, every request within reach fails.
    static func authenticator(of credential: Credential, _ restrictions: CredentialRestrictions) -> any Authenticator {
        do throws(SockeyeError) {
            return PreemptiveAuthenticator(try credential.checkedField, restrictions)
        } catch {
            return FailingAuthenticator(restrictions: restrictions, fault: error)
        }
    }
}

/// Credentials that cannot be written into a field, which requests are told that would be sent with them.
struct FailingAuthenticator: Authenticator {
    let restrictions: CredentialRestrictions
    let fault: SockeyeError

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try restrictions.requirePrivacy(request)
        throw fault
    }
}
