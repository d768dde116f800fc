public import Sockeye
import SockeyeHTTP
import SockeyeSerialization

extension RedirectPolicy: Codable {
    private static let archive = Archive<Self>(
        .value("maximumCount", \.maximumCount), .value("allowsDowngrade", \.allowsDowngrade),
        .value("strippedFields", \.archivedFields), .value("isManual", \.isManual, unless: false))

    /// Reads a policy. Missing settings take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the policy.
    ///
    /// - Throws: `EncodingError.invalidValue` if `decide` is set, because it is a closure.
    public func encode(to encoder: any Encoder) throws {
        guard decide == nil else {
            throw EncodingError.unarchivable("RedirectPolicy.decide is a closure", at: encoder.codingPath)
        }
        try Self.archive.write(self, to: encoder)
    }

    private var archivedFields: [String] {
        get { strippedFields.map(\.description) }
        set { strippedFields = newValue.map { Headers.Name($0) } }
    }
}

/// An interceptor that can be archived: a redirect policy, a retry policy or a header interceptor. Its archive is a
/// keyed container with one key, which names the kind.
enum ArchivedInterceptor: Codable {
    case redirects(RedirectPolicy)
    case retry(RetryPolicy)
    case field(HeaderInterceptor)

    private enum CodingKeys: CodingKey { case redirects, retry, setting, appending }

    /// Makes the archived form of an interceptor; nil if interceptors of this type cannot be archived.
    init?(_ interceptor: any Interceptor) {
        switch interceptor {
        case let policy as RedirectPolicy: self = .redirects(policy)
        case let policy as RetryPolicy: self = .retry(policy)
        case let field as HeaderInterceptor: self = .field(field)
        default: return nil
        }
    }

    var interceptor: any Interceptor {
        switch self {
        case .redirects(let policy): policy
        case .retry(let policy): policy
        case .field(let field): field
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch container.allKeys.first {
        case .redirects: self = .redirects(try container.decode(RedirectPolicy.self, forKey: .redirects))
        case .retry: self = .retry(try container.decode(RetryPolicy.self, forKey: .retry))
        case .setting: self = .field(try Self.field(container.decode([String].self, forKey: .setting), true, decoder))
        case .appending:
            self = .field(try Self.field(container.decode([String].self, forKey: .appending), false, decoder))
        case nil: throw DecodingError.unknown("interceptor", at: decoder.codingPath)
        }
    }

    /// Makes an interceptor from a pair of a field's name and value.
    private static func field(
        _ pair: [String], _ replaces: Bool, _ decoder: any Decoder
    ) throws -> HeaderInterceptor {
        guard pair.count == 2 else {
            let reason = "a field is an array of its name and its value"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        return HeaderInterceptor(Headers.Name(pair[0]), pair[1], replaces: replaces)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .redirects(let policy): try container.encode(policy, forKey: .redirects)
        case .retry(let policy): try container.encode(policy, forKey: .retry)
        case .field(let field):
            try container.encode(
                [field.name.description, field.value], forKey: field.replaces ? .setting : .appending)
        }
    }
}
