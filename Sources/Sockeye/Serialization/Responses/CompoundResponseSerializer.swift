public import SockeyeEngine

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
public struct CompoundResponseSerializer<Value>: BodyResponseSerializer {
    /// What is tried, in this order.
    public let serializers: [any BodyResponseSerializer<Value>]
    /// What is done with the body before the first one gets it. The limit holds for all of them.
    public var handling: BodyHandling

    /// Makes a serializer out of others.
    public init(_ serializers: [any BodyResponseSerializer<Value>]) {
        self.serializers = serializers
        // Which responses are good is for the others to say; the largest limit lets each one apply its own.
        handling = BodyHandling(
            validation: .none, limit: serializers.map(\.handling.limit).max() ?? IncomingResponse.defaultCollectLimit,
            emptyBody: BodyHandling.EmptyBodyPolicy(.never))
    }

    /// All that the others accept.
    public var accept: String? {
        let accepted = serializers.compactMap(\.accept)
        return accepted.isEmpty ? nil : accepted.joined(separator: ", ")
    }

    /// The first value that one of the serializers makes.
    public func value(from body: Bytes, of response: IncomingResponse) throws -> Value {
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

extension ResponseSerializer {
    /// The first of two that succeeds; see ``CompoundResponseSerializer``.
    public static func compound<Element>(
        _ first: some BodyResponseSerializer<Element>, _ second: some BodyResponseSerializer<Element>
    ) -> Self where Self == CompoundResponseSerializer<Element> {
        CompoundResponseSerializer([first, second])
    }

    /// The first of three that succeeds; see ``CompoundResponseSerializer``.
    public static func compound<Element>(
        _ first: some BodyResponseSerializer<Element>, _ second: some BodyResponseSerializer<Element>,
        _ third: some BodyResponseSerializer<Element>
    ) -> Self where Self == CompoundResponseSerializer<Element> {
        CompoundResponseSerializer([first, second, third])
    }

    /// The first that succeeds; see ``CompoundResponseSerializer``.
    public static func compound<Element>(
        _ serializers: [any BodyResponseSerializer<Element>]
    ) -> Self where Self == CompoundResponseSerializer<Element> {
        CompoundResponseSerializer(serializers)
    }
}
