public import FoundationEssentials
public import SockeyeEngine
public import SockeyeSerialization

// For requests that are built by hand; content of calls sets Content-Type as well.
extension RequestBody {
    /// A value encoded as JSON.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` with the encoder's error.
    public static func json(
        _ value: some Encodable, encoder: JSONEncoder? = nil
    ) throws(SockeyeError) -> RequestBody {
        do {
            return .bytes(try (encoder ?? JSONRequestSerializer.plain).encode(value))
        } catch {
            throw .encodingFailed("the value cannot be encoded as JSON", error)
        }
    }

    /// JSON as it is.
    public static func json(_ value: JSONValue) -> RequestBody {
        .bytes(value.bytes())
    }

    /// Parameters as `a=b&c=d`.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for what the style refuses.
    public static func form(
        _ parameters: Parameters, style: ParameterStyle = .standard
    ) throws(SockeyeError) -> RequestBody {
        do throws(ParameterEncodingError) {
            return .string(try style.encode(parameters))
        } catch {
            throw SockeyeError(error)
        }
    }
}
