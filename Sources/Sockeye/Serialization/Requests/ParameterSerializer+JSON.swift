import SockeyeCore
package import SockeyeEngine
public import SockeyeEssentials
package import SockeyeSerialization

/// Parameters as a JSON object.
package struct JSONParameterFormat: ParameterFormat {
    /// The encoder, which must not be changed after the initialization.
    package let encoder: JSONEncoder

    package init(encoder: JSONEncoder? = nil) {
        self.encoder = encoder ?? Self.plain
    }

    /// The encoder of all formats that are created without an encoder.
    package static let plain = JSONEncoder()

    package var contentType: String { "application/json" }

    /// - Throws: `EncodingError.invalidValue` if JSON cannot express a value, such as an infinite number. The error
    ///   contains the coding path of that value.
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
    /// Puts parameters into the URL for GET, HEAD and DELETE, and into a JSON object for all other methods.
    ///
    /// The counterpart of `AFJSONRequestSerializer`.
    public static var json: Self { .json(nil) }

    /// Like `.json`, with other settings.
    ///
    /// - Parameters:
    ///   - encoder: The encoder with its formatting and its strategies for dates, data and keys. Do not change the
    ///     encoder after this call. Nil for the default settings. If this serializer belongs to a scope (a client made
    ///     with `scoped`), its encoder also encodes content that a call passes as `.json(value)` without an encoder.
    ///   - options: The placement of the parameters, and further fields and options of the requests.
    public static func json(
        _ encoder: JSONEncoder? = nil,
        options: ParameterSerializer.Options = ParameterSerializer.Options()
    ) -> Self {
        ParameterSerializer(JSONParameterFormat(encoder: encoder), options: options)
    }
}
