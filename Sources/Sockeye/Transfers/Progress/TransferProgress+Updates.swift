import SockeyeCore

/// How far a transfer has come.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes that moved. Upload: bytes that the system took. Download: bytes of the decoded content. Download of a
    /// file: bytes in the file, with those of earlier attempts.
    public var completed: Int
    /// Bytes that are to move; nil if unknown, as for chunked and coded content.
    public var total: Int?
    /// Bytes a second of the recent past; nil at first. Bytes from before the transfer do not count.
    public var throughput: Double?
    /// Download of a file: the position that it went on at last, behind bytes of an earlier connection or an earlier task. Nil
    /// where all is from one. AFNetworking's `didResumeAtOffset`.
    public var resumedAt: Int?

    /// Makes a snapshot.
    public init(completed: Int = 0, total: Int? = nil, throughput: Double? = nil, resumedAt: Int? = nil) {
        self.completed = completed
        self.total = total
        self.throughput = throughput
        self.resumedAt = resumedAt
    }

    /// From 0 to 1; nil where the total is unknown. Nothing at all is complete at once.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(completed) / Double(total)) : 1
    }

    /// How long the rest will take at this pace; nil where that cannot be said.
    public var remaining: Duration? {
        guard let total, let throughput, throughput > 0 else { return nil }
        return .seconds(min(Double(max(0, total.subtractingSaturated(completed))) / throughput, 1e9))
    }
}

extension TransferProgress {
    /// The progress of a transfer, as it goes: the latest value each time one is asked for, at most every 100 ms, and the
    /// last one as soon as the transfer ends.
    ///
    /// Any number of tasks may iterate. Whoever is slow misses values in between, and nothing is ever queued. Cancelling the
    /// iterating task ends its iteration, not the transfer.
    public struct Updates: AsyncSequence, Sendable {
        /// How far the transfer has come.
        public typealias Element = TransferProgress
        /// Iterating never throws; how the transfer ended is told by the task.
        public typealias Failure = Never

        private let channel: ProgressChannel

        package init(_ channel: ProgressChannel) {
            self.channel = channel
        }

        /// The latest value, now.
        public var current: TransferProgress { channel.current }

        /// Starts with the present value.
        public func makeAsyncIterator() -> Iterator { Iterator(channel) }

        /// Reads the progress, value by value.
        public struct Iterator: AsyncIteratorProtocol {
            private let channel: ProgressChannel
            private var last: ProgressChannel.Snapshot?

            private static let pace = Duration.milliseconds(100)

            fileprivate init(_ channel: ProgressChannel) {
                self.channel = channel
            }

            /// The next value that differs from the one before; nil after that of the end, or once the task is cancelled.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async -> TransferProgress? {
                if let last {
                    if last.hasEnded { return nil }
                    await channel.waitForChange(since: last, resting: Self.pace)
                }
                guard !Task.isCancelled else { return nil }
                let snapshot = channel.snapshot()
                last = snapshot
                return snapshot.progress
            }

            /// The next value that differs from the one before; nil after that of the end, or once the task is cancelled.
            public mutating func next() async -> TransferProgress? {
                await next(isolation: #isolation)
            }
        }
    }
}
