import SockeyeHTTP

extension ResumeData: Codable {
    private enum CodingKeys: CodingKey {
        case version, url, validator, bytesWritten, totalBytes, temporaryPath, checksums
    }

    /// The format version for a temporary file without gaps (missing bytes between received ones). Later versions of
    /// the library read it, too.
    private static let version = 1
    /// The format version for a temporary file with gaps. An older version of the library, which knows only format
    /// version 1, then refuses the resume data instead of ignoring the gaps.
    private static let versionWithGaps = 2

    /// Decodes a value that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` for an unknown version, for impossible numbers, and for a validator that is not
    ///   strong.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == Self.version || version == Self.versionWithGaps else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "resume data of version \(version) is not known")
        }
        hasGaps = version == Self.versionWithGaps
        url = try container.decode(String.self, forKey: .url)
        bytesWritten = try container.decode(Int.self, forKey: .bytesWritten)
        totalBytes = try container.decodeIfPresent(Int.self, forKey: .totalBytes)
        temporaryPath = try container.decode(String.self, forKey: .temporaryPath)
        guard bytesWritten >= 0, bytesWritten <= totalBytes ?? .max else {
            throw DecodingError.dataCorruptedError(
                forKey: .bytesWritten, in: container, debugDescription: "bytesWritten is negative or exceeds totalBytes"
            )
        }
        guard let validator = StrongValidator(fieldValue: try container.decode(String.self, forKey: .validator)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .validator, in: container, debugDescription: "the validator is not a strong one")
        }
        self.validator = validator
        let texts = try container.decodeIfPresent([String: String].self, forKey: .checksums) ?? [:]
        checksums = Checksum.Algorithm.allCases.compactMap { algorithm in
            texts[algorithm.rawValue].flatMap { Checksum(algorithm, hex: $0) }
        }
    }

    /// Encodes all properties in a stable format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hasGaps ? Self.versionWithGaps : Self.version, forKey: .version)
        try container.encode(url, forKey: .url)
        try container.encode(validator.fieldValue, forKey: .validator)
        try container.encode(bytesWritten, forKey: .bytesWritten)
        try container.encodeIfPresent(totalBytes, forKey: .totalBytes)
        try container.encode(temporaryPath, forKey: .temporaryPath)
        guard !checksums.isEmpty else { return }
        let texts = checksums.map { ($0.algorithm.rawValue, $0.hex) }
        try container.encode(Dictionary(texts) { first, _ in first }, forKey: .checksums)
    }
}
