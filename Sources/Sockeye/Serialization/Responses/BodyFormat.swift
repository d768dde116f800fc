package import SockeyeEngine

/// The format of a ``BodySerializer``: converts a complete body to a value.
package protocol BodyFormat<Value>: Sendable {
    associatedtype Value

    /// True if an empty body is an error unless the ``BodyHandling/EmptyBodyPolicy`` accepts it. False for `.compound`,
    /// since each of its serializers has its own policy.
    var obeysEmptyBodyPolicy: Bool { get }

    /// Converts the body of a validated response.
    ///
    /// - Parameters:
    ///   - body: The complete body, preprocessed.
    ///   - handling: The serializer's settings for validation, body size, preprocessing and empty bodies.
    ///   - response: The response, for its head; its body has been read.
    func value(from body: Bytes, _ handling: BodyHandling, of response: IncomingResponse) throws -> Value

    /// Converts a body like ``value(from:_:of:)``, and applies the ``BodyHandling/EmptyBodyPolicy`` to an empty body.
    /// If the policy accepts the empty body and `Value` has a value for it, the default implementation returns
    /// ``NoContent/Representable/emptyBody``.
    func valueOrEmpty(from body: Bytes, _ handling: BodyHandling, of response: IncomingResponse) throws -> Value
}

extension BodyFormat {
    package var obeysEmptyBodyPolicy: Bool { true }

    /// Validates the response, collects its body and converts it.
    func value(of response: IncomingResponse, _ handling: BodyHandling) async throws(SockeyeError) -> Value {
        try value(fromProcessed: await handling.body(of: response), handling, of: response)
    }

    /// Converts a body that the enclosing `.compound` serializer has collected.
    func value(
        fromCollected body: Bytes, _ handling: BodyHandling, of response: IncomingResponse
    ) throws(SockeyeError) -> Value {
        try handling.check(body, of: response)
        return try value(fromProcessed: handling.preprocessing(body, of: response), handling, of: response)
    }

    /// Converts a validated and preprocessed body.
    package func value(
        fromProcessed body: Bytes, _ handling: BodyHandling, of response: IncomingResponse
    ) throws(SockeyeError) -> Value {
        do {
            return try valueOrEmpty(from: body, handling, of: response)
        } catch {
            throw response.conversionFailure(error, body: body)
        }
    }

    package func valueOrEmpty(
        from body: Bytes, _ handling: BodyHandling, of response: IncomingResponse
    ) throws -> Value {
        guard handling.emptyBody.isEmpty(body) else { return try value(from: body, handling, of: response) }
        if handling.emptyBody.accepts(response) {
            if let type = Value.self as? any NoContent.Representable.Type, let value = type.emptyBody as? Value {
                return value
            }
        } else if obeysEmptyBodyPolicy {
            throw EmptyBodyError()
        }
        return try value(from: Bytes(), handling, of: response)
    }
}

/// A value type that exactly one format produces, such as `XMLDocument` of SockeyeXML. The module SockeyeArchiving
/// encodes a serializer for this type together with the settings of its format.
package protocol FormattedValue {
    associatedtype Format: BodyFormat, Codable where Format.Value == Self

    /// Returns a serializer for `format`, with the usual Accept field and validation for this type.
    static func serializer(_ format: Format) -> BodySerializer<Self>
}

/// The body is empty, and the ``BodyHandling/EmptyBodyPolicy`` does not accept that.
struct EmptyBodyError: Error {}
