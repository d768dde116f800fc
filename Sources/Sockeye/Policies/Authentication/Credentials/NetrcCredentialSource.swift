import SockeyeEngine
import SockeyeHTTP

/// A source that looks up logins in a `.netrc` file by host.
struct NetrcCredentialSource: LookupCredentialSource {
    private let netrc: Netrc
    /// True if the login of the file's `default` entry may answer challenges.
    private var usesDefault = true

    init(_ netrc: Netrc) {
        self.netrc = netrc
    }

    /// The same source without the `default` login, which applies to every host.
    var outsideScope: NetrcCredentialSource? {
        var outsideScope = self
        outsideScope.usesDefault = false
        return outsideScope
    }

    /// Returns the login for the URL's host; if the URL names a user, only the login of that user. Returns nil if the
    /// URL also has a password, or if the file has no such login.
    func preemptiveCredential(for request: OutgoingRequest) -> Credential? {
        guard !netrc.isEmpty else { return nil }
        let url = request.url
        guard url.hasUserInfo else { return netrc.credential(for: url.host) }
        return url.password == nil ? netrc.credential(for: url.host, user: url.user) : nil
    }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? {
        if let credential = netrc.credential(for: request.url.host) { return credential }
        // `leftOrigin` is checked because a redirect could otherwise send the default login to any server.
        return request.options.leftOrigin || !usesDefault ? nil : netrc.defaultCredential()
    }

    func isCurrent(_ credential: Credential, isDefault: Bool, in realm: String, for request: OutgoingRequest) -> Bool {
        (ownCredential(of: request) ?? self.credential(in: realm, for: request)) == credential
    }

    /// Returns the login that the file has for the URL, else the credential of the URL itself.
    private func ownCredential(of request: OutgoingRequest) -> Credential? {
        preemptiveCredential(for: request) ?? request.url.credential
    }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [CredentialProposal] {
        if let own = ownCredential(of: context.request) { return context.proposals(of: own) }
        return context.ranked.compactMap { challenge in
            self.credential(in: challenge.realm, for: context.request).map {
                CredentialProposal(challenge: challenge, credential: $0)
            }
        }
    }
}
