import SockeyeEngine

extension BodySerializer {
    /// Returns this serializer with other conditions for responses. Omitted conditions stay as they are.
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

    /// Returns this serializer with any content type accepted, even a missing one.
    public func acceptingAnyContentType() -> Self {
        var copy = self
        copy.handling.validation.contentTypes = nil
        return copy
    }

    /// Returns this serializer with another limit on the body, in bytes.
    public func limited(to limit: Int) -> Self {
        var copy = self
        copy.handling.limit = limit
        return copy
    }

    /// Returns this serializer with another policy for empty bodies.
    public func emptyBody(_ acceptance: BodyHandling.EmptyBodyPolicy.Acceptance) -> Self {
        var copy = self
        copy.handling.emptyBody.acceptance = acceptance
        return copy
    }

    /// Returns this serializer with a preprocessor, which changes the body before it is decoded.
    public func preprocessed(_ preprocessor: BodyHandling.Preprocessor) -> Self {
        var copy = self
        copy.handling.preprocessor = preprocessor
        return copy
    }

    /// Returns a serializer that transforms the value of this serializer. If this serializer has a value for an empty
    /// body, the closure also transforms that value.
    ///
    /// In an expression that starts with a dot, pass a key path, as in `.json(User.self).map(\.name)`, or mark the
    /// closure, as in `.json(User.self).map { @Sendable in $0.name }`. The compiler (Swift 6.3) does not infer
    /// `@Sendable` in such an expression, and rejects an unmarked closure.
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

    func value(from body: Bytes, _ handling: BodyHandling, of response: IncomingResponse) throws -> Value {
        try transform(base.value(from: body, handling, of: response))
    }

    /// Leaves the policy for empty bodies to the base format. The default implementation would return the transformed
    /// type's value for an empty body, even if the base type has no such value.
    func valueOrEmpty(from body: Bytes, _ handling: BodyHandling, of response: IncomingResponse) throws -> Value {
        try transform(base.valueOrEmpty(from: body, handling, of: response))
    }
}
