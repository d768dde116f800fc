import SockeyeTransport

/// Threads for what may keep the disk busy for seconds: a cold or distant disk must not hold up the threads of the
/// cooperative pool, on which all tasks of the process run.
enum DiskWorkers {
    // More threads than a disk has heads: one that hangs must not hold up the others. All that waits belongs to a transfer
    // that waits for it, so the queue is as long as there are transfers.
    private static let shared = BlockingWorkers(
        name: "sockeye-disk", threads: 8, queueLimit: 1 << 20, idleTime: .seconds(10))

    /// Runs `work` on one of them. Cancellation returns at once and leaves work that has begun to itself, so it must own
    /// what it works on.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileFailure) -> Value {
        try await run(isAbandoned: true, work)
    }

    /// As ``run(_:)`` for work whose outcome has to be known, such as giving a file its name: cancellation withdraws it as
    /// long as it has not begun, and waits for it then.
    static func runToEnd<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileFailure) -> Value {
        try await run(isAbandoned: false, work)
    }

    private static func run<Value: Sendable>(
        isAbandoned: Bool, _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileFailure) -> Value {
        let result: Result<Value, FileError>
        do throws(BlockingRefusal) {
            result = try await shared.run(isAbandoned: isAbandoned) { Result(catching: work) }
        } catch .cancelled {
            throw .cancelled
        } catch {
            // No thread is to be had. Holding up this one is better than failing.
            result = Result(catching: work)
        }
        do throws(FileError) { return try result.get() } catch { throw .system(error) }
    }

    /// Has one of them do `work`, soon, and returns at once.
    static func begin(_ work: @escaping @Sendable () -> Void) {
        if shared.begin(work) != nil { work() }
    }
}
