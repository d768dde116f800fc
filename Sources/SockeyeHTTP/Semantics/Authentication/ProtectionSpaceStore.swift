import SockeyeCore

/// The protection spaces (RFC 9110 11.5) with an answered challenge, for preemptive authentication. The store performs
/// no I/O.
///
/// Each space belongs to one origin, and its credential is sent to no other. An origin that is reached over a
/// unix-domain socket is another server than the same origin without the socket. Bounded: the least recently used
/// server is forgotten first, and within a server the space that was challenged least recently.
package struct ProtectionSpaceStore: Sendable {
    private struct Server: Hashable {
        let origin: HTTPURL.Origin
        let socket: BytewiseText?

        init(origin: HTTPURL.Origin, socket: String?) {
            self.origin = origin
            self.socket = socket.map { BytewiseText($0) }
        }
    }

    fileprivate enum Answer: Sendable {
        case digest(DigestSession)
        case fixed(String)
    }

    fileprivate struct Space: Sendable {
        let realm: String
        let credential: Credential
        let isDefault: Bool
        let prefixes: [String]
        var answer: Answer

        var nonce: String? {
            if case .digest(let session) = answer { session.challenge.nonce } else { nil }
        }

        /// Returns the length of the longest of `prefixes` with which the path begins; nil if there is no such prefix.
        func match(_ path: Substring.UTF8View) -> Int? {
            prefixes.lazy.filter { path.starts(with: $0.utf8) }.map(\.utf8.count).max()
        }
    }

    /// The maximum number of remembered servers.
    package static let maximumServers = 256
    /// The maximum number of protection spaces per server.
    package static let maximumSpaces = 8

    private var spaces = LRUCache<Server, [Space]>(capacity: maximumServers)

    package init() {}

    package var isEmpty: Bool { spaces.isEmpty }

    /// An answer without its text, which is made later.
    ///
    /// Making the text may hash the whole content of the request (`auth-int`). Callers that share a store under a lock
    /// therefore make the text outside of the lock.
    package struct Draft: Sendable {
        fileprivate var space: Space

        fileprivate init(_ space: Space) {
            self.space = space
        }

        /// Begins the answer to a challenge.
        ///
        /// - Parameters:
        ///   - isDefault: See ``ChallengeAnswer/isDefault``.
        ///   - isForProxy: True for the challenge of a proxy. Its protection space is always the whole proxy, and a
        ///     `domain` is ignored (RFC 7616 3.3).
        /// - Returns: Nil if the challenge cannot be answered; see ``DigestSession``.
        package init?(
            _ challenge: SupportedChallenge, with credential: Credential, isDefault: Bool = false, at url: HTTPURL,
            isForProxy: Bool = false, clientNonce: () -> String
        ) throws(CredentialFault) {
            let answer: Answer
            switch challenge.method {
            case .digest(let digest):
                guard let session = try DigestSession(digest, credential, clientNonce: clientNonce()) else {
                    return nil
                }
                answer = .digest(session)
            case .basic, .bearer: answer = .fixed(try credential.authorization)
            }
            space = Space(
                realm: challenge.realm, credential: credential, isDefault: isDefault,
                prefixes: isForProxy ? ["/"] : challenge.prefixes(at: url), answer: answer)
        }

        /// Makes the answer. Returns nil if the content must be protected but is not in memory.
        package mutating func answer(_ request: @autoclosure () -> DigestRequest) -> ChallengeAnswer? {
            let authorization: String
            switch space.answer {
            case .fixed(let text): authorization = text
            case .digest(var session):
                guard let text = session.answer(request()) else { return nil }
                authorization = text
                space.answer = .digest(session)
            }
            return ChallengeAnswer(
                authorization: authorization, credential: space.credential, realm: space.realm, nonce: space.nonce,
                isDefault: space.isDefault)
        }
    }

    /// Remembers an answer to a challenge for its protection space.
    ///
    /// - Parameters:
    ///   - draft: The draft after its answer was made.
    ///   - socket: The path of the unix-domain socket, here and in the other methods; nil without a socket.
    package mutating func remember(_ draft: Draft, at url: HTTPURL, over socket: String? = nil) {
        let server = Server(origin: url.origin, socket: socket)
        let others = (spaces.peek(server) ?? []).filter { $0.realm != draft.space.realm }
        spaces.insert([draft.space] + others.prefix(Self.maximumSpaces - 1), for: server)
    }

    /// Returns a draft of the preemptive answer for a request, from the protection space whose prefix covers the
    /// longest part of the request's path. Increments the nonce count of the space, so that no other answer has the
    /// same count.
    ///
    /// - Parameters:
    ///   - hasContent: True if the request's content is in memory.
    ///   - accepts: Returns true if the credential is still valid for the realm.
    /// - Returns: Nil if no space covers the path, if `accepts` returns false, or if the content must be protected but
    ///   is not in memory.
    package mutating func draft(
        at url: HTTPURL, over socket: String? = nil, hasContent: Bool,
        accepting accepts: (Credential, _ realm: String, _ isDefault: Bool) -> Bool
    ) -> Draft? {
        let server = Server(origin: url.origin, socket: socket)
        guard let known = spaces.use(server) else { return nil }
        let matches = known.indices.compactMap { index in known[index].match(url.pathView).map { (index, $0) } }
        let best = matches.max { $0.1 < $1.1 || ($0.1 == $1.1 && $0.0 > $1.0) }
        guard let index = best?.0,
            accepts(known[index].credential, known[index].realm, known[index].isDefault)
        else { return nil }
        if case .digest(var session) = known[index].answer {
            guard session.countAnswer(hasContent: hasContent) else { return nil }
            spaces.use(server) { $0[index].answer = .digest(session) }
        }
        return Draft(known[index])
    }

    /// Replaces `nonce` by the next nonce that the server announced; does nothing if `nonce` is no longer in use.
    package mutating func renew(
        _ nonce: String, of origin: HTTPURL.Origin, over socket: String? = nil, by next: String, clientNonce: String
    ) {
        let server = Server(origin: origin, socket: socket)
        guard nonce != next, let known = spaces.peek(server),
            let index = known.firstIndex(where: { $0.nonce == nonce }),
            case .digest(let session) = known[index].answer,
            let renewed = try? session.renewed(nonce: next, clientNonce: clientNonce)
        else { return }
        spaces.use(server) { $0[index].answer = .digest(renewed) }
    }

    /// Removes the space of a refused answer, unless another request has replaced the answer meanwhile.
    package mutating func forget(_ made: ChallengeAnswer, of origin: HTTPURL.Origin, over socket: String? = nil) {
        let server = Server(origin: origin, socket: socket)
        let isEmpty = spaces.use(server) { known in
            known.removeAll {
                $0.realm == made.realm && $0.credential == made.credential && $0.nonce == made.nonce
            }
            return known.isEmpty
        }
        if isEmpty == true { spaces.remove(server) }
    }
}

