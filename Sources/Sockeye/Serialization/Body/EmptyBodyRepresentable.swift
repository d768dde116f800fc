/// A type that has a value for "the response had no content".
///
/// `Optional` does (nil), ``NoContent`` does, and yours may; see ``BodyHandling/EmptyBodyPolicy``.
public protocol EmptyBodyRepresentable {
    /// What an empty body means.
    static var emptyBody: Self { get }
}

extension Optional: EmptyBodyRepresentable {
    /// Nil.
    public static var emptyBody: Wrapped? { nil }
}
