public import FoundationEssentials
public import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// Makes a value of a whole body: the library's formats that decode no type of the caller's, or a closure.
///
/// `.bytes`, `.data`, `.text`, `.json` and `.compound(…)` are such serializers, and so is what
/// ``BodyResponseSerializer/map(_:)`` returns. A format of one's own needs no type of its own:
///
/// ```swift
/// extension ResponseSerializer where Self == BodySerializer<Reply> {
///     static var protobuf: Self {
///         BodySerializer(accept: "application/protobuf") { body, _ in try Reply(serializedBytes: Data(body)) }
///     }
/// }
/// ```
public struct BodySerializer<Value>: BodyResponseSerializer {
    package typealias Make = @Sendable (Bytes, BodyHandling, IncomingResponse) throws -> Value

    /// The kind of serializer, for archives, which cannot hold a closure.
    package enum Format: Sendable {
        case closure
        case verbatim
        case text(fallbackCharset: String)
        case json(JSONValue.ReadingOptions, removesNulls: Bool)
        case compound([any BodyResponseSerializer<Value>])
    }

    /// What the request says in Accept unless it has that field; nil for nothing.
    public let accept: String?
    /// What is done with the body before.
    public var handling: BodyHandling
    package let format: Format
    private let make: Make

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - accept: What the request says in Accept; nil, the default, for nothing.
    ///   - handling: What is done with the body before. Default: accepts 2xx of any type, at most 16 MiB.
    ///   - make: See ``BodyResponseSerializer/value(from:of:)``.
    public init(
        accept: String? = nil, handling: BodyHandling = BodyHandling(),
        _ make: @escaping @Sendable (Bytes, IncomingResponse) throws -> Value
    ) {
        self.init(.closure, accept: accept, handling: handling) { body, _, response in try make(body, response) }
    }

    init(
        _ format: Format, accept: String? = nil, handling: BodyHandling = BodyHandling(), _ make: @escaping Make
    ) {
        self.accept = accept
        self.handling = handling
        self.format = format
        self.make = make
    }

    /// A serializer that goes on from another one's value.
    init<Base: BodyResponseSerializer>(_ base: Base, transform: @escaping @Sendable (Base.Value) throws -> Value) {
        self.init(.closure, accept: base.accept, handling: base.handling) { body, handling, response in
            var base = base
            base.handling = handling
            return try transform(base.valueIfAny(from: body, handling, of: response))
        }
    }

    /// Calls the closure. An empty body that the policy does not accept is an error, also if the closure could make a value of it.
    public func value(from body: Bytes, of response: IncomingResponse) throws -> Value {
        if body.isEmpty, decidesAboutEmptiness, !handling.emptyBody.accepts(response) { throw EmptyBody() }
        return try make(body, handling, response)
    }

    /// Whether an empty body is this serializer's to refuse: of a compound each serializer decides for itself.
    private var decidesAboutEmptiness: Bool { if case .compound = format { false } else { true } }
}

/// The body is empty, and the ``BodyHandling/EmptyBodyPolicy`` refuses that.
private struct EmptyBody: Error {}

extension ResponseSerializer where Self == BodySerializer<Bytes> {
    /// The body as ``Bytes``, as it is and without a copy. Accepts 2xx of any type.
    public static var bytes: Self { BodySerializer(.verbatim) { body, _, _ in body } }
}

extension ResponseSerializer where Self == BodySerializer<Data> {
    /// The body in Foundation's `Data`, copied. Accepts 2xx of any type. The counterpart of `AFHTTPResponseSerializer`.
    public static var data: Self { BodySerializer(.verbatim) { body, _, _ in Data(body) } }
}

extension ResponseSerializer where Self == BodySerializer<String> {
    /// The body as text, in the charset of a byte order mark, else of Content-Type, else UTF-8.
    ///
    /// Accepts 2xx of any type. Bytes that are not valid in the charset become U+FFFD; a charset that nobody knows is
    /// ``SockeyeError/Code-swift.struct/decodingFailed``. The counterpart of AFNetworking 2's `responseString`.
    public static var text: Self { .text(fallbackCharset: "utf-8") }

    /// The body as text, in this charset where it names none itself.
    ///
    /// - Parameter fallbackCharset: A label as in Content-Type.
    public static func text(fallbackCharset: String) -> Self {
        BodySerializer(.text(fallbackCharset: fallbackCharset)) { body, _, response in
            try response.text(of: body, fallbackCharset: fallbackCharset)
        }
    }
}

extension ResponseSerializer where Self == BodySerializer<JSONValue> {
    /// JSON as it is, whatever its shape. The counterpart of `AFJSONResponseSerializer`.
    ///
    /// Accepts 2xx with the types of ``JSONResponseDecoder/contentTypes``, and everything that RFC 8259 has; of equal keys the
    /// last counts. An empty body and a lone space are `null`.
    public static var json: Self { .json(options: JSONValue.ReadingOptions()) }

    /// JSON as it is.
    ///
    /// - Parameters:
    ///   - options: What is accepted as JSON.
    ///   - removingNulls: Whether members of objects and elements of arrays that are `null` are left out, as with
    ///     `removesKeysWithNullValues` of AFNetworking 4. Default false.
    public static func json(options: JSONValue.ReadingOptions, removingNulls: Bool = false) -> Self {
        BodySerializer(
            .json(options, removesNulls: removingNulls), accept: "application/json",
            handling: JSONResponseDecoder.handling
        ) { body, _, response in
            do throws(JSONError) {
                let value = try JSONValue(parsing: body, options: options)
                return removingNulls ? value.removingNulls() : value
            } catch {
                throw response.decodingFailure(error, body: body, excerpt: error.excerpt.description)
            }
        }
    }

    /// JSON as it is, without the members of objects and the elements of arrays that are `null`.
    public static func json(removingNulls: Bool) -> Self {
        .json(options: JSONValue.ReadingOptions(), removingNulls: removingNulls)
    }
}

extension JSONValue: EmptyBodyRepresentable {
    /// `null`.
    public static var emptyBody: JSONValue { .null }
}
