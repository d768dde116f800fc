public import FoundationEssentials
import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

// For requests that are built by hand; content of calls sets Content-Type as well.
extension OutgoingRequest.Body {
    /// A value encoded as JSON.
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

    /// JSON as it is.
    public static func json(_ value: JSONValue) -> OutgoingRequest.Body {
        .bytes(value.bytes())
    }

    /// Parameters as `a=b&c=d`.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for what the style refuses.
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
