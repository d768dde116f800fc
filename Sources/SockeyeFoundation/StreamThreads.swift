import Foundation
import SockeyeCore

/// A Foundation stream, used only on threads that are allowed to block. Reads and writes of the stream can block
/// indefinitely, and a thread of Swift's concurrency pool must not block.
///
/// Only one task may use this object. If the task is cancelled during ``run(_:)``, the closure that was passed to `run`
/// continues on its thread. The closure retains this object, so the stream is not closed before the closure returns.
// `@unchecked Sendable`: only one closure uses the stream at a time, because the task waits for each closure. A
// cancelled task does not wait, but `run` starts no further closure for that task. After the abandoned closure, only
// the deinitializer uses the stream.
final class BlockingStream<Base: Stream>: @unchecked Sendable {
    private let base: Base
    private let closes: Bool

    /// The threads that all streams share, at most 64. If all of them are blocked, further calls wait in a queue.
    private static var threads: ThreadPool { StreamThreads.pool }

    /// Wraps a stream. If the stream is not open yet, the first ``run(_:)`` opens it and the deinitializer closes it.
    init(_ base: Base) {
        self.base = base
        closes = base.streamStatus == .notOpen
    }

    deinit {
        if closes { base.close() }
    }

    /// Opens the stream if necessary, and calls `work` with it on a thread that may block. Throws `CancellationError`
    /// at once if the task is cancelled, without waiting for `work`. Throws ``FoundationStreamError`` if `work` does,
    /// or if no thread can be started or the queue is full.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (Base) throws(FoundationStreamError) -> Value
    ) async throws -> Value {
        let result: Result<Value, FoundationStreamError>
        do throws(ThreadPoolRejection) {
            result = try await Self.threads.run {
                if self.base.streamStatus == .notOpen { self.base.open() }
                return Result { () throws(FoundationStreamError) in try work(self.base) }
            }
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw FoundationStreamError(description: "no thread is available for the stream: \(error)")
        }
        return try result.get()
    }
}

private enum StreamThreads {
    static let pool = ThreadPool(name: "sockeye-stream", threads: 64, queueLimit: 1 << 16, idleTime: .seconds(10))
}

/// An error of a stream, described in words.
struct FoundationStreamError: Error, CustomStringConvertible {
    let description: String

    init(description: String) { self.description = description }

    /// Makes an error from the stream's own error, as text, because Foundation's errors are not `Sendable` on every
    /// platform.
    init(of stream: Stream, _ otherwise: String) {
        description = stream.streamError.map { "\(otherwise): \($0)" } ?? otherwise
    }
}
