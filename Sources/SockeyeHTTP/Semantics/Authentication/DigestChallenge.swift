import COpenSSL
package import SockeyeCore

/// A Digest challenge as far as this client can answer it (RFC 7616 3.3).
package struct DigestChallenge: Sendable, Hashable {
    /// The quality of protection (qop) of the answer.
    enum Protection: Sendable, Hashable {
        /// The challenge has no qop, as in RFC 2069: no client nonce, no counter.
        case legacy
        /// Method and target.
        case request
        /// The content as well. Only where the server wants nothing less.
        case content
    }

    package let realm: String
    package let nonce: String
    let opaque: String?
    package let algorithm: DigestSchemeAlgorithm
    /// Whether the server named it, rather than leaving it at MD5.
    let namesAlgorithm: Bool
    let protection: Protection
    /// Whether the credentials were right and only the nonce is too old.
    package let isStale: Bool
    /// Whether the server wants the name of the user hashed.
    let hashesUser: Bool
    /// Whether the server reads names as UTF-8.
    let isUTF8: Bool
    /// The URIs that the answer holds for; empty: the whole origin.
    package let domain: [String]

    /// The longest challenge that is answered, in bytes of its parameters: they come back in each request, and are
    /// kept.
    package static let maximumLength = 8_192

    /// Nil of another scheme, of one that is too long, of an unknown algorithm, where no known protection is offered,
    /// and without a realm or a nonce.
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
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        isUTF8 = challenge["charset"]?.lowercased() == "utf-8"
        domain = (challenge["domain"] ?? "").utf8.split(separator: UInt8(ascii: " ")).prefix(Self.maximumDomain)
            .map { String(Substring($0)) }
    }

    private static let maximumDomain = 32

    /// With another nonce.
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

    /// The challenge that a server would make next, by what it announced.
    func renewed(_ nonce: String) -> DigestChallenge { DigestChallenge(self, nonce: nonce) }

    private static func protection(_ offers: String?) -> Protection? {
        let offers = (offers ?? "").utf8
            .split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .map { Substring($0).lowercased() }
        if offers.isEmpty { return .legacy }
        return offers.contains("auth") ? .request : offers.contains("auth-int") ? .content : nil
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

    /// Nil of an unknown algorithm. Without a name it is MD5.
    init?(name: String?) {
        guard let name else {
            self = .md5
            return
        }
        let known = Self.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
        guard let known else { return nil }
        self = known
    }

    /// Whether the nonces go into the key, too (RFC 7616 3.4.2).
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
    /// The nonce to use from now on.
    package let nextNonce: String?

    /// Reads the value of the field. What cannot be read says nothing.
    package init(_ value: String) {
        // The parameters are those of a challenge without its scheme, read as strictly.
        nextNonce = ChallengeParser.challenges(in: ["Digest " + value]).first?["nextnonce"]
    }
}

/// The hash functions of Digest, by OpenSSL. In order of strength.
package enum DigestHash: Int, Sendable, Hashable, Comparable {
    case md5, sha256, sha512

    package static func < (left: DigestHash, right: DigestHash) -> Bool { left.rawValue < right.rawValue }

    /// The hash in lower-case hexadecimal; nil where OpenSSL refuses the function, as it does MD5 in FIPS mode.
    package func hexadecimal(of text: String) -> String? {
        var text = text
        return text.withUTF8 { unsafe hexadecimal(of: UnsafeRawBufferPointer($0)) }
    }

    /// The same of bytes.
    package func hexadecimal(of bytes: Bytes) -> String? {
        unsafe bytes.withUnsafeBytes { unsafe hexadecimal(of: $0) }
    }

    private func hexadecimal(of bytes: UnsafeRawBufferPointer) -> String? {
        sockeye_keep_until_exit()
        var digest = [UInt8](repeating: 0, count: 32)
        // All three fit; the pointer is valid for as long as the library is loaded.
        guard unsafe EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, function, nil) == 1 else {
            ERR_clear_error()
            return nil
        }
        return String(hexadecimal: digest.prefix(self == .md5 ? 16 : 32))
    }

    private var function: OpaquePointer? {
        switch self {
        case .md5: unsafe EVP_md5()
        case .sha256: unsafe EVP_sha256()
        case .sha512: unsafe EVP_sha512_256()
        }
    }
}
