/// The algorithms of Digest (RFC 7616 3.2 and 6.1).
package enum DigestSchemeAlgorithm: String, Sendable, Hashable, CaseIterable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case sha512 = "SHA-512-256"
    case sha512Session = "SHA-512-256-sess"

    /// Nil of one that nobody here knows. Without a name it is MD5.
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
