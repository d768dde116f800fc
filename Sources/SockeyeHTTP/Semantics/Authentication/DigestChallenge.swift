/// A Digest challenge that this client can answer (RFC 7616 3.3).
package struct DigestChallenge: Sendable, Hashable {
    /// The quality of protection (qop) of the answer.
    enum Protection: Sendable, Hashable {
        /// The challenge has no qop, as in RFC 2069. The answer has no nonce count, and has a client nonce only for a
        /// `-sess` algorithm.
        case legacy
        /// The answer protects method and target (qop `auth`).
        case request
        /// The answer protects the content, too (qop `auth-int`). Used only if the server does not offer `auth`.
        case content
    }

    package let realm: String
    package let nonce: String
    let opaque: String?
    package let algorithm: DigestSchemeAlgorithm
    /// True if the challenge names the algorithm; false if MD5 is implied.
    let namesAlgorithm: Bool
    let protection: Protection
    /// True if the credentials were right and only the nonce is too old.
    package let isStale: Bool
    /// True if the server wants the user name hashed.
    let hashesUser: Bool
    /// True if the server decodes user names as UTF-8.
    let isUTF8: Bool
    /// The URIs for which the answer is valid; empty for the whole origin.
    package let domain: [String]

    /// The maximum length of all parameter values of a challenge together, in bytes. Longer challenges get no answer.
    /// Without a limit, a server could make the client store long values and repeat them in each request.
    package static let maximumLength = 8_192

    /// Nil if the scheme is not Digest, if the challenge is too long, if the algorithm is unknown, if no offered
    /// protection is supported, or if the realm or nonce is missing.
    package init?(_ challenge: Challenge) {
        guard challenge.isScheme("Digest"), let realm = challenge.realm, let nonce = challenge["nonce"],
            let algorithm = DigestSchemeAlgorithm(name: challenge["algorithm"]),
            let protection = Self.protection(challenge["qop"]), challenge.length <= Self.maximumLength
        else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        namesAlgorithm = challenge["algorithm"] != nil
        self.protection = protection
        opaque = challenge["opaque"]
        isStale = challenge["stale"].map { FieldBytes.isWord($0, "true") } ?? false
        hashesUser = challenge["userhash"].map { FieldBytes.isWord($0, "true") } ?? false
        isUTF8 = challenge["charset"].map { FieldBytes.isWord($0, "utf-8") } ?? false
        domain = (challenge["domain"] ?? "").utf8.split(separator: UInt8(ascii: " ")).prefix(Self.maximumDomain)
            .map { String(Substring($0)) }
    }

    /// The maximum number of URIs in ``domain``; further ones are ignored.
    private static let maximumDomain = 32

    /// Copies a challenge with another nonce.
    private init(_ other: DigestChallenge, nonce: String) {
        realm = other.realm
        self.nonce = nonce
        opaque = other.opaque
        algorithm = other.algorithm
        namesAlgorithm = other.namesAlgorithm
        protection = other.protection
        isStale = false
        hashesUser = other.hashesUser
        isUTF8 = other.isUTF8
        domain = other.domain
    }

    /// Returns the challenge with the next nonce that the server announced.
    func renewed(_ nonce: String) -> DigestChallenge { DigestChallenge(self, nonce: nonce) }

    private static func protection(_ offers: String?) -> Protection? {
        let offers = (offers ?? "").utf8
            .split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .map { Substring($0) }
        if offers.isEmpty { return .legacy }
        if offers.contains(where: { FieldBytes.isWord($0, "auth") }) { return .request }
        return offers.contains { FieldBytes.isWord($0, "auth-int") } ? .content : nil
    }
}

/// The algorithms of Digest (RFC 7616 3.2 and 6.1).
package enum DigestSchemeAlgorithm: String, Sendable, Hashable, CaseIterable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case sha512 = "SHA-512-256"
    case sha512Session = "SHA-512-256-sess"

    /// Finds the algorithm by its name; nil if unknown. Without a name it is MD5.
    init?(name: String?) {
        guard let name else {
            self = .md5
            return
        }
        let lowercase = name.lowercased()
        let known = Self.allCases.first { FieldBytes.areEqual($0.rawValue.lowercased(), lowercase) }
        guard let known else { return nil }
        self = known
    }

    /// True if the nonces are hashed into the key, too (RFC 7616 3.4.2).
    var isSession: Bool { self == .md5Session || self == .sha256Session || self == .sha512Session }

    var hash: DigestHash {
        switch self {
        case .md5, .md5Session: .md5
        case .sha256, .sha256Session: .sha256
        case .sha512, .sha512Session: .sha512
        }
    }
}

/// The Authentication-Info field of a response to an authenticated request (RFC 7615, RFC 7616 3.5).
package struct AuthenticationInfo: Sendable, Hashable {
    /// The nonce to use from now on; nil if the field does not announce one.
    package let nextNonce: String?

    /// Parses the value of the field. A malformed value announces no nonce.
    package init(_ value: String) {
        // The parameters have the syntax of a challenge without its scheme.
        nextNonce = ChallengeParser.challenges(in: ["Digest " + value]).first?["nextnonce"]
    }
}
