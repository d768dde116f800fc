public import SockeyeCore
public import SockeyeEngine

/// Makes a value of a whole body by a closure: a format of one's own without a type of its own, and what
/// ``BodyResponseSerializer/map(_:)`` returns.
///
/// ```swift
/// extension ResponseSerializer where Self == BodySerializer<Reply> {
///     static var protobuf: Self {
///         BodySerializer(accept: "application/protobuf") { body, _ in try Reply(serializedBytes: Data(body)) }
///     }
/// }
/// ```
public struct BodySerializer<Value>: BodyResponseSerializer {
    /// What the request says in Accept unless it has that field; nil for nothing.
    public let accept: String?
    /// What is done with the body before.
    public var handling: BodyHandling
    private let make: @Sendable (Bytes, BodyHandling, IncomingResponse) throws -> Value

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
        self.accept = accept
        self.handling = handling
        self.make = { body, _, response in try make(body, response) }
    }

    /// A serializer that goes on from another one's value.
    init<Base: BodyResponseSerializer>(_ base: Base, transform: @escaping @Sendable (Base.Value) throws -> Value) {
        accept = base.accept
        handling = base.handling
        make = { body, handling, response in
            var base = base
            base.handling = handling
            return try transform(base.valueIfAny(from: body, handling, of: response))
        }
    }

    /// Calls the closure.
    public func value(from body: Bytes, of response: IncomingResponse) throws -> Value {
        try make(body, handling, response)
    }
}
