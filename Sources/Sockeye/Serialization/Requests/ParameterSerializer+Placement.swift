public import HTTPTypes
import SockeyeEngine
import SockeyeHTTP
import SockeyeSerialization

extension ParameterSerializer {
    /// The placement of a request's parameters: in the URL or in the body.
    ///
    /// The counterpart of AFNetworking's `HTTPMethodsEncodingParametersInURI`.
    public struct Placement: Sendable, Hashable {
        /// The names of the methods with parameters in the URL; nil for all methods. The names are sorted, so that
        /// SockeyeArchiving encodes equal placements in the same way.
        package let methodsInURI: [String]?

        package init(methodsInURI: [String]?) {
            self.methodsInURI = methodsInURI
        }

        /// Puts parameters into the URL for these methods, and into the body for all others.
        public static func uri(for methods: Set<HTTPRequest.Method>) -> ParameterSerializer.Placement {
            ParameterSerializer.Placement(methodsInURI: methods.map(\.rawValue).sorted())
        }

        /// Puts parameters into the URL for GET, HEAD and DELETE, and into the body for all others; AFNetworking's
        /// default.
        public static let standard = uri(for: [.get, .head, .delete])

        /// Puts parameters into the URL for every method.
        public static let uri = ParameterSerializer.Placement(methodsInURI: nil)

        /// Puts parameters into the body for every method.
        public static let body = uri(for: [])

        func isURI(for method: HTTPRequest.Method) -> Bool {
            methodsInURI?.contains(method.rawValue) ?? true
        }
    }
}

extension HTTPURL {
    /// Returns this URL with the parameters appended to its query, before the fragment. AFNetworking puts them after
    /// the fragment.
    func appending(_ parameters: RequestParameters, style: RequestParameters.Style) throws(SockeyeError) -> HTTPURL {
        // A style that is a closure (`whole`) may write text even for no parameters.
        guard !parameters.isEmpty || style.whole != nil else { return self }
        let query: String
        do throws(RequestParameters.EncodingError) { query = try style.encode(parameters) } catch {
            throw SockeyeError(error)
        }
        do throws(HTTPURL.Fault) { return try appending(query: query) } catch { throw SockeyeError(error) }
    }
}

extension SockeyeError {
    init(_ error: RequestParameters.EncodingError) {
        self = .encodingFailed("a parameter cannot be encoded: \(error)", error)
    }
}
