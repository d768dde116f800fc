public import SockeyeCore
public import SockeyeEngine

/// Converts a complete body to a value: validates the response, collects the body up to a limit and decodes it.
///
/// Such serializers are `.bytes`, `.data`, `.text`, `.json`, `.json(User.self)` and `.compound(…)`. A closure adds a
/// format of your own:
///
/// ```swift
/// extension ResponseSerializer where Self == BodySerializer<[[Substring]]> {
///     static var csv: Self {
///         BodySerializer(
///             accept: "text/csv",
///             handling: BodyHandling(contentTypes: ["text/csv"])
///         ) { body, _ in
///             String(decoding: body, as: UTF8.self).split(separator: "\n").map {
///                 $0.split(separator: ",")
///             }
///         }
///     }
/// }
/// ```
public struct BodySerializer<Value>: ResponseSerializer {
    /// The Accept field of the request, unless the call or the client's scope (see `scoped` of ``HTTPClient``) sets
    /// one; nil for none.
    public let accept: String?
    /// The validation of the response, the limit and the preprocessing of its body, and the policy for empty bodies.
    public var handling: BodyHandling
    package let format: any BodyFormat<Value>

    /// Creates a serializer from a closure.
    ///
    /// - Parameters:
    ///   - accept: The Accept field of the request. Default nil: none.
    ///   - handling: The validation of the response, the limit and the preprocessing of its body, and the policy for
    ///     empty bodies. Default: accepts 2xx of any type, at most 16 MiB.
    ///   - make: Converts the complete body of a validated response; the response is passed for its head. Also called
    ///     with an empty body that `handling` accepts, unless `Value` conforms to ``NoContent/Representable``. An error
    ///     other than a ``SockeyeError`` or `CancellationError` fails the call with
    ///     ``SockeyeError/Code-swift.struct/decodingFailed``; see ``ResponseSerializer/value(of:)`` for the message.
    public init(
        accept: String? = nil, handling: BodyHandling = BodyHandling(),
        _ make: @escaping @Sendable (Bytes, IncomingResponse) throws -> Value
    ) {
        self.init(ClosureFormat(make: make), accept: accept, handling: handling)
    }

    /// Creates a serializer that decodes a `Decodable` value.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the format.
    ///   - handling: The validation of the response, the limit and the preprocessing of its body, and the policy for
    ///     empty bodies. Default nil: the ``ResponseDecoder/handling`` of `decoder`.
    public init(decoder: some ResponseDecoder, handling: BodyHandling? = nil) where Value: Decodable {
        self.init(
            DecodedFormat(decoder: decoder), accept: decoder.accept, handling: handling ?? decoder.handling)
    }

    package init(_ format: any BodyFormat<Value>, accept: String? = nil, handling: BodyHandling = BodyHandling()) {
        self.accept = accept
        self.handling = handling
        self.format = format
    }

    /// Validates the response, collects its body and converts it.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus`` and
    ///   ``SockeyeError/Code-swift.struct/unacceptableContentType`` (see ``IncomingResponse/Validation``), and
    ///   ``SockeyeError/Code-swift.struct/decodingFailed``, each with the response as evidence.
    ///   ``SockeyeError/Code-swift.struct/limitExceeded`` if the body exceeds the limit. Errors of reading the body
    ///   are passed on.
    public func value(of response: IncomingResponse) async throws(SockeyeError) -> Value {
        try await format.value(of: response, handling)
    }

    /// Converts a body that a `.compound` has collected.
    func value(fromCollected body: Bytes, of response: IncomingResponse) throws(SockeyeError) -> Value {
        try format.value(fromCollected: body, handling, of: response)
    }
}

/// The format of a caller's closure.
private struct ClosureFormat<Value>: BodyFormat {
    let make: @Sendable (Bytes, IncomingResponse) throws -> Value

    func value(from body: Bytes, _: BodyHandling, of response: IncomingResponse) throws -> Value {
        try make(body, response)
    }
}
