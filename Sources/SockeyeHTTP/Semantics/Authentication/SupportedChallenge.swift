/// A challenge of a supported authentication scheme.
package struct SupportedChallenge: Sendable, Hashable {
    package enum Method: Sendable, Hashable {
        case digest(DigestChallenge)
        case basic
        case bearer
    }

    package let method: Method
    package let realm: String

    /// Those that can be answered, the strongest first: Digest by its hash function, then Bearer, then Basic. Of equals
    /// the one that the server named first (RFC 9110 11.6.1, RFC 7616 3.7).
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
        // Basic without a realm breaks RFC 7617 and is common all the same.
        realm = challenge.realm ?? ""
    }

    private var strength: Int {
        switch method {
        case .digest(let digest): 2 + digest.algorithm.hash.rawValue
        case .bearer: 1
        case .basic: 0
        }
    }

    /// Whether a credential is of the kind that the scheme takes.
    package func fits(_ credential: Credential) -> Bool {
        (credential.user == nil) == (method == .bearer)
    }

    /// Whether it says that nothing was wrong with the last answer but the age of its nonce (RFC 7616 3.3).
    package var isStale: Bool {
        if case .digest(let digest) = method { digest.isStale } else { false }
    }

    /// Whether the answer holds the credential itself, so that an eavesdropper learns it.
    package var revealsCredential: Bool {
        if case .digest = method { false } else { true }
    }

    /// Where the answer may be sent without being asked: the paths that begin so.
    ///
    /// For Basic the directory of the URL that was asked for and what is below it (RFC 7617 2.2), for Digest its
    /// domain, without one the whole origin (RFC 7616 3.3). Another origin that a domain names is passed over:
    /// credentials stay with their own.
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
