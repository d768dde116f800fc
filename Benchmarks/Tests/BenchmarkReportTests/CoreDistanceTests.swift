import CKernelWork
import Foundation
import Testing

@Suite struct CoreDistanceTests {
    @Test(
        "The distance of cores is plausible or unknown, and measuring it keeps the thread's allowed cores")
    func distance() throws {
        let allowed = try allowedCores()
        var distance = -1.0
        #expect(bench_core_distance(&distance) == 0)
        #expect(distance == 0 || (1...100_000).contains(distance))
        #expect(try allowedCores() == allowed)
    }

    /// Returns the line with the cores that the calling thread may use.
    private func allowedCores() throws -> Substring {
        let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
        return try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
    }
}
