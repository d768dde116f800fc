import SockeyeEssentials

/// The formatting and the strategies of a JSON encoder, by name. Missing strategies take their defaults.
struct ArchivedJSONEncoder: Codable {
    private var prettyPrinted: Bool?
    private var sortedKeys: Bool?
    private var withoutEscapingSlashes: Bool?
    private var dates: String?
    private var data: String?
    private var keys: String?
    private var nonConformingFloats: ArchivedNonConformingFloats?

    init(_ encoder: JSONEncoder, at path: [any CodingKey]) throws {
        prettyPrinted = encoder.outputFormatting.contains(.prettyPrinted) ? true : nil
        sortedKeys = encoder.outputFormatting.contains(.sortedKeys) ? true : nil
        withoutEscapingSlashes = encoder.outputFormatting.contains(.withoutEscapingSlashes) ? true : nil
        switch encoder.dateEncodingStrategy {
        case .deferredToDate: break
        case .secondsSince1970: dates = "secondsSince1970"
        case .millisecondsSince1970: dates = "millisecondsSince1970"
        case .iso8601: dates = "iso8601"
        default: throw EncodingError.unarchivable("the strategy for dates is a closure", at: path)
        }
        switch encoder.dataEncodingStrategy {
        case .base64: break
        case .deferredToData: data = "array"
        default: throw EncodingError.unarchivable("the strategy for data is a closure", at: path)
        }
        switch encoder.keyEncodingStrategy {
        case .useDefaultKeys: break
        case .convertToSnakeCase: keys = "snakeCase"
        default: throw EncodingError.unarchivable("the strategy for keys is a closure", at: path)
        }
        if case .convertToString(let positive, let negative, let nan) = encoder.nonConformingFloatEncodingStrategy {
            nonConformingFloats = ArchivedNonConformingFloats(positive: positive, negative: negative, nan: nan)
        }
    }

    func makeEncoder(at path: [any CodingKey]) throws -> JSONEncoder {
        let encoder = JSONEncoder()
        if prettyPrinted == true { encoder.outputFormatting.insert(.prettyPrinted) }
        if sortedKeys == true { encoder.outputFormatting.insert(.sortedKeys) }
        if withoutEscapingSlashes == true { encoder.outputFormatting.insert(.withoutEscapingSlashes) }
        switch dates {
        case nil: break
        case "secondsSince1970": encoder.dateEncodingStrategy = .secondsSince1970
        case "millisecondsSince1970": encoder.dateEncodingStrategy = .millisecondsSince1970
        case "iso8601": encoder.dateEncodingStrategy = .iso8601
        default: throw DecodingError.unknown("strategy for dates", at: path)
        }
        switch data {
        case nil: break
        case "array": encoder.dataEncodingStrategy = .deferredToData
        default: throw DecodingError.unknown("strategy for data", at: path)
        }
        switch keys {
        case nil: break
        case "snakeCase": encoder.keyEncodingStrategy = .convertToSnakeCase
        default: throw DecodingError.unknown("strategy for keys", at: path)
        }
        if let floats = nonConformingFloats {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: floats.positive, negativeInfinity: floats.negative, nan: floats.nan)
        }
        return encoder
    }
}

/// The strategies of a JSON decoder, by name. Missing strategies take their defaults.
struct ArchivedJSONDecoder: Codable {
    private var dates: String?
    private var data: String?
    private var keys: String?
    private var nonConformingFloats: ArchivedNonConformingFloats?
    private var allowsJSON5: Bool?
    private var assumesTopLevelDictionary: Bool?

    init(_ decoder: JSONDecoder, at path: [any CodingKey]) throws {
        switch decoder.dateDecodingStrategy {
        case .deferredToDate: break
        case .secondsSince1970: dates = "secondsSince1970"
        case .millisecondsSince1970: dates = "millisecondsSince1970"
        case .iso8601: dates = "iso8601"
        default: throw EncodingError.unarchivable("the strategy for dates is a closure", at: path)
        }
        switch decoder.dataDecodingStrategy {
        case .base64: break
        case .deferredToData: data = "array"
        default: throw EncodingError.unarchivable("the strategy for data is a closure", at: path)
        }
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: break
        case .convertFromSnakeCase: keys = "snakeCase"
        default: throw EncodingError.unarchivable("the strategy for keys is a closure", at: path)
        }
        if case .convertFromString(let positive, let negative, let nan) = decoder.nonConformingFloatDecodingStrategy {
            nonConformingFloats = ArchivedNonConformingFloats(positive: positive, negative: negative, nan: nan)
        }
        allowsJSON5 = decoder.allowsJSON5 ? true : nil
        assumesTopLevelDictionary = decoder.assumesTopLevelDictionary ? true : nil
    }

    func makeDecoder(at path: [any CodingKey]) throws -> JSONDecoder {
        let decoder = JSONDecoder()
        switch dates {
        case nil: break
        case "secondsSince1970": decoder.dateDecodingStrategy = .secondsSince1970
        case "millisecondsSince1970": decoder.dateDecodingStrategy = .millisecondsSince1970
        case "iso8601": decoder.dateDecodingStrategy = .iso8601
        default: throw DecodingError.unknown("strategy for dates", at: path)
        }
        switch data {
        case nil: break
        case "array": decoder.dataDecodingStrategy = .deferredToData
        default: throw DecodingError.unknown("strategy for data", at: path)
        }
        switch keys {
        case nil: break
        case "snakeCase": decoder.keyDecodingStrategy = .convertFromSnakeCase
        default: throw DecodingError.unknown("strategy for keys", at: path)
        }
        if let floats = nonConformingFloats {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: floats.positive, negativeInfinity: floats.negative, nan: floats.nan)
        }
        decoder.allowsJSON5 = allowsJSON5 ?? false
        decoder.assumesTopLevelDictionary = assumesTopLevelDictionary ?? false
        return decoder
    }
}

/// The texts that stand for the infinities and NaN, which JSON cannot represent.
struct ArchivedNonConformingFloats: Codable {
    var positive: String
    var negative: String
    var nan: String
}
