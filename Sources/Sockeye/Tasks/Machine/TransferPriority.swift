/// Which of the tasks that wait goes first. The counterpart of `NSURLSessionTask.priority`.
///
/// It orders tasks of one client that wait for their turn (``ClientConfiguration/runningTasks``); among equals the one
/// that was made first goes first.
public struct TransferPriority: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral {
    /// From 0, the last, to 1, the first.
    public let value: Double

    /// Makes a priority; values outside of 0…1 become the nearest of those.
    public init(_ value: Double) {
        self.value = min(1, max(0, value))
    }

    /// Makes a priority from a literal.
    public init(floatLiteral value: Double) {
        self.init(value)
    }

    /// 0.25.
    public static let low: TransferPriority = 0.25
    /// 0.5.
    public static let standard: TransferPriority = 0.5
    /// 0.75.
    public static let high: TransferPriority = 0.75

    /// Whether `left` goes later.
    public static func < (left: TransferPriority, right: TransferPriority) -> Bool {
        left.value < right.value
    }
}
