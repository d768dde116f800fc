import Sockeye
import SockeyePropertyLists
import SockeyeSerialization

/// A request serializer of the library's by the name of its kind.
enum ArchivedRequestSerializer: Codable {
    case form(HTTPRequestSerializer)
    case json(JSONRequestSerializer)
    case propertyList(PropertyListRequestSerializer)

    init(_ serializer: any RequestSerializer) throws {
        switch serializer {
        case let form as HTTPRequestSerializer: self = .form(form)
        case let json as JSONRequestSerializer: self = .json(json)
        case let list as PropertyListRequestSerializer: self = .propertyList(list)
        default: throw EncodingError.unarchivable("\(type(of: serializer)) cannot be archived", at: [])
        }
    }

    var serializer: any RequestSerializer {
        switch self {
        case .form(let form): form
        case .json(let json): json
        case .propertyList(let list): list
        }
    }

    private enum CodingKeys: CodingKey { case form, json, propertyList }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch container.allKeys.first {
        case .form: self = .form(try container.decode(HTTPRequestSerializer.self, forKey: .form))
        case .json: self = .json(try container.decode(JSONRequestSerializer.self, forKey: .json))
        case .propertyList:
            self = .propertyList(try container.decode(PropertyListRequestSerializer.self, forKey: .propertyList))
        case nil: throw DecodingError.unknown("request serializer", at: decoder.codingPath)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .form(let form): try container.encode(form, forKey: .form)
        case .json(let json): try container.encode(json, forKey: .json)
        case .propertyList(let list): try container.encode(list, forKey: .propertyList)
        }
    }
}

/// A response decoder of the library's by the name of its kind.
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
