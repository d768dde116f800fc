public import SockeyeEngine

/// None of the serializers of a ``CompoundResponseSerializer`` made a value.
public struct CompoundFailure: Error, Sendable, CustomStringConvertible {
    /// What each of them threw, in their order.
    public let errors: [SockeyeError]

    /// The codes of the errors.
    public var description: String {
        "no serializer made a value: \(errors.map(\.code.description).joined(separator: ", "))"
    }
}
