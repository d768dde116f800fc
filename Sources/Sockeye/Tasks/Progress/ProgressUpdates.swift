/// The progress of a transfer, as it goes: the latest value each time one is asked for, at most every 100 ms, and the
/// last one as soon as the transfer ends.
///
/// Any number of tasks may iterate. Whoever is slow misses values in between, and nothing is ever queued. Cancelling the
/// iterating task ends its iteration, not the transfer.
public struct ProgressUpdates: AsyncSequence, Sendable {
    /// How far the transfer has come.
    public typealias Element = TransferProgress
    /// Iterating never throws; how the transfer ended is told by the task.
    public typealias Failure = Never

    private let board: ProgressBoard

    package init(_ board: ProgressBoard) {
        self.board = board
    }

    /// The latest value, now.
    public var current: TransferProgress { board.current }

    /// Starts with the present value.
    public func makeAsyncIterator() -> Iterator { Iterator(board) }

    /// Reads the progress, value by value.
    public struct Iterator: AsyncIteratorProtocol {
        private let board: ProgressBoard
        private var last: ProgressBoard.Snapshot?

        private static let pace = Duration.milliseconds(100)

        fileprivate init(_ board: ProgressBoard) {
            self.board = board
        }

        /// The next value that differs from the one before; nil after that of the end, or once the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> TransferProgress? {
            if let last {
                if last.hasEnded { return nil }
                await board.waitForChange(since: last, resting: Self.pace)
            }
            guard !Task.isCancelled else { return nil }
            let snapshot = board.snapshot()
            last = snapshot
            return snapshot.progress
        }

        /// The next value that differs from the one before; nil after that of the end, or once the task is cancelled.
        public mutating func next() async -> TransferProgress? {
            await next(isolation: #isolation)
        }
    }
}
