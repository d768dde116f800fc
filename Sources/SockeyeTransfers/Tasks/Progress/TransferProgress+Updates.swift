import SockeyeCore

/// The progress of a transfer at a point in time.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes transferred. Upload: bytes that the kernel has accepted. Response: bytes of the decoded
    /// content. Download of a file: bytes in the file, including those of earlier attempts.
    public var completed: Int
    /// The total number of bytes; nil if unknown, as for chunked or encoded content.
    public var total: Int?
    /// The recent rate in bytes per second; nil at first. Does not include the bytes of an earlier download that this
    /// transfer resumes, although ``completed`` counts them.
    public var throughput: Double?
    /// The position at which a download was last resumed: the bytes before it come from earlier connections or tasks.
    /// Nil if all bytes come from one connection. The counterpart of AFNetworking's `didResumeAtOffset`.
    public var resumedAt: Int?

    /// Creates a progress value.
    public init(completed: Int = 0, total: Int? = nil, throughput: Double? = nil, resumedAt: Int? = nil) {
        self.completed = completed
        self.total = total
        self.throughput = throughput
        self.resumedAt = resumedAt
    }

    /// The completed fraction from 0 to 1; nil if the total is unknown. It is 1 if the total is 0.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(completed) / Double(total)) : 1
    }

    /// The estimated time for the rest at the current rate; nil if unknown.
    public var remaining: Duration? {
        guard let total, let throughput, throughput > 0 else { return nil }
        return .seconds(min(Double(max(0, total.subtractingSaturated(completed))) / throughput, 1e9))
    }
}

extension TransferProgress {
    /// The progress of a transfer as a sequence: always the latest value, at most one every 100 ms, and the final value
    /// as soon as the transfer ends.
    ///
    /// Any number of tasks may iterate. Values are not queued, so a slow reader misses values in between. Cancelling
    /// the iterating task ends its iteration, not the transfer.
    public struct Updates: AsyncSequence, Sendable {
        /// The progress at a point in time.
        public typealias Element = TransferProgress
        /// Iterating never throws. The ``TransferTask`` reports the outcome of the transfer.
        public typealias Failure = Never

        private let channel: ProgressChannel

        package init(_ channel: ProgressChannel) {
            self.channel = channel
        }

        /// The current value.
        public var current: TransferProgress { channel.current }

        /// Returns an iterator that starts with the current value.
        public func makeAsyncIterator() -> Iterator { Iterator(channel) }

        /// Iterates over the progress values.
        public struct Iterator: AsyncIteratorProtocol {
            private let channel: ProgressChannel
            private var last: ProgressChannel.Snapshot?

            private static let pace = Duration.milliseconds(100)

            fileprivate init(_ channel: ProgressChannel) {
                self.channel = channel
            }

            /// Returns the current value at the first call, and a newer value at each later call. Returns nil after the
            /// final value, or if the iterating task is cancelled.
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

            /// Returns the current value at the first call, and a newer value at each later call. Returns nil after the
            /// final value, or if the iterating task is cancelled.
            public mutating func next() async -> TransferProgress? {
                await next(isolation: #isolation)
            }
        }
    }
}
