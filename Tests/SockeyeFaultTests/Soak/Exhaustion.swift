import Glibc
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// Exhausts the process's descriptors and restores them.
enum Exhaustion {
    static func run() async throws {
        let server = try await TestServer.start { _ in .ok("ok") }
        let client = HTTPClient()
        let before = DescriptorCount.current()
        try demand(try await client.get(server.url()).text() == "ok", "an answer before")
        await client.pool?.closeIdle()
        // Open descriptors stay usable; the next socket cannot be opened.
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let wanted = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        var lowered = wanted
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lowered)
        let start = processorTime()
        for _ in 0..<200 {
            do {
                _ = try await client.get(server.url())
                throw UnmetCondition("an error without descriptors")
            } catch let error as SockeyeError {
                try demand(error.code == .outOfResources && error.phase == .connect, "outOfResources, not \(error)")
            }
        }
        let spent = processorTime() - start
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try demand(spent < 5, "no spinning: \(spent) s of processor time for 200 failures")
        for _ in 0..<20 { try demand(try await client.get(server.url()).text() == "ok", "an answer afterwards") }
        await client.shutDown()
        try await server.wait { $0.openConnections == 0 }
        let after = try await DescriptorCount.settle(atMost: before)
        try demand(after <= before, "\(after) descriptors, \(before) before")
        ChildProcess.say("200 requests without descriptors: \(spent) s of processor time")
    }

    private static func processorTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
