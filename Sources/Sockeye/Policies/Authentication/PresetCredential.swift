import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Credentials that are sent with each request, unasked.
final class PresetCredential: AuthenticationWay {
    let reach: CredentialReach
    private let authorization: EncodedField

    private init(_ authorization: EncodedField, _ reach: CredentialReach) {
        self.reach = reach
        self.authorization = authorization
    }

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try reach.requirePrivacy(request)
        fields.append(authorization)
        return .ready
    }

    /// Sends a credential; where that has no field, every request within reach fails.
    static func way(of credential: Credential, _ reach: CredentialReach) -> any AuthenticationWay {
        do throws(SockeyeError) {
            return PresetCredential(try credential.checkedField, reach)
        } catch {
            return UnusableCredential(reach: reach, fault: error)
        }
    }
}
