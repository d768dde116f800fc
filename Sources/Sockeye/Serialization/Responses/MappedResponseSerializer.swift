public import SockeyeEngine

/// A serializer that goes on from another one's value; see ``BodyResponseSerializer/map(_:)``.
public struct MappedResponseSerializer<Base: BodyResponseSerializer, Value>: BodyResponseSerializer {
    private var base: Base
    private let transform: @Sendable (Base.Value) throws -> Value

    init(_ base: Base, transform: @escaping @Sendable (Base.Value) throws -> Value) {
        self.base = base
        self.transform = transform
    }

    /// The base's.
    public var accept: String? { base.accept }

    /// The base's.
    public var handling: BodyHandling {
        get { base.handling }
        set { base.handling = newValue }
    }

    /// Makes the base's value and transforms it.
    public func value(from body: Bytes, of response: Response) throws -> Value {
        try transform(base.valueIfAny(from: body, base.handling, of: response))
    }
}
