extension MultipartForm {
    /// The kind of a ``MultipartForm``: which subtype of `multipart` it is sent as.
    public struct Subtype: Sendable, Hashable {
        /// The subtype, such as `form-data`.
        public let name: String
        /// Parameters of Content-Type besides the boundary, in order.
        let parameters: [Parameter]

        struct Parameter: Sendable, Hashable {
            let name: String
            let value: String
        }

        /// A form (RFC 7578). The default.
        public static let formData = MultipartForm.Subtype("form-data")
        /// Independent parts in order (RFC 2046 5.1.3).
        public static let mixed = MultipartForm.Subtype("mixed")
        /// The same content in several forms, the best last (RFC 2046 5.1.4).
        public static let alternative = MultipartForm.Subtype("alternative")

        /// Parts that belong together, the first one being the root unless `start` names another (RFC 2387).
        ///
        /// - Parameters:
        ///   - rootType: The media type of the root, which the standard requires.
        ///   - start: The Content-ID of the root, with its angle brackets.
        public static func related(rootType: String, start: String? = nil) -> MultipartForm.Subtype {
            var parameters = [Parameter(name: "type", value: rootType)]
            if let start { parameters.append(Parameter(name: "start", value: start)) }
            return MultipartForm.Subtype("related", parameters)
        }

        /// Another subtype. One that is no token makes sending fail.
        public init(_ name: String) {
            self.init(name, [])
        }

        private init(_ name: String, _ parameters: [Parameter]) {
            self.name = name
            self.parameters = parameters
        }
    }
}
