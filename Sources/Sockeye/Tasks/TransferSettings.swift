/// How a task stands among others.
public struct TransferSettings: Sendable {
    /// Which of the tasks that wait goes first. Default ``TransferPriority/standard``.
    public var priority = TransferPriority.standard
    /// The tasks that have to end before this one begins, whatever comes of them (as dependencies of `NSOperation`), by
    /// ``TransferTask/id``. Default none.
    public var dependencies: [UInt64] = []
    /// Whatever the caller wants to know again. Default nothing.
    public var userInfo: [String: any Sendable] = [:]

    /// Makes settings out of the defaults named at each property.
    public init(
        priority: TransferPriority = .standard, dependencies: [UInt64] = [], userInfo: [String: any Sendable] = [:]
    ) {
        self.priority = priority
        self.dependencies = dependencies
        self.userInfo = userInfo
    }
}
