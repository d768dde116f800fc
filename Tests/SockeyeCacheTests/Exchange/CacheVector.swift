import SockeyeTestSupport
import Testing

/// A case of the cache vectors: requests in order and the expected results.
struct CacheVector: Decodable, Sendable, CustomTestStringConvertible {
    enum Atom: Decodable, Sendable, Equatable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .none
            }
        }

        var text: String? {
            switch self {
            case .text(let text): text
            case .number(let number): String(number)
            default: nil
            }
        }
    }

    /// A field, or only its name.
    struct Field: Decodable, Sendable {
        let parts: [Atom]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let parts = try? container.decode([Atom].self) {
                self.parts = parts
            } else {
                parts = [try container.decode(Atom.self)]
            }
        }

        var name: String { parts.first?.text ?? "" }
    }

    /// A value that may be null. If the key is absent, the `Nullable` itself is nil.
    struct Nullable<Value: Decodable & Sendable>: Sendable {
        let value: Value?
    }

    struct Request: Decodable, Sendable {
        var requestMethod: String?
        var requestHeaders: [Field]?
        var requestBody: String?
        var queryArg: String?
        var filename: String?
        var pauseAfter: Bool?
        var cache: String?
        var responseStatus: [Atom]?
        var responseHeaders: [Field]?
        var responseBody: Nullable<String>?
        var responsePause: Int?
        var disconnect: Bool?
        var interimResponses: [[Atom]]?
        var magicLocations: Bool?
        var expectedType: String?
        var expectedStatus: Nullable<Int>?
        var expectedMethod: String?
        var expectedRequestHeaders: [Field]?
        var expectedRequestHeadersMissing: [Field]?
        var expectedResponseHeaders: [Field]?
        var expectedResponseHeadersMissing: [Field]?
        var expectedResponseText: Nullable<String>?
        var checkBody: Bool?
        var setup: Bool?

        private enum CodingKeys: String, CodingKey {
            case requestMethod, requestHeaders, requestBody, queryArg, filename, pauseAfter, cache, responseStatus
            case responseHeaders, responseBody, responsePause, disconnect, magicLocations, expectedType
            case expectedStatus, expectedMethod, expectedRequestHeaders, expectedRequestHeadersMissing
            case expectedResponseHeaders, expectedResponseHeadersMissing, expectedResponseText, checkBody, setup
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func value<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
                try container.decodeIfPresent(Value.self, forKey: key)
            }
            // Non-nil if the key is present, even with the value null.
            func nullable<Value: Decodable>(_ key: CodingKeys) throws -> Nullable<Value>? {
                container.contains(key) ? Nullable(value: try container.decodeIfPresent(Value.self, forKey: key)) : nil
            }
            requestMethod = try value(.requestMethod)
            requestHeaders = try value(.requestHeaders)
            requestBody = try value(.requestBody)
            queryArg = try value(.queryArg)
            filename = try value(.filename)
            pauseAfter = try value(.pauseAfter)
            cache = try value(.cache)
            responseStatus = try value(.responseStatus)
            responseHeaders = try value(.responseHeaders)
            responseBody = try nullable(.responseBody)
            responsePause = try value(.responsePause)
            disconnect = try value(.disconnect)
            magicLocations = try value(.magicLocations)
            expectedType = try value(.expectedType)
            expectedStatus = try nullable(.expectedStatus)
            expectedMethod = try value(.expectedMethod)
            expectedRequestHeaders = try value(.expectedRequestHeaders)
            expectedRequestHeadersMissing = try value(.expectedRequestHeadersMissing)
            expectedResponseHeaders = try value(.expectedResponseHeaders)
            expectedResponseHeadersMissing = try value(.expectedResponseHeadersMissing)
            expectedResponseText = try nullable(.expectedResponseText)
            checkBody = try value(.checkBody)
            setup = try value(.setup)
        }
    }

    let id: String
    let name: String
    var kind: String?
    var client: Bool?
    let requests: [Request]

    var testDescription: String { "\(id): \(name)" }

    static let recent = Vectors.load(own: "cache.json", public: ["cache-tests/tests.json"], as: CacheVector.self)
    static let older = Vectors.load(own: "cache-variants.json", public: ["http-cache/wpt.json"], as: CacheVector.self)
}
