import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Credentials that cannot be written into a field, which requests are told that would be sent with them.
struct UnusableCredential: AuthenticationWay {
    let reach: CredentialReach
    let fault: SockeyeError

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try reach.requirePrivacy(request)
        throw fault
    }
}
