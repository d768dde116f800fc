import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Preemptive authentication (RFC 7617 2.2): the same credentials in each request, without a challenge.
final class PreemptiveAuthenticator: Authenticator {
    let restrictions: CredentialRestrictions
    private let authorization: EncodedField

    private init(_ authorization: EncodedField, _ restrictions: CredentialRestrictions) {
        self.restrictions = restrictions
        self.authorization = authorization
    }

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        under restrictions: CredentialRestrictions
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try restrictions.requirePrivacy(request)
        fields.append(authorization)
        return .ready
    }

    /// Returns an authenticator that sends the credential; a ``FailingAuthenticator`` if the credential cannot be
    /// written into a header field.
    static func authenticator(of credential: Credential, _ restrictions: CredentialRestrictions) -> any Authenticator {
        do throws(SockeyeError) {
            return PreemptiveAuthenticator(try credential.checkedField, restrictions)
        } catch {
            return FailingAuthenticator(restrictions: restrictions, fault: error)
        }
    }
}

/// The authenticator of credentials that cannot be written into a header field: each request that would carry them
/// fails.
struct FailingAuthenticator: Authenticator {
    let restrictions: CredentialRestrictions
    let fault: SockeyeError

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        under restrictions: CredentialRestrictions
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try restrictions.requirePrivacy(request)
        throw fault
    }
}
