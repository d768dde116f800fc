import SockeyeEngine
import SockeyeHTTP

/// The logins of a `.netrc` file.
struct NetrcCredentials: ReadyCredentialSource {
    private let netrc: Netrc
    /// Whether the default login counts.
    private var usesDefault = true

    init(_ netrc: Netrc) {
        self.netrc = netrc
    }

    /// Logins are for the machines that are named with them.
    var departed: NetrcCredentials? {
        var departed = self
        departed.usesDefault = false
        return departed
    }

    /// A URL that names a user without a password leaves that to the file.
    func unasked(for request: OutgoingRequest) -> Credential? {
        guard !netrc.isEmpty else { return nil }
        let url = request.url
        guard url.hasUserInfo else { return netrc.credential(for: url.host) }
        return url.password == nil ? netrc.credential(for: url.host, user: url.user) : nil
    }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? {
        if let credential = netrc.credential(for: request.url.host) { return credential }
        // A redirect would otherwise hand the default to whomever it likes.
        return request.options.leftOrigin || !usesDefault ? nil : netrc.defaultCredential()
    }

    func proposals(_ question: CredentialQuestion) async throws(SockeyeError) -> [(SupportedChallenge, Credential)] {
        if let own = unasked(for: question.request) ?? question.request.url.credential {
            return question.answered(with: own)
        }
        return question.ranked.compactMap { challenge in
            self.credential(in: challenge.realm, for: question.request).map { (challenge, $0) }
        }
    }
}
