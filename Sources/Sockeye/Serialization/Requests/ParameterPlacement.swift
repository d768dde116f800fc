public import HTTPTypes

extension RequestSettings {
    /// Where the parameters of a request go.
    ///
    /// The counterpart of AFNetworking's `HTTPMethodsEncodingParametersInURI`.
    public struct ParameterPlacement: Sendable, Hashable {
        /// The names of the methods whose parameters go into the URL, in order, so that archives are alike; nil for all.
        package let methodsInURI: [String]?

        package init(methodsInURI: [String]?) {
            self.methodsInURI = methodsInURI
        }

        /// Into the URL for these methods, for all others into the body.
        public static func uri(for methods: Set<HTTPRequest.Method>) -> RequestSettings.ParameterPlacement {
            RequestSettings.ParameterPlacement(methodsInURI: methods.map(\.rawValue).sorted())
        }

        /// Into the URL for GET, HEAD and DELETE, for all others into the body; AFNetworking's default.
        public static let standard = uri(for: [.get, .head, .delete])

        /// Into the URL for every method.
        public static let uri = RequestSettings.ParameterPlacement(methodsInURI: nil)

        /// Into the body for every method.
        public static let body = uri(for: [])

        func isURI(for method: HTTPRequest.Method) -> Bool {
            methodsInURI?.contains(method.rawValue) ?? true
        }
    }
}
