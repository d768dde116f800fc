import SockeyeAuthentication
import SockeyeCore
import SockeyeHTTP1

/// Credentials that are sent with each request, unasked.
struct PresetCredential: AuthenticationWay {
    let reach: CredentialReach
    private let authorization: Result<EncodedField, SockeyeError>

    init(_ credential: Credential, _ reach: CredentialReach) {
        self.reach = reach
        authorization = Result { () throws(SockeyeError) in try credential.checkedField }
    }

    func prepare(_ request: Request, at time: TimeSource) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try reach.requirePrivacy(request)
        return .adding(try authorization.get())
    }
}
