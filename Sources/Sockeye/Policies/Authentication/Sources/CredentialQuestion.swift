import SockeyeEngine
import SockeyeHTTP

/// A response with status 401 for which credentials are looked for.
struct CredentialQuestion: Sendable {
    /// Without the credentials of the policy.
    let request: OutgoingRequest
    let response: IncomingResponse
    let challenges: [Challenge]
    /// Those of them that can be answered, the strongest first.
    let ranked: [SupportedChallenge]
    let failures: Int

    /// The same credential for each challenge.
    func answered(with credential: Credential) -> [(SupportedChallenge, Credential)] {
        ranked.map { ($0, credential) }
    }
}
