/// The value of a response whose content does not matter.
///
/// ```swift
/// try await api.delete("items/1", as: NoContent.self)   // 2xx, or an error that has the response
/// ```
public struct NoContent: Sendable, Hashable, Decodable, EmptyBodyRepresentable {
    /// Makes the only value.
    public init() {}

    /// Reads nothing.
    public init(from decoder: any Decoder) throws {}

    /// The only value.
    public static var emptyBody: NoContent { NoContent() }
}
