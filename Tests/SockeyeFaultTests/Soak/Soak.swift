import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransport

/// Mixed traffic by chance from a seed, then a count of what is left.
///
/// `SOCKEYE_SOAK` says how many requests (default 5000), `SOCKEYE_SOAK_SEED` which chance.
enum Soak {
    static func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["SOCKEYE_SOAK"].flatMap { Int($0) } ?? 5000
        let seed = environment["SOCKEYE_SOAK_SEED"].flatMap { UInt64($0) } ?? 1
        let targets = [
            SoakTarget(server: try SoakServer.start(tls: nil)),
            SoakTarget(server: try SoakServer.start(tls: try Credentials.server())),
        ]
        var configuration = try Credentials.configuration()
        configuration.pool.connectionsPerOrigin = 8
        let client = HTTPClient(configuration: configuration)
        var random = Seeded(state: seed)
        _ = try await round(client, targets, max(1000, count / 10), &random)
        let (descriptors, heap) = try await rest(client)
        let start = ContinuousClock.now
        let tally = try await round(client, targets, count, &random)
        let spent = ContinuousClock.now - start
        let (descriptorsAfter, heapAfter) = try await rest(client)
        ChildProcess.say(
            "\(count) requests (seed \(seed)) in \(spent): \(tally); descriptors \(descriptors) → \(descriptorsAfter), "
                + "heap \(heap) → \(heapAfter) bytes (\(heapAfter - heap))")
        try demand(descriptorsAfter <= descriptors, "\(descriptorsAfter) descriptors, \(descriptors) before")
        try demand(heapAfter - heap < 1 << 20, "\(heapAfter - heap) bytes of heap more")
        try demand(tally.unexpected == 0, "\(tally.unexpected) unexpected outcomes")
    }

    struct Tally: CustomStringConvertible {
        var succeeded = 0
        var cancelled = 0
        var failed = 0
        var unexpected = 0

        mutating func add(_ outcome: SoakRequest.Outcome) {
            switch outcome {
            case .success: succeeded += 1
            case .cancelled: cancelled += 1
            case .failure: failed += 1
            case .unexpected: unexpected += 1
            }
        }

        var description: String {
            "\(succeeded) well, \(cancelled) cancelled, \(failed) failed, \(unexpected) unexpected"
        }
    }

    /// Sixteen at a time.
    private static func round(
        _ client: HTTPClient, _ targets: [SoakTarget], _ count: Int, _ random: inout Seeded
    ) async throws -> Tally {
        var requests = (0..<count).map { _ in SoakRequest(&random) }[...]
        return await withTaskGroup(of: SoakRequest.Outcome.self) { group in
            func start() {
                guard let request = requests.popFirst() else { return }
                let target = targets[request.overTLS ? 1 : 0]
                group.addTask { await request.run(with: client, on: target) }
            }
            for _ in 0..<16 { start() }
            var tally = Tally()
            while let outcome = await group.next() {
                tally.add(outcome)
                start()
            }
            return tally
        }
    }

    /// Waits until nothing is under way, closes what is idle, and counts.
    private static func rest(_ client: HTTPClient) async throws -> (descriptors: Int, heap: Int) {
        let end = ContinuousClock.now + .seconds(10)
        while let pool = await client.poolStatistics(), pool.leased + pool.dialling + pool.waiting > 0 {
            try demand(ContinuousClock.now < end, "a pool at rest, not \(pool)")
            try await Task.sleep(for: .milliseconds(5))
        }
        await client.closeIdleConnections()
        // The servers' ends are closed by their own tasks.
        var last = DescriptorCount.current()
        var quiet = 0
        while quiet < 20 {
            try await Task.sleep(for: .milliseconds(10))
            let now = DescriptorCount.current()
            quiet = now == last ? quiet + 1 : 0
            last = now
        }
        return (last, HeapUsage.current())
    }
}

struct SoakTarget: Sendable {
    let server: FaultServer
}
