import Foundation
import SockeyeCore

/// A stream of Foundation's and the threads that may block on it. What such a stream does when it is asked for bytes is its
/// own affair, and may take for ever, which threads of Swift's concurrency pool must not.
///
/// One task uses it, one call at a time. A call that a cancelled task has left goes on by itself, and the stream is closed
/// after it, with the last reference.
// `@unchecked Sendable`: the stream is touched by one call at a time, since the task waits for each, and by nobody after a
// cancellation but the call that was left and, once that has returned, the deinitializer.
final class BlockingStream<Base: Stream>: @unchecked Sendable {
    private let base: Base
    private let closes: Bool

    /// Enough for whoever has many streams that hang; further ones wait for their turn.
    private static var threads: ThreadPool { StreamThreads.pool }

    /// - Parameter closes: Whether the stream is closed in the end, where it was opened here.
    init(_ base: Base) {
        self.base = base
        closes = base.streamStatus == .notOpen
    }

    deinit {
        if closes { base.close() }
    }

    /// Calls `work` with the open stream, on a thread. Cancellation returns at once.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (Base) throws(StreamFault) -> Value
    ) async throws -> Value {
        let result: Result<Value, StreamFault>
        do throws(ThreadPoolRejection) {
            result = try await Self.threads.run {
                if self.base.streamStatus == .notOpen { self.base.open() }
                return Result { () throws(StreamFault) in try work(self.base) }
            }
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw StreamFault(description: "no thread is to be had for the stream: \(error)")
        }
        return try result.get()
    }
}

private enum StreamThreads {
    static let pool = ThreadPool(name: "sockeye-stream", threads: 64, queueLimit: 1 << 16, idleTime: .seconds(10))
}

/// What is wrong with a stream that does not say so itself.
struct StreamFault: Error, CustomStringConvertible {
    let description: String

    init(description: String) { self.description = description }

    /// The error of a stream, in words: errors of Foundation cannot be sent between tasks everywhere.
    init(of stream: Stream, _ otherwise: String) {
        description = stream.streamError.map { "\(otherwise): \($0)" } ?? otherwise
    }
}
