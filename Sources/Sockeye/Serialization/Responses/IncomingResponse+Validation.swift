public import SockeyeEngine

extension IncomingResponse {
    /// Which responses a serializer accepts: by status, and by the type of the content.
    ///
    /// The conditions are AFNetworking's `validateResponse:data:error:`:
    ///
    /// - A status that is not in ``statusCodes`` is an error.
    /// - A content type that matches none of ``contentTypes`` is an error if there is content. No Content-Type at all counts
    ///   as a wrong one. An empty body may have any type, since it is not read. (AFNetworking says in that case that the
    ///   response is invalid but gives no error, which its serializers then take for success.)
    /// - If both are wrong, the error is about the status, and the one about the type is its
    ///   ``SockeyeError/underlying``.
    public struct Validation: Sendable, Hashable {
        /// The statuses to accept. Default 200 to 299.
        public var statusCodes: StatusCodeSet
        /// The media types to accept, without parameters, such as `application/json`, `text/*` or `application/*+json`. Nil,
        /// the default, accepts every type, also none.
        public var contentTypes: [String]?

        /// Makes a validation.
        public init(statusCodes: StatusCodeSet = .successful, contentTypes: [String]? = nil) {
            self.statusCodes = statusCodes
            self.contentTypes = contentTypes
        }

        /// Accepts every response.
        public static let none = Validation(statusCodes: .all)

        /// What a response with content of these Content-Type field values fails in.
        package func objections(status: Int, contentType: [String]) -> ResponseObjections {
            var objections: ResponseObjections = []
            if !statusCodes.contains(status) { objections.insert(.status) }
            if !accepts(contentType) { objections.insert(.contentType) }
            return objections
        }

        private func accepts(_ fieldValues: [String]) -> Bool {
            guard let contentTypes else { return true }
            // Nearly every response has one type of the list, in the same letters; parsing it would cost more than decoding
            // a small body does.
            if fieldValues.count == 1, contentTypes.contains(where: { Self.isPlainly(fieldValues[0], $0) }) {
                return true
            }
            guard let type = InternetMediaType.extract(from: fieldValues) else { return false }
            return contentTypes.contains { type.matches($0) }
        }

        /// Whether a field value is certainly this type and no list.
        private static func isPlainly(_ value: String, _ type: String) -> Bool {
            guard value != type else { return true }
            guard value.utf8.count > type.utf8.count, value.hasPrefix(type) else { return false }
            let rest = value.utf8.dropFirst(type.utf8.count)
            return (rest.first == 0x3B || rest.first == 0x20) && !rest.contains(0x2C)
        }
    }
}

extension IncomingResponse.Validation {
    /// What is wrong with the head of a response, if it has content.
    func objections(to response: IncomingResponse) -> ResponseObjections {
        // Looking at Content-Type costs a copy of it.
        let types = contentTypes == nil ? [] : response.values(of: .contentType)
        return objections(status: response.statusCode, contentType: types)
    }

    /// The error about a response with this body, or with a body that begins so; nil if there is none.
    func refusal(of response: IncomingResponse, body: Bytes) -> SockeyeError? {
        let objections = objections(to: response)
        var refusal: SockeyeError?
        if objections.contains(.contentType), !body.isEmpty {
            refusal = response.refusal(.unacceptableContentType, typeMessage(response), body: body)
        }
        if objections.contains(.status) {
            let typeRefusal = refusal
            refusal = response.refusal(.unacceptableStatus, "the server answered \(response.statusCode)", body: body)
                .with { $0.underlying = typeRefusal }
        }
        return refusal
    }

    private func typeMessage(_ response: IncomingResponse) -> String {
        let wanted = "not \((contentTypes ?? []).joined(separator: " or "))"
        guard let type = response.contentType else { return "the content has no type, so \(wanted)" }
        return "the content is \(type.essence.prefix(80)), \(wanted)"
    }
}

/// What is wrong with a response, as far as its head tells.
package struct ResponseObjections: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let status = ResponseObjections(rawValue: 1)
    /// Counts only if there is content.
    package static let contentType = ResponseObjections(rawValue: 2)
}
