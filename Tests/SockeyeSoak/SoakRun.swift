import Sockeye
import SockeyeCore
import SockeyeEssentials
import SockeyeTesting

/// Runs exchanges with the servers of all ``Behaviours``, and then checks that the process holds no more resources than
/// before.
///
/// The seed and the number of an exchange determine its request, but not the timing of tasks and sockets.
package struct SoakRun: Sendable {
    /// The longest time that an exchange may take beyond its deadline, apart from the time for which other processes
    /// used the processors. The environment variable SLACK sets it in seconds, because runs with
    /// AddressSanitizer need more.
    static let slack = Duration.seconds(Int(ProcessInfo.processInfo.environment["SLACK"] ?? "") ?? 1)

    let count: Int
    let seed: UInt64
    let concurrency: Int
    let say: @Sendable (String) -> Void

    package init(
        count: Int, seed: UInt64 = 1, concurrency: Int = 128, say: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        self.count = count
        self.seed = seed
        self.concurrency = concurrency
        self.say = say
    }

    /// Runs all exchanges and checks the result.
    ///
    /// - Throws: A description of the condition that did not hold.
    package func run() async throws {
        let servers = try SoakServers()
        let client = HTTPClient(configuration: configuration(servers))
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-soak-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        say("soak: \(count) exchanges, \(Behaviours.all.count) behaviours, seed \(seed)")
        // The first exchanges are not measured, because they fill caches, start threads and grow malloc's arenas, which
        // is no leak.
        _ = await round(client, servers, folder.path(), -max(1000, count / 20)..<0)
        let before = try await ProcessResources.settled(client)
        let start = ContinuousClock.now
        let tally = await round(client, servers, folder.path(), 0..<count)
        let time = ContinuousClock.now - start
        let after = try await ProcessResources.settled(client)
        say(tally.table)
        for complaint in tally.complaints { say("WRONG: \(complaint)") }
        say(
            "soak: \(count) exchanges in \(time), \(tally.complaintCount) wrong, at most \(tally.lateness) late; "
                + "\(before) before, \(after) after")
        guard tally.complaintCount == 0 else { throw UnmetCondition("\(tally.complaintCount) exchanges went wrong") }
        try after.compare(with: before, after: count)
        try await finish(client, servers)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        guard left.isEmpty else {
            throw UnmetCondition("an empty folder of downloads, not \(left.count) files: \(left[0])")
        }
        await client.shutDown()
    }

    private func configuration(_ servers: SoakServers) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.tls = TLSOptions(roots: servers.roots)
        configuration.pool.connectionsPerOrigin = concurrency
        configuration.limits.decodedBytes = 8 << 20
        configuration.hostOverrides = servers.hostOverrides
        configuration.resolver = servers.names
        return configuration
    }

    /// Runs `concurrency` exchanges at a time. The process ends if an exchange never ends.
    private func round(
        _ client: HTTPClient, _ servers: SoakServers, _ folder: String, _ numbers: Range<Int>
    ) async -> Tally {
        let watchdog = Watchdog()
        let watching = Task { await watchdog.run() }
        defer { watching.cancel() }
        return await withTaskGroup(of: (SoakExchange, SoakOutcome).self) { group in
            var next = numbers.lowerBound
            func start() {
                guard next < numbers.upperBound else { return }
                let number = next
                next += 1
                group.addTask {
                    let exchange = SoakExchange(number, seed: seed)
                    watchdog.started(number, exchange)
                    defer { watchdog.ended(number) }
                    return (exchange, await exchange.run(with: client, on: servers, in: folder))
                }
            }
            for _ in 0..<concurrency { start() }
            var tally = Tally()
            while let (exchange, outcome) = await group.next() {
                tally.add(outcome, of: exchange)
                start()
            }
            return tally
        }
    }

    /// Sends 300 plain requests, all of which must succeed.
    private func finish(_ client: HTTPClient, _ servers: SoakServers) async throws {
        for number in 0..<300 {
            let nonce = UInt64(number)
            let url = servers.url("/length/\(String(nonce, radix: 16))/100", overTLS: number % 2 == 0)
            let body = try await client.get(url).bytes()
            guard body == Content.bytes(nonce, 100) else { throw UnmetCondition("a right answer afterwards") }
        }
        say("soak: 300 plain requests afterwards, all right")
    }
}
