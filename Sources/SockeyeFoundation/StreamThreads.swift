import Foundation
import SockeyeCore

/// A Foundation stream, used only on threads that may block. Its reads and writes may block indefinitely, and a thread
/// of Swift's concurrency pool must not block.
///
/// One task uses it, one call at a time. If the task is cancelled during a call, the call continues on its thread. That
/// call retains this object, so the stream is not closed before the call returns.
// `@unchecked Sendable`: only one call uses the stream at a time, because the task waits for each call. After a
// cancellation, only the abandoned call uses the stream, and after that call only the deinitializer.
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
