public import SockeyeEngine

/// None of the serializers of a `.compound(…)` made a value.
public struct CompoundFailure: Error, Sendable, CustomStringConvertible {
    /// What each of them threw, in their order.
    public let errors: [SockeyeError]

    /// The codes of the errors.
    public var description: String {
        "no serializer made a value: \(errors.map(\.code.description).joined(separator: ", "))"
    }
}

extension ResponseSerializer {
    /// Tries two serializers in order; see ``ResponseSerializer/compound(_:)``.
    public static func compound<Element>(
        _ first: some BodyResponseSerializer<Element>, _ second: some BodyResponseSerializer<Element>
    ) -> Self where Self == BodySerializer<Element> {
        .compound([first, second])
    }

    /// Tries three serializers in order; see ``ResponseSerializer/compound(_:)``.
    public static func compound<Element>(
        _ first: some BodyResponseSerializer<Element>, _ second: some BodyResponseSerializer<Element>,
        _ third: some BodyResponseSerializer<Element>
    ) -> Self where Self == BodySerializer<Element> {
        .compound([first, second, third])
    }

    /// Tries serializers in order; the value of the first that succeeds counts. The counterpart of
    /// `AFCompoundResponseSerializer`.
    ///
    /// Each one validates, preprocesses and limits for itself, so that content types can tell which is meant:
    ///
    /// ```swift
    /// let report = try await api.get("report", as: .compound(.json(Report.self), .propertyList(Report.self)))
    /// ```
    ///
    /// If none succeeds, the response is validated as for a serializer that takes anything: a bad status is
    /// ``SockeyeError/Code-swift.struct/unacceptableStatus``, and everything else
    /// ``SockeyeError/Code-swift.struct/decodingFailed`` with ``CompoundFailure`` as its cause.
    public static func compound<Element>(
        _ serializers: [any BodyResponseSerializer<Element>]
    ) -> Self where Self == BodySerializer<Element> {
        let accepted = serializers.compactMap(\.accept)
        // Which responses are good is for the others to say; the largest limit lets each one apply its own.
        let handling = BodyHandling(
            validation: .none, limit: serializers.map(\.handling.limit).max() ?? IncomingResponse.defaultCollectLimit,
            emptyBody: BodyHandling.EmptyBodyPolicy(.never))
        return BodySerializer(
            .compound(serializers), accept: accepted.isEmpty ? nil : accepted.joined(separator: ", "),
            handling: handling
        ) { body, _, response in
            try value(from: body, of: response, trying: serializers)
        }
    }

    private static func value<Element>(
        from body: Bytes, of response: IncomingResponse, trying serializers: [any BodyResponseSerializer<Element>]
    ) throws -> Element {
        var errors: [SockeyeError] = []
        for serializer in serializers {
            do throws(SockeyeError) {
                return try serializer.value(fromCollected: body, of: response)
            } catch {
                errors.append(error)
            }
        }
        if let refusal = ResponseValidation().refusal(of: response, body: body) { throw refusal }
        throw CompoundFailure(errors: errors)
    }
}
