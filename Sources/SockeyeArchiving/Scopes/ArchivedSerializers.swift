import Sockeye
import SockeyePropertyLists
import SockeyeSerialization

/// One of the library's response decoders. An archive stores it under a key that names its kind: `json` or
/// `propertyList`.
enum ArchivedDecoder: Codable {
    case json(JSONResponseDecoder)
    case propertyList(PropertyListResponseDecoder)

    init(_ decoder: any ResponseDecoder) throws {
        switch decoder {
        case let json as JSONResponseDecoder: self = .json(json)
        case let list as PropertyListResponseDecoder: self = .propertyList(list)
        default: throw EncodingError.unarchivable("\(type(of: decoder)) cannot be archived", at: [])
        }
    }

    var decoder: any ResponseDecoder {
        switch self {
        case .json(let json): json
        case .propertyList(let list): list
        }
    }

    private enum CodingKeys: CodingKey { case json, propertyList }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch container.allKeys.first {
        case .json: self = .json(try container.decode(JSONResponseDecoder.self, forKey: .json))
        case .propertyList:
            self = .propertyList(try container.decode(PropertyListResponseDecoder.self, forKey: .propertyList))
        case nil: throw DecodingError.unknown("decoder", at: decoder.codingPath)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .json(let json): try container.encode(json, forKey: .json)
        case .propertyList(let list): try container.encode(list, forKey: .propertyList)
        }
    }
}
