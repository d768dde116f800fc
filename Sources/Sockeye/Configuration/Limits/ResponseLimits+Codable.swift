import SockeyeCore
public import SockeyeEngine

extension ResponseLimits: Codable {
    private enum CodingKeys: CodingKey {
        case headBytes, fieldCount, interimBytes, bodyBytes, decodedBytes, decodedRatio, decodedRatioFloor
    }

    /// Reads numbers; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.headBytes, into: &headBytes)
        try container.read(.fieldCount, into: &fieldCount)
        try container.read(.interimBytes, into: &interimBytes)
        try container.read(.bodyBytes, into: &bodyBytes)
        try container.read(.decodedBytes, into: &decodedBytes)
        try container.read(.decodedRatio, into: &decodedRatio)
        try container.read(.decodedRatioFloor, into: &decodedRatioFloor)
    }

    /// Writes numbers, or null for no limit.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(headBytes, forKey: .headBytes)
        try container.encode(fieldCount, forKey: .fieldCount)
        try container.encode(interimBytes, forKey: .interimBytes)
        try container.encode(bodyBytes, forKey: .bodyBytes)
        try container.encode(decodedBytes, forKey: .decodedBytes)
        try container.encode(decodedRatio, forKey: .decodedRatio)
        try container.encode(decodedRatioFloor, forKey: .decodedRatioFloor)
    }
}
