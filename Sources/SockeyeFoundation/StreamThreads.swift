import Foundation
import SockeyeCore

/// A Foundation stream, used only on threads that may block. Reads and writes of such a stream may block indefinitely,
/// which threads of Swift's concurrency pool must not do.
///
/// One task uses it, one call at a time. If a task is cancelled during a call, the call continues on its thread. The
/// stream is closed after it, with the last reference.
// `@unchecked Sendable`: only one call uses the stream at a time, because the task waits for each. After a
// cancellation, only the abandoned call uses it and then, once it has returned, the deinitializer.
final class BlockingStream<Base: Stream>: @unchecked Sendable {
    private let base: Base
    private let closes: Bool

    /// The threads for all streams. They suffice for many blocked streams; further calls wait in a queue.
    private static var threads: ThreadPool { StreamThreads.pool }

    /// Wraps a stream, which is closed at the end if it is not open yet.
    init(_ base: Base) {
        self.base = base
        closes = base.streamStatus == .notOpen
    }

    deinit {
        if closes { base.close() }
    }

    /// Opens the stream if necessary and calls `work` with it on a thread. Returns at once if the task is cancelled.
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

    /// Makes an error from the stream's own error, as text, because Foundation's errors are not `Sendable` everywhere.
    init(of stream: Stream, _ otherwise: String) {
        description = stream.streamError.map { "\(otherwise): \($0)" } ?? otherwise
    }
}
