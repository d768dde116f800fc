/// The value of a response whose content does not matter.
///
/// ```swift
/// // throws unless the status is 2xx
/// try await api.delete("items/1", as: NoContent.self)
/// ```
///
/// A call with this type accepts content of any type and size, and discards it. A serializer such as
/// `.json(NoContent.self)`, in contrast, checks the content as for any other `Decodable` type.
public struct NoContent: Sendable, Hashable, Decodable {
    /// A type that has a value for an empty body.
    ///
    /// `Optional` (nil) and ``NoContent`` are such types, and your own may be; see ``BodyHandling/EmptyBodyPolicy``.
    ///
    /// No minor version adds a requirement; see <doc:Stability>.
    public protocol Representable {
        /// The value of an empty body.
        static var emptyBody: Self { get }
    }

    /// Creates the only value.
    public init() {}

    /// Reads nothing.
    public init(from decoder: any Decoder) throws {}
}

extension NoContent: NoContent.Representable {
    /// The only value.
    public static var emptyBody: NoContent { NoContent() }
}

extension Optional: NoContent.Representable {
    /// Nil.
    public static var emptyBody: Wrapped? { nil }
}