extension ProtectionSpaceStore: CustomStringConvertible, CustomReflectable {
    /// The number of servers, without further details.
    package var description: String { "\(spaces.count) servers" }

    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ProtectionSpaceStore.Draft: CustomStringConvertible, CustomReflectable {
    /// A fixed text, because the answer may hold a password.
    package var description: String { "a draft" }

    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// An answer to a challenge (credentials, RFC 9110 11.4), and the data that it was made from.
package struct ChallengeAnswer: Sendable {
    /// The value of the Authorization or Proxy-Authorization field.
    package let authorization: String
    package let credential: Credential
    package let realm: String
    /// The nonce; nil for schemes without nonces.
    package let nonce: String?
    /// True if the caller's challenge handler chose `performDefault`, so that the credential came from the URL of the
    /// request or from the credential storage. Such a credential is sent with a later request only if the URL of that
    /// request, or the storage, still contains it.
    package let isDefault: Bool

    package init(
        authorization: String, credential: Credential, realm: String, nonce: String?, isDefault: Bool = false
    ) {
        self.authorization = authorization
        self.credential = credential
        self.realm = realm
        self.nonce = nonce
        self.isDefault = isDefault
    }
}

extension ChallengeAnswer: CustomStringConvertible, CustomReflectable {
    /// A fixed text, because the answer may hold a password.
    package var description: String { "an answer" }

    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
