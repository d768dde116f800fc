import SockeyeHTTP

extension ResumeData: Codable {
    private enum CodingKeys: CodingKey {
        case version, url, validator, bytesWritten, totalBytes, temporaryPath, checksums
    }

    /// What is written now. Later versions of the library read it, too.
    private static let version = 1
    /// What is written for a file with gaps, which those that know the first version alone would take for one without.
    private static let sparseVersion = 2

    /// Reads what ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` for a version that this library does not know, and for numbers that cannot be.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == Self.version || version == Self.sparseVersion else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "resume data of version \(version) is not known")
        }
        isSparse = version == Self.sparseVersion
        url = try container.decode(String.self, forKey: .url)
        bytesWritten = try container.decode(Int.self, forKey: .bytesWritten)
        totalBytes = try container.decodeIfPresent(Int.self, forKey: .totalBytes)
        temporaryPath = try container.decode(String.self, forKey: .temporaryPath)
        guard bytesWritten >= 0, bytesWritten <= totalBytes ?? .max else {
            throw DecodingError.dataCorruptedError(
                forKey: .bytesWritten, in: container, debugDescription: "more bytes than there can be")
        }
        guard let validator = StrongValidator(fieldValue: try container.decode(String.self, forKey: .validator)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .validator, in: container, debugDescription: "no strong validator")
        }
        self.validator = validator
        let texts = try container.decodeIfPresent([String: String].self, forKey: .checksums) ?? [:]
        checksums = Checksum.Algorithm.allCases.compactMap { algorithm in
            texts[algorithm.rawValue].flatMap { Checksum(algorithm, hex: $0) }
        }
    }

    /// Writes everything, in a form that may be stored.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isSparse ? Self.sparseVersion : Self.version, forKey: .version)
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
