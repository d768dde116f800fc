import SockeyeEngine

/// A serializer with the value nil for some statuses.
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
    /// Returns this serializer with the value nil for responses with these statuses, whatever their content.
    ///
    /// ```swift
    /// let user = try await api.put(
    ///     "users/7", .json(changes), as: .json(User.self).nilFor([.notFound, .gone]))
    /// ```
    ///
    /// The content of such a response is not read. `get` and `request` also take the statuses after a type: `nilFor:`.
    public func nilFor(_ statusCodes: StatusCodeSet) -> some ResponseSerializer<Value?> {
        NilStatusSerializer(base: self, statusCodes: statusCodes)
    }
}
