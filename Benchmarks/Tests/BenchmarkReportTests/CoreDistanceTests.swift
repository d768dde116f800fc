import CKernelWork
import Foundation
import Testing

@Suite struct CoreDistanceTests {
    @Test(
        "Cores are as far apart as cores can be, or nothing is said, and whoever asked may use the same ones as before")
    func distance() throws {
        let allowed = try allowedCores()
        var distance = -1.0
        #expect(bench_core_distance(&distance) == 0)
        #expect(distance == 0 || (1...100_000).contains(distance))
        #expect(try allowedCores() == allowed)
    }

    /// The line that tells which cores the calling thread may use.
    private func allowedCores() throws -> Substring {
        let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
        return try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
    }
}
