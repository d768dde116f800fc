package import SockeyeSerialization

extension BodyHandling: Codable {
    package static let archive = Archive<Self>(
        .nested("validation", \.validation, IncomingResponse.Validation.archive), .value("limit", \.limit),
        .nested("emptyBody", \.emptyBody, BodyHandling.EmptyBodyPolicy.archive),
        .optional("preprocessor", \.preprocessor))

    /// Reads the settings. Missing settings take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the settings.
    ///
    /// - Throws: `EncodingError.invalidValue` for a preprocessor that is a closure.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension IncomingResponse.Validation: Codable {
    package static let archive = Archive<Self>(
        .value("statusCodes", \.statusCodes), .value("contentTypes", \.contentTypes))

    /// Reads a validation. Missing values take their defaults; null content types accept any type.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes both properties. If ``contentTypes`` is nil, null is written, because a missing value would mean the
    /// default.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension BodyHandling.EmptyBodyPolicy: Codable {
    static let archive = Archive<Self>(
        .value("acceptance", \.acceptance), .value("countsLoneSpace", \.countsLoneSpace))

    /// Reads a policy. Missing values take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the policy.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

/// Encoded by its raw value.
extension BodyHandling.EmptyBodyPolicy.Acceptance: Codable {}

extension BodyHandling.Preprocessor: Codable {
    private enum CodingKeys: CodingKey { case prefix }

    /// Reads a preprocessor that removes a prefix.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = .removingPrefix(try container.decode(String.self, forKey: .prefix))
    }

    /// Writes a preprocessor that removes a prefix.
    ///
    /// - Throws: `EncodingError.invalidValue` for a closure.
    public func encode(to encoder: any Encoder) throws {
        guard case .prefix(let prefix) = kind else {
            throw EncodingError.unarchivable(
                "a preprocessor that is a closure cannot be archived", at: encoder.codingPath)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(prefix, forKey: .prefix)
    }
}

extension StatusCodeSet: Codable {
    /// Reads pairs of first and last code. The pairs may be in any order.
    public init(from decoder: any Decoder) throws {
        self = try [ClosedRange<Int>](from: decoder).reduce([]) { $0.union(StatusCodeSet($1)) }
    }

    /// Writes pairs of first and last code, such as `[[200, 299], [304, 304]]`.
    public func encode(to encoder: any Encoder) throws { try ranges.encode(to: encoder) }
}
