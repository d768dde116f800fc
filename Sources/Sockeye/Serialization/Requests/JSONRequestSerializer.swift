public import FoundationEssentials
import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// Writes parameters as a JSON object. The counterpart of `AFJSONRequestSerializer`.
///
/// For GET, HEAD and DELETE they go into the URL as with ``HTTPRequestSerializer``. In a scope its encoder is also that of
/// content that is `.json`.
public struct JSONRequestSerializer: BodyRequestSerializer {
    /// What goes into the URL instead, and what else the requests get.
    public var settings: RequestSettings
    /// Formatting, and strategies for dates, data and keys; not to be changed from then on.
    public private(set) var encoder: JSONEncoder

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - encoder: Formatting and strategies; nil for the defaults.
    ///   - settings: What goes into the URL instead, and what else the requests get.
    public init(encoder: JSONEncoder? = nil, settings: RequestSettings = RequestSettings()) {
        self.encoder = encoder ?? Self.plain
        self.settings = settings
    }

    /// Shared by all that bring none.
    static let plain = JSONEncoder()

    /// `application/json`.
    public var contentType: String { "application/json" }

    /// The object.
    ///
    /// - Throws: `EncodingError.invalidValue` with the path for what JSON has not, such as infinite numbers.
    public func body(of parameters: RequestParameters) throws -> OutgoingRequest.Body {
        .bytes(try encoder.encode(parameters))
    }
}

extension RequestSerializer where Self == JSONRequestSerializer {
    /// A JSON object; see ``JSONRequestSerializer``.
    public static var json: Self { JSONRequestSerializer() }

    /// A JSON object, with the formatting and the strategies of an encoder.
    public static func json(_ encoder: JSONEncoder) -> Self { JSONRequestSerializer(encoder: encoder) }
}
