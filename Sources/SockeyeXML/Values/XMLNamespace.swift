/// A namespace that an element declares for itself and what is in it, with `xmlns` or `xmlns:prefix`.
public struct XMLNamespace: Sendable, Hashable {
    /// The prefix; nil for the namespace of names that have none.
    public let prefix: String?
    /// The URI; empty where `xmlns=""` takes the namespace away again.
    public let uri: String

    package init(prefix: String?, uri: String) {
        self.prefix = prefix
        self.uri = uri
    }
}
