public import HTTPTypes
import SockeyeEngine
import SockeyeHTTP
import SockeyeSerialization

extension ParameterSerializer {
    /// Where the parameters of a request go.
    ///
    /// The counterpart of AFNetworking's `HTTPMethodsEncodingParametersInURI`.
    public struct Placement: Sendable, Hashable {
        /// The names of the methods whose parameters go into the URL, in order, so that archives are alike; nil for all.
        package let methodsInURI: [String]?

        package init(methodsInURI: [String]?) {
            self.methodsInURI = methodsInURI
        }

        /// Into the URL for these methods, for all others into the body.
        public static func uri(for methods: Set<HTTPRequest.Method>) -> ParameterSerializer.Placement {
            ParameterSerializer.Placement(methodsInURI: methods.map(\.rawValue).sorted())
        }

        /// Into the URL for GET, HEAD and DELETE, for all others into the body; AFNetworking's default.
        public static let standard = uri(for: [.get, .head, .delete])

        /// Into the URL for every method.
        public static let uri = ParameterSerializer.Placement(methodsInURI: nil)

        /// Into the body for every method.
        public static let body = uri(for: [])

        func isURI(for method: HTTPRequest.Method) -> Bool {
            methodsInURI?.contains(method.rawValue) ?? true
        }
    }
}

extension HTTPURL {
    /// This URL with parameters added to its query, joined by `?` or `&` and before the fragment (where AFNetworking
    /// put them behind it).
    func appending(_ parameters: RequestParameters, style: RequestParameters.Style) throws(SockeyeError) -> HTTPURL {
        // A style that is a closure may write something for no parameters, too, as AFNetworking's may.
        guard !parameters.isEmpty || style.whole != nil else { return self }
        let query: String
        do throws(RequestParameters.EncodingError) { query = try style.encode(parameters) } catch {
            throw SockeyeError(error)
        }
        do throws(HTTPURL.Fault) { return try appending(query: query) } catch { throw SockeyeError(error) }
    }
}

extension SockeyeError {
    /// Translates why parameters cannot be written.
    init(_ error: RequestParameters.EncodingError) {
        self = .encodingFailed("a parameter cannot be encoded: \(error)", error)
    }
}
