public import FoundationEssentials
import SockeyeCore
package import SockeyeEngine
package import SockeyeSerialization

/// A JSON object.
package struct JSONParameterFormat: ParameterFormat {
    /// Not to be changed from then on.
    package let encoder: JSONEncoder

    package init(encoder: JSONEncoder? = nil) {
        self.encoder = encoder ?? Self.plain
    }

    /// Shared by all calls that bring none.
    static let plain = JSONEncoder()

    package var contentType: String { "application/json" }

    /// - Throws: `EncodingError.invalidValue` with the path for values that JSON does not have, such as infinite numbers.
    package func body(
        of parameters: RequestParameters, style _: RequestParameters.Style
    ) throws -> OutgoingRequest.Body {
        .bytes(try encoder.encode(parameters))
    }
}

extension ParameterSerializer {
    /// The encoder of `.json`; nil for other formats.
    var jsonEncoder: JSONEncoder? { (format as? JSONParameterFormat)?.encoder }
}

extension RequestSerializer where Self == ParameterSerializer {
    /// The URL for GET, HEAD and DELETE, a JSON object for all others. The counterpart of `AFJSONRequestSerializer`.
    public static var json: Self { .json(nil) }

    /// The same with other options.
    ///
    /// - Parameters:
    ///   - encoder: Formatting, and strategies for dates, data and keys; not to be changed from then on. Nil for the defaults. A
    ///     scope with this serializer encodes `.json` content by it, too.
    ///   - options: Which parameters go into the URL instead, and further fields and options of the requests.
    public static func json(
        _ encoder: JSONEncoder? = nil,
        options: ParameterSerializer.Options = ParameterSerializer.Options()
    ) -> Self {
        ParameterSerializer(JSONParameterFormat(encoder: encoder), options: options)
    }
}
