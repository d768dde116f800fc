import SockeyeEngine
import SockeyeSerialization

extension SockeyeError {
    /// Translates why parameters cannot be written.
    init(_ error: RequestParameters.EncodingError) {
        self = .encodingFailed("a parameter cannot be encoded: \(error)", error)
    }
}
