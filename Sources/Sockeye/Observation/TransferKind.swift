/// The purpose of a task (`TransferTask` of SockeyeTransfers). Clients list their tasks by kind, as AFNetworking's
/// session managers do.
@nonexhaustive public enum TransferKind: String, Sendable, Hashable, CaseIterable {
    /// A call that makes a value from its response.
    case data
    /// A call with the main purpose of sending content.
    case upload
    /// A call that saves its response to a file.
    case download
}
