import Sockeye
import SockeyeEssentials
import SockeyeTesting

/// The resources that the process holds while it is idle.
struct ProcessResources: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    let heap: Int

    var description: String { "\(descriptors) descriptors, \(threads) threads, \(heap >> 10) KiB of heap" }

    /// Waits until the client is idle, closes idle connections, and counts the resources.
    static func settled(_ client: HTTPClient) async throws -> ProcessResources {
        let end = ContinuousClock.now + .seconds(20)
        while let pool = client.pool?.statistics, pool.leased + pool.dialling + pool.waiting > 0 {
            guard ContinuousClock.now < end else { throw UnmetCondition("a pool at rest, not \(pool)") }
            try await Task.sleep(for: .milliseconds(5))
        }
        await client.pool?.closeIdle()
        // The tasks of the servers then close their ends of the connections.
        var last = ProcessResources.current
        var quiet = 0
        while quiet < 50, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
            let now = ProcessResources.current
            quiet = now.descriptors == last.descriptors ? quiet + 1 : 0
            last = now
        }
        return last
    }

    private static var current: ProcessResources {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count ?? 0
        return ProcessResources(descriptors: DescriptorCount.current(), threads: threads, heap: HeapUsage.current())
    }

    /// - Parameter count: The number of exchanges since `before`. The heap may grow by 800 bytes for each, at least by
    ///   1 MiB and at most by 4 MiB.
    func compare(with before: ProcessResources, after count: Int) throws {
        guard descriptors <= before.descriptors else { throw UnmetCondition("no more descriptors than before") }
        // The runtime and the resolver start and end threads as needed.
        guard threads <= before.threads + 8 else { throw UnmetCondition("no more threads than before") }
        guard heap < before.heap + min(4 << 20, max(1 << 20, count * 800)) else {
            throw UnmetCondition("no more heap than before")
        }
    }
}
