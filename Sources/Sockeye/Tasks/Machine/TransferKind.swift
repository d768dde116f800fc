/// What a task is for. Clients list their tasks by kind, as AFNetworking's session managers do.
public enum TransferKind: String, Sendable, Hashable, CaseIterable {
    /// A call whose response becomes a value.
    case data
    /// A call whose point is the content that it sends.
    case upload
    /// A call whose response becomes a file.
    case download
}
