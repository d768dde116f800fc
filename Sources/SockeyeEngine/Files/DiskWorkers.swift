import SockeyeNet
import Synchronization

/// Threads for what may keep a disk busy for seconds: a cold or distant one must not hold up the threads of the cooperative
/// pool, on which all tasks of the process run. Each file system has some of its own, so that one that hangs does not hold
/// up the others either.
package struct DiskWorkers: Sendable {
    private let workers: ThreadPool

    /// For what is done before there is a file: opening one, above all.
    package static let opening = DiskWorkers()

    private static let known = Mutex<[UInt64: DiskWorkers]>([:])
    /// Numbers of file systems come and go with their mounts.
    private static let mostKnown = 256

    private init() {
        // All that waits belongs to a transfer that waits for it, so the queue is as long as there are transfers.
        workers = ThreadPool(name: "sockeye-disk", threads: 8, queueLimit: 1 << 20, idleTime: .seconds(10))
    }

    /// Those of a file system, by the number of its device.
    package static func of(_ device: UInt64) -> DiskWorkers {
        known.withLock { known in
            if let found = known[device] { return found }
            guard known.count < mostKnown else { return opening }
            let new = DiskWorkers()
            known[device] = new
            return new
        }
    }

    /// Runs `work` on one of them. Cancellation returns at once and leaves work that has begun to itself, so it must own
    /// what it works on.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileFailure) -> Value {
        try await run(isAbandoned: true, work)
    }

    /// As ``run(_:)`` for work whose outcome has to be known, such as giving a file its name: cancellation withdraws it as
    /// long as it has not begun, and waits for it then.
    package func runToEnd<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileFailure) -> Value {
        try await run(isAbandoned: false, work)
    }

    private func run<Value: Sendable>(
        isAbandoned: Bool, _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileFailure) -> Value {
        let result: Result<Value, FileError>
        do throws(ThreadPoolRejection) {
            result = try await workers.run(isAbandoned: isAbandoned) { Result(catching: work) }
        } catch .cancelled {
            throw .cancelled
        } catch {
            // No thread is to be had. Holding up this one is better than failing.
            result = Result(catching: work)
        }
        do throws(FileError) { return try result.get() } catch { throw .system(error) }
    }

    /// Has one of them do `work`, soon, and returns at once.
    package func begin(_ work: @escaping @Sendable () -> Void) {
        if workers.begin(work) != nil { work() }
    }
}
