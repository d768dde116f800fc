public import SockeyeCore
public import SockeyeEngine

/// Makes a value of a whole body: validates the response, collects the body up to a limit and reads it in some format.
///
/// `.bytes`, `.data`, `.text`, `.json`, `.json(User.self)` and `.compound(…)` are such serializers. A format of your own is a
/// closure:
///
/// ```swift
/// extension ResponseSerializer where Self == BodySerializer<[[Substring]]> {
///     static var csv: Self {
///         BodySerializer(accept: "text/csv", handling: BodyHandling(contentTypes: ["text/csv"])) { body, _ in
///             String(decoding: body, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ",") }
///         }
///     }
/// }
/// ```
public struct BodySerializer<Value>: ResponseSerializer {
    /// The request's Accept field unless call or scope have one; nil for none.
    public let accept: String?
    /// Validation, limit, preprocessing and empty bodies.
    public var handling: BodyHandling
    package let format: any BodyFormat<Value>

    /// Makes a serializer of a closure.
    ///
    /// - Parameters:
    ///   - accept: The request's Accept field; nil, the default, for none.
    ///   - handling: Validation, limit, preprocessing and empty bodies. Default: accepts 2xx of any type, at most 16 MiB.
    ///   - make: Makes the value of the whole body of a validated response; the response is passed for its head. It gets an
    ///     empty body unless the value is ``NoContent/Representable``. Whatever it throws ends the call, with
    ///     ``SockeyeError/Code-swift.struct/decodingFailed`` unless it is a ``SockeyeError``; the message has its description.
    public init(
        accept: String? = nil, handling: BodyHandling = BodyHandling(),
        _ make: @escaping @Sendable (Bytes, IncomingResponse) throws -> Value
    ) {
        self.init(ClosureFormat(make: make), accept: accept, handling: handling)
    }

    /// Makes a serializer that decodes a `Decodable` value.
    ///
    /// - Parameters:
    ///   - decoder: What reads the format.
    ///   - handling: Validation, limit, preprocessing and empty bodies; nil, the default, for the decoder's.
    public init(decoder: some ResponseDecoder, handling: BodyHandling? = nil) where Value: Decodable {
        self.init(
            DecodedFormat(decoder: decoder), accept: decoder.accept, handling: handling ?? decoder.handling)
    }

    package init(_ format: any BodyFormat<Value>, accept: String? = nil, handling: BodyHandling = BodyHandling()) {
        self.accept = accept
        self.handling = handling
        self.format = format
    }

    /// Validates the response, collects its body and makes the value.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus`` and
    ///   ``SockeyeError/Code-swift.struct/unacceptableContentType`` (see ``IncomingResponse/Validation``),
    ///   ``SockeyeError/Code-swift.struct/decodingFailed``, each with the response as evidence, and
    ///   ``SockeyeError/Code-swift.struct/limitExceeded`` past the limit, and what reading throws.
    public func value(of response: IncomingResponse) async throws(SockeyeError) -> Value {
        try await format.value(of: response, handling)
    }

    /// The value of a response whose body was collected by a `.compound`.
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
