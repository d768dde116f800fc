import SockeyeCore

extension AddressPolicy: Codable {
    /// Reads `any` or `publicOnly`.
    public init(from decoder: any Decoder) throws {
        switch try decoder.singleValueContainer().decode(String.self) {
        case "any": self = .any
        case "publicOnly": self = .publicOnly
        default: throw DecodingError.unknown("address policy", at: decoder.codingPath)
        }
    }

    /// Writes the name of the policy.
    ///
    /// - Throws: `EncodingError.invalidValue` for a closure.
    public func encode(to encoder: any Encoder) throws {
        guard let name else { throw EncodingError.unarchivable("the policy is a closure", at: encoder.codingPath) }
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
