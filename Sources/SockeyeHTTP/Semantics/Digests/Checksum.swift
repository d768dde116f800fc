/// The expected hash of the bytes of a file or message.
///
/// ```swift
/// let options = try OutgoingRequest.Options.checksum(
///     .sha256("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"))
/// if let checksum = Checksum(.sha512, hex: text) { … }
/// ```
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
    /// The hash function.
    public let algorithm: Checksum.Algorithm
    /// The hash.
    public let bytes: [UInt8]

    /// Creates a checksum from raw bytes; nil if their number does not fit the algorithm.
    public init?(_ algorithm: Checksum.Algorithm, bytes: some Collection<UInt8>) {
        guard bytes.count == algorithm.length else { return nil }
        self.algorithm = algorithm
        self.bytes = Array(bytes)
    }

    /// Creates a checksum from hexadecimal digits in upper or lower case, as `sha256sum` prints them; nil for
    /// anything else.
    public init?(_ algorithm: Checksum.Algorithm, hex: String) {
        let digits = hex.utf8.map { ByteClass.hexValue($0) }
        guard digits.count == algorithm.length * 2 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// The hash in lower-case hexadecimal.
    public var hex: String { String(hexadecimal: bytes) }

    /// The algorithm and the whole hash, for example `sha-256:9f86d0…`.
    public var description: String { "\(algorithm.rawValue):\(hex)" }
}

extension Checksum {
    /// A hash function for checksums.
    @nonexhaustive public enum Algorithm: String, Sendable, Hashable, CaseIterable, Codable {
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
}
