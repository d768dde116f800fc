import SockeyeCore
import SockeyeNet
import Synchronization

/// Threads for file operations, which may take seconds. A cold or remote disk must not block the threads of the
/// cooperative pool, on which all tasks of the process run. Each file system has threads of its own, so that a file
/// system that hangs does not delay operations on open files of the others.
package struct DiskThreadPool: Sendable {
    private let workers: ThreadPool
    /// The threads that remove files. They are separate, so that a removal need not wait for reads and writes of a disk
    /// that hangs.
    private let removers: ThreadPool

    /// The threads for operations without an open file, mainly for opening files: the file system of a file is known
    /// only once the file is open. All file systems share these threads.
    package static let opening = DiskThreadPool()

    private static let known = Mutex<[UInt64: DiskThreadPool]>([:])
    /// The maximum number of file systems with threads of their own. There is a limit because each mount may have a new
    /// device number, and ``known`` keeps all numbers. Further file systems share ``opening``.
    private static let mostKnown = 256

    private init() {
        // The limit of the queue can be this high: nearly every queued operation belongs to a transfer that waits for
        // it, so the number of transfers bounds the length of the queue.
        workers = ThreadPool(name: "sockeye-disk", threads: 8, queueLimit: 1 << 20, idleTime: .seconds(10))
        removers = ThreadPool(name: "sockeye-disk", threads: 2, queueLimit: 1 << 20, idleTime: .seconds(10))
    }

    /// Returns the threads of a file system, by its device number.
    package static func of(_ device: UInt64) -> DiskThreadPool {
        known.withLock { known in
            if let found = known[device] { return found }
            guard known.count < mostKnown else { return opening }
            let new = DiskThreadPool()
            known[device] = new
            return new
        }
    }

    /// Runs `work` on one of the threads. If the task is cancelled, throws at once. Work that has begun continues, so
    /// it must own the data that it uses.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileFailure) -> Value {
        try await run(isAbandoned: true, work)
    }

    /// Like ``run(_:)``, for work with an outcome that must be known, such as renaming a file. If the task is
    /// cancelled, work that has not begun is withdrawn. If the work has begun, this method waits for its end.
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
            // No thread is available. Blocking the current one is better than failing.
            result = Result(catching: work)
        }
        do throws(FileError) { return try result.get() } catch { throw .system(error) }
    }

    /// Starts `work` on one of the threads and returns at once. If no thread is available, runs it on the current
    /// thread.
    package func begin(_ work: @escaping @Sendable () -> Void) {
        if workers.begin(work) != nil { work() }
    }

    // MARK: Removing files

    /// The time for which ``remove(_:)`` waits for the disk, and the time for which it waits after a cancellation.
    private static let (patience, grace) = (Duration.seconds(30), Duration.seconds(1))

    /// Runs `removal` even if the task is cancelled, and waits for its end. If the disk hangs, this method returns
    /// after 30 seconds, or one second after the task is cancelled, and `removal` continues.
    package func remove(_ removal: @escaping @Sendable () -> Void) async {
        let operation = InFlightOperation<Void, Never>()
        beginRemoval {
            removal()
            operation.finish(.success(()))
        }
        guard let poller = try? EventPoller.shared() else { return }
        let wait = { @Sendable (limit: Duration) async throws(TransportError) in
            _ = try await operation.outcome(until: poller.time.now.advanced(by: limit), poller: poller)
        }
        do throws(TransportError) {
            try await wait(Self.patience)
        } catch .cancelled {
            // In another task, because a cancelled task cannot wait.
            await Task { try? await wait(Self.grace) }.value
        } catch {}
    }

    /// Starts `removal` and returns at once. If no thread is available, runs it on the current thread.
    package func beginRemoval(_ removal: @escaping @Sendable () -> Void) {
        if removers.begin(removal) != nil { removal() }
    }
}
