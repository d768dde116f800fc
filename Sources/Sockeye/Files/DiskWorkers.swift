import SockeyeTransport

/// Threads for what may keep the disk busy for seconds: writing everything out, reading a whole file.
enum DiskWorkers {
    private static let shared = BlockingWorkers(
        name: "sockeye-disk", threads: 2, queueLimit: 1024, idleTime: .seconds(10))

    /// Runs `work` on one of them. Cancellation returns at once and leaves work that has begun to itself, so it must own
    /// what it works on.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileFailure) -> Value {
        let result: Result<Value, FileError>
        do throws(BlockingRefusal) {
            result = try await shared.run { Result(catching: work) }
        } catch .cancelled {
            throw .cancelled
        } catch {
            // No thread is to be had. Holding up this one is better than failing.
            result = Result(catching: work)
        }
        do throws(FileError) { return try result.get() } catch { throw .system(error) }
    }
}
