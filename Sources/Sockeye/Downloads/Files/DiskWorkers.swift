import SockeyeTransport

/// Threads for what may keep the disk busy for seconds: writing everything out, reading a whole file.
enum DiskWorkers {
    private static let shared = BlockingWorkers(
        name: "sockeye-disk", threads: 2, queueLimit: 1024, idleTime: .seconds(10))

    /// Runs `work` on one of them. Cancellation returns at once and leaves work that has begun to itself, so it must own
    /// what it works on.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws(SockeyeError) -> Value {
        do throws(BlockingRefusal) {
            return try await shared.run(work)
        } catch .cancelled {
            throw SockeyeError(TransportError.cancelled, phase: .body)
        } catch {
            // No thread is to be had. Holding up this one is better than failing.
            return work()
        }
    }
}
