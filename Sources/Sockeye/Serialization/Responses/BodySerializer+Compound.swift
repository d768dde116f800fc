import SockeyeEngine

extension SockeyeError {
    /// The error of a `.compound(…)` if none of its serializers succeeded.
    public struct CompoundError: Error, Sendable, CustomStringConvertible {
        /// The error of each serializer, in the order of the serializers.
        public let errors: [SockeyeError]

        /// The codes of the errors.
        public var description: String {
            "all serializers failed: \(errors.map(\.code.description).joined(separator: ", "))"
        }
    }
}

extension ResponseSerializer {
    /// Tries serializers in order and returns the value of the first that succeeds. The counterpart of
    /// `AFCompoundResponseSerializer`.
    ///
    /// Each serializer applies its own validation, preprocessing and limit. A serializer fails if it does not accept
    /// the response's content type, so the content type can select the serializer:
    ///
    /// ```swift
    /// let report = try await api.get(
    ///     "report", as: .compound(.json(Report.self), .propertyList(Report.self)))
    /// ```
    ///
    /// If no serializer succeeds, the error depends on the status. For a status outside 200 to 299 it is
    /// ``SockeyeError/Code-swift.struct/unacceptableStatus``. For a status of 200 to 299 it is
    /// ``SockeyeError/Code-swift.struct/decodingFailed`` with ``SockeyeError/CompoundError`` as its cause.
    public static func compound<Element>(
        _ serializers: BodySerializer<Element>...
    ) -> Self where Self == BodySerializer<Element> {
        .compound(serializers)
    }

    /// Tries the serializers of an array in order, like `.compound(a, b)`.
    public static func compound<Element>(
        _ serializers: [BodySerializer<Element>]
    ) -> Self where Self == BodySerializer<Element> {
        let accepted = serializers.compactMap(\.accept)
        // Each serializer validates the response itself. The body is collected up to the largest limit of all
        // serializers, so that each can apply its own limit.
        let handling = BodyHandling(
            validation: .none, limit: serializers.map(\.handling.limit).max() ?? IncomingResponse.defaultCollectLimit,
            emptyBody: BodyHandling.EmptyBodyPolicy(.never))
        return BodySerializer(
            CompoundFormat(serializers: serializers),
            accept: accepted.isEmpty ? nil : accepted.joined(separator: ", "), handling: handling)
    }
}

/// The format of `.compound(…)`.
package struct CompoundFormat<Value>: BodyFormat {
    package let serializers: [BodySerializer<Value>]

    package var obeysEmptyBodyPolicy: Bool { false }

    package func value(from body: Bytes, _: BodyHandling, of response: IncomingResponse) throws -> Value {
        var errors: [SockeyeError] = []
        for serializer in serializers {
            do throws(SockeyeError) {
                return try serializer.value(fromCollected: body, of: response)
            } catch {
                errors.append(error)
            }
        }
        if let refusal = IncomingResponse.Validation().refusal(of: response, body: body) { throw refusal }
        throw SockeyeError.CompoundError(errors: errors)
    }
}
