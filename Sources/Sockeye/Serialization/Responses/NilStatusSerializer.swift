import SockeyeEngine

/// A serializer whose value is nil for responses with certain statuses.
struct NilStatusSerializer<Base: ResponseSerializer>: ResponseSerializer {
    let base: Base
    let statusCodes: StatusCodeSet

    var accept: String? { base.accept }

    func value(of response: IncomingResponse) async throws -> Base.Value? {
        guard !statusCodes.contains(response.statusCode) else { return nil }
        return try await base.value(of: response)
    }
}

extension ResponseSerializer {
    /// Returns a serializer whose value is nil for responses with these statuses. The content of such responses is not
    /// read. Other responses are converted by this serializer.
    ///
    /// ```swift
    /// let user = try await api.put(
    ///     "users/7", .json(changes), as: .json(User.self).nilFor([.notFound, .gone]))
    /// ```
    ///
    /// If you pass a type instead of a serializer to `get` or `request`, the argument `nilFor:` has this effect.
    public func nilFor(_ statusCodes: StatusCodeSet) -> some ResponseSerializer<Value?> {
        NilStatusSerializer(base: self, statusCodes: statusCodes)
    }
}
