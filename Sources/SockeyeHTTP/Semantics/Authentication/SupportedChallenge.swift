/// A challenge of a supported authentication scheme.
package struct SupportedChallenge: Sendable, Hashable {
    package enum Method: Sendable, Hashable {
        case digest(DigestChallenge)
        case basic
        case bearer
    }

    package let method: Method
    package let realm: String

    /// Returns the supported challenges, strongest first: Digest, then Bearer, then Basic. Digest challenges are sorted
    /// by their hash functions, strongest first. Equally strong challenges stay in the server's order (RFC 9110 11.6.1,
    /// RFC 7616 3.7).
    package static func ranked(_ challenges: [Challenge]) -> [SupportedChallenge] {
        let answerable = challenges.compactMap { SupportedChallenge($0) }
        return answerable.enumerated().sorted {
            ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset)
        }.map(\.element)
    }

    init?(_ challenge: Challenge) {
        if let digest = DigestChallenge(challenge) {
            method = .digest(digest)
        } else if challenge.isScheme("Basic") {
            method = .basic
        } else if challenge.isScheme("Bearer") {
            method = .bearer
        } else {
            return nil
        }
        // Basic without a realm violates RFC 7617 but is common.
        realm = challenge.realm ?? ""
    }

    private var strength: Int {
        switch method {
        case .digest(let digest): 2 + digest.algorithm.hash.rawValue
        case .bearer: 1
        case .basic: 0
        }
    }

    /// Returns true if the credential suits the scheme: a token for Bearer, a user and a password for Basic and Digest.
    package func fits(_ credential: Credential) -> Bool {
        (credential.user == nil) == (method == .bearer)
    }

    /// True if the server refused the last answer only because its nonce was too old (RFC 7616 3.3).
    package var isStale: Bool {
        if case .digest(let digest) = method { digest.isStale } else { false }
    }

    /// True if the answer contains the credential itself, so that an eavesdropper learns it.
    package var revealsCredential: Bool {
        if case .digest = method { false } else { true }
    }

    /// Returns the prefixes of the paths for which the answer may be sent preemptively.
    ///
    /// For Basic and Bearer, the prefix is the directory of the requested URL (RFC 7617 2.2). For Digest, the prefixes
    /// are the paths of the URIs in the challenge's `domain` parameter; without the parameter, `/` (RFC 7616 3.3). URIs
    /// of other origins are ignored, because credentials are sent only to their own origin. If no URI of the origin
    /// remains, the prefix is the directory of the requested URL.
    package func prefixes(at url: HTTPURL) -> [String] {
        let path = url.path
        let directory = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
        guard case .digest(let digest) = method else { return [directory] }
        guard !digest.domain.isEmpty else { return ["/"] }
        let named = digest.domain.compactMap { reference -> String? in
            guard let target = try? url.resolving(reference), target.origin == url.origin else { return nil }
            return target.path
        }
        return named.isEmpty ? [directory] : named
    }
}
