/// A hash function that checksums are made with.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable, Codable {
    /// SHA-256, 32 bytes.
    case sha256 = "sha-256"
    /// SHA-512, 64 bytes.
    case sha512 = "sha-512"

    /// The number of bytes of a checksum.
    public var length: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        }
    }
}
