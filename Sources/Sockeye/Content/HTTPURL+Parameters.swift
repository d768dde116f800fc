import SockeyeEngine
import SockeyeHTTP
import SockeyeSerialization

extension HTTPURL {
    /// This URL with parameters added to its query, joined by `?` or `&` and before the fragment (where AFNetworking
    /// put them behind it).
    func appending(_ parameters: RequestParameters, style: RequestParameters.Style) throws(SockeyeError) -> HTTPURL {
        guard !parameters.isEmpty else { return self }
        let query: String
        do throws(RequestParameters.EncodingError) { query = try style.encode(parameters) } catch {
            throw SockeyeError(error)
        }
        do throws(HTTPURL.Fault) { return try appending(query: query) } catch { throw SockeyeError(error) }
    }
}
