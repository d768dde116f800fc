import SockeyeAuthentication
import SockeyeCore
import SockeyeHTTP1

/// Credentials that are sent with each request, unasked.
final class PresetCredential: AuthenticationWay {
    let reach: CredentialReach
    private let authorization: EncodedField?
    /// Why there is none.
    private let fault: SockeyeError?

    init(_ credential: Credential, _ reach: CredentialReach) {
        self.reach = reach
        do throws(SockeyeError) {
            authorization = try credential.checkedField
            fault = nil
        } catch {
            authorization = nil
            fault = error
        }
    }

    func prepare(
        _ request: Request, adding fields: inout AddedFields, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try reach.requirePrivacy(request)
        if let fault { throw fault }
        if let authorization { fields.append(authorization) }
        return .ready
    }
}
