public import SockeyeEngine

/// Turns a response into a value. The counterpart of AFNetworking's `AFURLResponseSerialization`.
///
/// ```swift
/// let users = try await client.get("users", as: .json([User].self))
/// ```
///
/// Most serializers want the whole body: those adopt ``BodyResponseSerializer``, which validates, collects and limits for
/// them. One that adopts only this protocol gets the response at its head and reads ``IncomingResponse/body`` itself, so that a
/// body of any size can become a value without being collected.
///
/// A serializer is a value, used by any number of requests at once. For `.name` at the place of use, extend the protocol:
///
/// ```swift
/// extension ResponseSerializer where Self == CSVResponseSerializer {
///     static var csv: Self { CSVResponseSerializer() }
/// }
/// ```
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol ResponseSerializer<Value>: Sendable {
    /// What comes out.
    associatedtype Value

    /// What the request says in Accept (RFC 9110 12.5.1), unless it has that field; nil for nothing. Default nil.
    var accept: String? { get }

    /// Makes the value. Reads as much of ``IncomingResponse/body`` as it needs; the rest is dropped with the response.
    ///
    /// - Throws: A ``SockeyeError`` reaches the caller as it is, any other error as the ``SockeyeError/underlying`` of one
    ///   with the code ``SockeyeError/Code-swift.struct/decodingFailed``.
    func value(of response: IncomingResponse) async throws -> Value
}

extension ResponseSerializer {
    /// Nothing.
    public var accept: String? { nil }
}

/// A ``ResponseSerializer`` of a whole body, in memory.
///
/// One's own takes ten lines:
///
/// ```swift
/// struct CSVResponseSerializer: BodyResponseSerializer {
///     let accept: String? = "text/csv"
///     var handling = BodyHandling(contentTypes: ["text/csv"])
///
///     func value(from body: Bytes, of response: IncomingResponse) throws -> [[Substring]] {
///         String(decoding: body, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ",") }
///     }
/// }
/// ```
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol BodyResponseSerializer<Value>: ResponseSerializer {
    /// What comes out.
    associatedtype Value

    /// What is done with the body before ``value(from:of:)`` gets it.
    var handling: BodyHandling { get set }

    /// Makes the value of a validated response from its body. Called with an empty body only if ``Value`` is not
    /// ``EmptyBodyRepresentable``, or ``BodyHandling/EmptyBodyPolicy`` does not want it.
    ///
    /// - Parameters:
    ///   - body: The whole body.
    ///   - response: The response it is of, for its head; its ``IncomingResponse/body`` has been read.
    /// - Throws: Anything; see ``ResponseSerializer/value(of:)``.
    func value(from body: Bytes, of response: IncomingResponse) throws -> Value
}

extension BodyResponseSerializer {
    /// Validates the response, collects its body and makes the value.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus`` and
    ///   ``SockeyeError/Code-swift.struct/unacceptableContentType`` (see ``ResponseValidation``),
    ///   ``SockeyeError/Code-swift.struct/decodingFailed``, each with the response as evidence, and
    ///   ``SockeyeError/Code-swift.struct/limitExceeded`` past the limit, and what reading throws.
    public func value(of response: IncomingResponse) async throws(SockeyeError) -> Value {
        let handling = handling
        let body = try await handling.body(of: response)
        return try value(from: body, handling, of: response)
    }

    /// The value of a response whose body was collected; what `.compound` asks of each of its own.
    func value(fromCollected body: Bytes, of response: IncomingResponse) throws(SockeyeError) -> Value {
        let handling = handling
        try handling.check(body, of: response)
        return try value(from: handling.preprocessing(body, of: response), handling, of: response)
    }

    private func value(
        from body: Bytes, _ handling: BodyHandling, of response: IncomingResponse
    ) throws(SockeyeError) -> Value {
        do {
            return try valueIfAny(from: body, handling, of: response)
        } catch let error as SockeyeError {
            throw error.about(response.request)
        } catch {
            throw response.decodingFailure(error, body: body)
        }
    }

    /// The value of a body, or of there being none.
    func valueIfAny(from body: Bytes, _ handling: BodyHandling, of response: IncomingResponse) throws -> Value {
        guard handling.emptyBody.isEmpty(body) else { return try value(from: body, of: response) }
        if let type = Value.self as? any EmptyBodyRepresentable.Type, handling.emptyBody.accepts(response),
            let value = type.emptyBody as? Value
        {
            return value
        }
        return try value(from: Bytes(), of: response)
    }
}
