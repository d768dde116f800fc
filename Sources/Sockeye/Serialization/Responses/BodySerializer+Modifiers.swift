import SockeyeEngine

extension BodySerializer {
    /// The same serializer, accepting other responses. What is left out stays as it is.
    ///
    /// - Parameters:
    ///   - statusCodes: The statuses to accept.
    ///   - contentTypes: The media types to accept; see ``IncomingResponse/Validation/contentTypes``.
    public func accepting(statusCodes: StatusCodeSet? = nil, contentTypes: [String]? = nil) -> Self {
        var copy = self
        if let statusCodes { copy.handling.validation.statusCodes = statusCodes }
        if let contentTypes { copy.handling.validation.contentTypes = contentTypes }
        return copy
    }

    /// The same serializer, accepting every media type, also none.
    public func acceptingAnyContentType() -> Self {
        var copy = self
        copy.handling.validation.contentTypes = nil
        return copy
    }

    /// The same serializer with another limit on the body, in bytes.
    public func limited(to limit: Int) -> Self {
        var copy = self
        copy.handling.limit = limit
        return copy
    }

    /// The same serializer with another policy for bodies without content.
    public func emptyBody(_ acceptance: BodyHandling.EmptyBodyPolicy.Acceptance) -> Self {
        var copy = self
        copy.handling.emptyBody.acceptance = acceptance
        return copy
    }

    /// The same serializer, changing the body before it is decoded.
    public func preprocessed(_ preprocessor: BodyHandling.Preprocessor) -> Self {
        var copy = self
        copy.handling.preprocessor = preprocessor
        return copy
    }

    /// A serializer that transforms this one's value.
    ///
    /// In a `.json(User.self).map(…)` write a key path, `.map(\.name)`, or `.map { @Sendable in $0.name }`.
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) throws -> NewValue
    ) -> BodySerializer<NewValue> {
        BodySerializer<NewValue>(
            MappedFormat(base: format, transform: transform), accept: accept, handling: handling)
    }
}

/// The format of ``BodySerializer/map(_:)``.
private struct MappedFormat<Base, Value>: BodyFormat {
    let base: any BodyFormat<Base>
    let transform: @Sendable (Base) throws -> Value

    var obeysEmptyBodyPolicy: Bool { base.obeysEmptyBodyPolicy }

    func value(from body: Bytes, _ handling: BodyHandling, of response: IncomingResponse) throws -> Value {
        try transform(base.valueOrEmpty(from: body, handling, of: response))
    }
}
