import SockeyeAuthentication
import SockeyeCore

/// Credentials that are sent with each request, unasked.
struct PresetCredential: AuthenticationWay {
    let reach: CredentialReach
    private let authorization: Result<String, SockeyeError>

    init(_ credential: Credential, _ reach: CredentialReach) {
        self.reach = reach
        authorization = Result { () throws(SockeyeError) in try credential.checkedAuthorization }
    }

    func prepare(_ request: Request, at time: TimeSource) throws(SockeyeError) -> Request? {
        guard !request.parts.url.hasUserInfo else { return request }
        try reach.requirePrivacy(request)
        return request.authorized(try authorization.get())
    }
}
