public import SockeyeEngine

extension IncomingResponse {
    /// The conditions for a response to be accepted: its status, and the type of its content.
    ///
    /// The conditions are those of AFNetworking's `validateResponse:data:error:`:
    ///
    /// - A status that is not in ``statusCodes`` is an error.
    /// - If ``contentTypes`` is not nil, content without a Content-Type, or of a type that matches none of them, is an
    ///   error. An empty body may have any type, since there is no content to misinterpret.
    /// - If both status and type are wrong, the error has the code for the status. Its ``SockeyeError/underlying``
    ///   error has the code for the type.
    public struct Validation: Sendable, Hashable {
        /// The accepted statuses. Default 200 to 299.
        public var statusCodes: StatusCodeSet
        /// The accepted media types, without parameters, such as `application/json`, `text/*` or `application/*+json`.
        ///
        /// Default nil: every type is accepted, even a missing one.
        public var contentTypes: [String]?

        /// Creates a validation.
        public init(statusCodes: StatusCodeSet = .successful, contentTypes: [String]? = nil) {
            self.statusCodes = statusCodes
            self.contentTypes = contentTypes
        }

        /// A validation that accepts every response.
        public static let none = Validation(statusCodes: .all)

        /// Returns the conditions that a response with this status and these Content-Type fields violates. Assumes that
        /// the response has content.
        package func objections(status: Int, contentType: [String]) -> ResponseObjections {
            var objections: ResponseObjections = []
            if !statusCodes.contains(status) { objections.insert(.status) }
            if !accepts(contentType) { objections.insert(.contentType) }
            return objections
        }

        private func accepts(_ fieldValues: [String]) -> Bool {
            guard let contentTypes else { return true }
            // In nearly every response, Content-Type is spelled exactly like a type of the list. Parsing it would cost
            // more than decoding a small body.
            if fieldValues.count == 1, contentTypes.contains(where: { Self.isPlainly(fieldValues[0], $0) }) {
                return true
            }
            guard let type = InternetMediaType.extract(from: fieldValues) else { return false }
            return contentTypes.contains { type.matches($0) }
        }

        /// Returns true if `value` is certainly the media type `type`, with or without parameters, and not a list.
        private static func isPlainly(_ value: String, _ type: String) -> Bool {
            guard value.utf8.starts(with: type.utf8) else { return false }
            let rest = value.utf8.dropFirst(type.utf8.count)
            return rest.isEmpty || (rest.first == 0x3B || rest.first == 0x20) && !rest.contains(0x2C)
        }
    }
}

extension IncomingResponse.Validation {
    /// Returns the conditions that a response violates according to its head. Assumes that the response has content.
    package func objections(to response: IncomingResponse) -> ResponseObjections {
        // Reading Content-Type copies it, so it is not read if every type is accepted.
        let types = contentTypes == nil ? [] : response.values(of: .contentType)
        return objections(status: response.statusCode, contentType: types)
    }

    /// Returns the error for a response; nil if the response is accepted.
    ///
    /// - Parameter body: The body, or the start of it.
    package func refusal(of response: IncomingResponse, body: Bytes) -> SockeyeError? {
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

    /// Returns the error of a response whose body could not be read at all because of `failure`. If the status is not
    /// accepted, this is the error for the status, with `failure` as its cause; otherwise it is `failure`. A
    /// cancellation is always returned unchanged.
    func refusal(of response: IncomingResponse, unreadBy failure: SockeyeError) -> SockeyeError {
        guard failure.code != .cancelled, let refusal = refusal(of: response, body: Bytes()) else { return failure }
        return refusal.with { $0.underlying = failure }
    }

    private func typeMessage(_ response: IncomingResponse) -> String {
        let accepted = (contentTypes ?? []).joined(separator: ", ")
        guard let type = response.contentType else {
            return "the response has no Content-Type; accepted: \(accepted)"
        }
        return "the Content-Type is \(type.essence.prefix(80)); accepted: \(accepted)"
    }
}

/// The conditions that a response violates according to its head.
package struct ResponseObjections: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let status = ResponseObjections(rawValue: 1)
    /// The content type, which counts only if the response has content.
    package static let contentType = ResponseObjections(rawValue: 2)
}
