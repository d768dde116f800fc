/// The protection spaces (RFC 9110 11.5) that were answered, for preemptive authentication. Without I/O.
///
/// Each belongs to an origin and never leaves it. Bounded: of origins the first is forgotten (FIFO), of the spaces of
/// an origin the least recently answered.
package struct ProtectionSpaceStore: Sendable {
    private enum Answer: Sendable {
        case digest(DigestSession)
        case fixed(String)
    }

    private struct Space: Sendable {
        let realm: String
        let credential: Credential
        let prefixes: [String]
        var answer: Answer

        var nonce: String? {
            if case .digest(let session) = answer { session.challenge.nonce } else { nil }
        }

        /// How many characters of a path say that it is in the space; nil when it is not.
        func match(_ path: Substring.UTF8View) -> Int? {
            prefixes.lazy.filter { path.starts(with: $0.utf8) }.map(\.utf8.count).max()
        }
    }

    /// The most origins that are remembered.
    package static let maximumOrigins = 256
    /// The most protection spaces of an origin.
    package static let maximumSpaces = 8

    private var spaces: [HTTPURL.Origin: [Space]] = [:]
    private var order: [HTTPURL.Origin] = []

    package init() {}

    package var isEmpty: Bool { spaces.isEmpty }

    /// Answers a challenge and remembers how.
    ///
    /// - Returns: Nil when it cannot be answered; see ``DigestSession``.
    package mutating func answer(
        _ challenge: SupportedChallenge, with credential: Credential, to request: DigestRequest, at url: HTTPURL,
        clientNonce: () -> String
    ) throws(CredentialFault) -> ChallengeAnswer? {
        let answer: Answer
        let authorization: String
        var nonce: String?
        switch challenge.method {
        case .digest(let digest):
            guard var session = try DigestSession(digest, credential, clientNonce: clientNonce()),
                let text = session.answer(request)
            else { return nil }
            (answer, authorization, nonce) = (.digest(session), text, digest.nonce)
        case .basic, .bearer:
            authorization = try credential.authorization
            answer = .fixed(authorization)
        }
        let space = Space(
            realm: challenge.realm, credential: credential, prefixes: challenge.prefixes(at: url), answer: answer)
        remember(space, of: url.origin)
        return ChallengeAnswer(
            authorization: authorization, credential: credential, realm: challenge.realm, nonce: nonce)
    }

    private mutating func remember(_ space: Space, of origin: HTTPURL.Origin) {
        if spaces[origin] == nil {
            if order.count >= Self.maximumOrigins { spaces[order.removeFirst()] = nil }
            order.append(origin)
        }
        var known = spaces[origin, default: []]
        known.removeAll { $0.realm == space.realm }
        known.insert(space, at: 0)
        spaces[origin] = Array(known.prefix(Self.maximumSpaces))
    }

    /// The answer that a request can take along: that of the space which its path is in most closely.
    ///
    /// - Parameter accepts: Whether the credential still holds.
    package mutating func answer(
        _ request: @autoclosure () -> DigestRequest, at url: HTTPURL,
        accepting accepts: (Credential, _ realm: String) -> Bool
    ) -> ChallengeAnswer? {
        guard var known = spaces[url.origin] else { return nil }
        let matches = known.indices.compactMap { index in known[index].match(url.pathView).map { (index, $0) } }
        let best = matches.max { $0.1 < $1.1 || ($0.1 == $1.1 && $0.0 > $1.0) }
        guard let index = best?.0, accepts(known[index].credential, known[index].realm) else { return nil }
        let authorization: String
        switch known[index].answer {
        case .fixed(let text): authorization = text
        case .digest(var session):
            guard let text = session.answer(request()) else { return nil }
            authorization = text
            known[index].answer = .digest(session)
            spaces[url.origin] = known
        }
        let space = known[index]
        return ChallengeAnswer(
            authorization: authorization, credential: space.credential, realm: space.realm, nonce: space.nonce)
    }

    /// Goes on with the nonce that the server announced for after `nonce`; nothing when that is not in use any more.
    package mutating func renew(_ nonce: String, of origin: HTTPURL.Origin, by next: String, clientNonce: String) {
        guard nonce != next, let index = spaces[origin]?.firstIndex(where: { $0.nonce == nonce }),
            case .digest(let session)? = spaces[origin]?[index].answer,
            let renewed = try? session.renewed(nonce: next, clientNonce: clientNonce)
        else { return }
        spaces[origin]?[index].answer = .digest(renewed)
    }

    /// Removes the space whose answer was refused, unless another request replaced that answer meanwhile.
    package mutating func forget(_ made: ChallengeAnswer, of origin: HTTPURL.Origin) {
        spaces[origin]?.removeAll {
            $0.realm == made.realm && $0.credential == made.credential && $0.nonce == made.nonce
        }
        if spaces[origin]?.isEmpty == true {
            spaces[origin] = nil
            order.removeAll { $0 == origin }
        }
    }
}

extension ProtectionSpaceStore: CustomStringConvertible, CustomReflectable {
    /// How many origins are remembered, and nothing of them.
    package var description: String { "\(spaces.count) origins" }

    /// The description alone.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// An answer to a challenge (credentials, RFC 9110 11.4), and what it was made with.
package struct ChallengeAnswer: Sendable {
    /// The value of the field.
    package let authorization: String
    package let credential: Credential
    package let realm: String
    /// Nil of schemes without nonces.
    package let nonce: String?

    package init(authorization: String, credential: Credential, realm: String, nonce: String?) {
        self.authorization = authorization
        self.credential = credential
        self.realm = realm
        self.nonce = nonce
    }
}

extension ChallengeAnswer: CustomStringConvertible, CustomReflectable {
    /// Nothing of it: it may hold a password.
    package var description: String { "an answer" }

    /// The description alone.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
