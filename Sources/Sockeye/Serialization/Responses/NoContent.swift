/// The value of a response whose content does not matter.
///
/// ```swift
/// try await api.delete("items/1", as: NoContent.self)   // 2xx, or an error that has the response
/// ```
public struct NoContent: Sendable, Hashable, Decodable {
    /// A type that has a value for "the response had no content".
    ///
    /// `Optional` does (nil), ``NoContent`` does, and yours may; see ``BodyHandling/EmptyBodyPolicy``.
    ///
    /// No minor version adds a requirement; see <doc:Stability>.
    public protocol Representable {
        /// The value of an empty body.
        static var emptyBody: Self { get }
    }

    /// Makes the only value.
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
