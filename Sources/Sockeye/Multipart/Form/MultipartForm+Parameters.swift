public import SockeyeEngine
public import SockeyeSerialization

extension MultipartForm {
    /// Adds parameters as fields, one for each value, as AFNetworking does with those of a multipart request: named and
    /// ordered as in a query, data as it is, null as nothing, everything else as text.
    ///
    /// - Parameter style: How keys and values are written. `spaces` has no meaning here, nor has a style that is a closure,
    ///   which is refused.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for what the style refuses.
    public mutating func parameters(
        _ parameters: RequestParameters, style: RequestParameters.Style = .standard
    ) throws(SockeyeError) {
        do throws(RequestParameters.EncodingError) {
            for pair in try style.pairs(of: parameters) {
                switch pair.value {
                case .text(let text): field(pair.name, text)
                case .data(let data): self.data(pair.name, data)
                }
            }
        } catch {
            throw SockeyeError(error)
        }
    }
}
