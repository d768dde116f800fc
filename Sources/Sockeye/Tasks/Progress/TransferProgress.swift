/// How far a transfer has come.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes that moved: of an upload those that the system took, of a download those of the content as the caller gets it,
    /// decoded; of a file those that are in it, earlier ones that it goes on behind included.
    public var completed: Int
    /// Bytes that are to move; nil where nobody knows, as for chunked and coded content.
    public var total: Int?
    /// Bytes a second, of the recent past; nil before there was any. What was there before the transfer does not count.
    public var throughput: Double?

    /// Makes a snapshot.
    public init(completed: Int = 0, total: Int? = nil, throughput: Double? = nil) {
        self.completed = completed
        self.total = total
        self.throughput = throughput
    }

    /// From 0 to 1; nil where the total is unknown. Nothing at all is complete at once.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(completed) / Double(total)) : 1
    }

    /// How long the rest will take at this pace; nil where that cannot be said.
    public var remaining: Duration? {
        guard let total, let throughput, throughput > 0 else { return nil }
        return .seconds(min(Double(max(0, total - completed)) / throughput, 1e9))
    }
}
