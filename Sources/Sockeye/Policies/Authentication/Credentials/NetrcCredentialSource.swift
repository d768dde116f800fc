import SockeyeEngine
import SockeyeHTTP

/// A source that looks logins up in a `.netrc` file, by host.
struct NetrcCredentialSource: LookupCredentialSource {
    private let netrc: Netrc
    /// Whether the default login counts.
    private var usesDefault = true

    init(_ netrc: Netrc) {
        self.netrc = netrc
    }

    /// Without the default login; each of the others names its machine.
    var outsideScope: NetrcCredentialSource? {
        var outsideScope = self
        outsideScope.usesDefault = false
        return outsideScope
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

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [(SupportedChallenge, Credential)] {
        if let own = unasked(for: context.request) ?? context.request.url.credential {
            return context.answered(with: own)
        }
        return context.ranked.compactMap { challenge in
            self.credential(in: challenge.realm, for: context.request).map { (challenge, $0) }
        }
    }
}
