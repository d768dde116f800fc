import SockeyeCore
public import SockeyeEngine
public import SockeyeEssentials
public import SockeyeSerialization

// Bodies for requests that the caller builds. Unlike `HTTPClient.Content`, they set no Content-Type.
extension OutgoingRequest.Body {
    /// Encodes a value as JSON.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` with the encoder's error.
    public static func json(
        _ value: some Encodable, encoder: JSONEncoder? = nil
    ) throws(SockeyeError) -> OutgoingRequest.Body {
        do {
            return .bytes(try (encoder ?? JSONParameterFormat.plain).encode(value))
        } catch {
            throw .encodingFailed("the value cannot be encoded as JSON", error)
        }
    }

    /// Encodes a JSON value.
    public static func json(_ value: JSONValue) -> OutgoingRequest.Body {
        .bytes(value.bytes())
    }

    /// Encodes parameters as `a=b&c=d`.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for parameters that the style refuses.
    public static func form(
        _ parameters: RequestParameters, style: RequestParameters.Style = .standard
    ) throws(SockeyeError) -> OutgoingRequest.Body {
        do throws(RequestParameters.EncodingError) {
            return .string(try style.encode(parameters))
        } catch {
            throw SockeyeError(error)
        }
    }
}
