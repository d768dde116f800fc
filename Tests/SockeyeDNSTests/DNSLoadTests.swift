#if AsyncDNS
import Foundation
import Sockeye
import SockeyeCore
import SockeyeDNS
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// The threads and sockets that many concurrent look-ups use and leave behind. Each test runs in its own process.
@Suite("The threads and sockets of concurrent look-ups", .serialized, .timeLimit(.minutes(3)))
struct DNSLoadTests {
    /// The threads of this process.
    static var threads: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).count
    }

    /// The number of sockets of this process. Unlike other descriptors, none belongs to the runtime.
    static var sockets: Int { (0..<Int32(4_096)).count { SystemSocket.isSocket($0) } }

    /// Returns the number of open sockets beyond `limit` after a while, because another task may have to close some.
    static func excess(over limit: Int) async -> Int {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(30)
        while sockets > limit, clock.now < end { try? await Task.sleep(for: .milliseconds(1)) }
        return sockets - limit
    }

    /// Runs `body` and returns the largest numbers of threads and sockets, sampled each millisecond.
    static func peak(
        during body: @escaping @Sendable () async throws -> Void
    ) async throws -> (threads: Int, sockets: Int) {
        try await withThrowingTaskGroup(of: (Int, Int)?.self) { group in
            group.addTask {
                var peak = (0, 0)
                while !Task.isCancelled {
                    peak = (max(peak.0, threads), max(peak.1, sockets))
                    try? await Task.sleep(for: .milliseconds(1))
                }
                return peak
            }
            group.addTask {
                try await body()
                return nil
            }
            while let value = try await group.next() {
                if let value { return value }
                group.cancelAll()
            }
            return (0, 0)
        }
    }

    #if compiler(>=6.3)  // Exit tests take values since then (ST-0012).
    @Test("four thousand concurrent look-ups add at most 3 threads and 4 sockets, and leave no socket behind")
    func thousands() async {
        let child = ChildProcess()
        defer { child.show() }
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run {
                let server = try TestNameServer { [.sendLater($0.reply(["127.0.0.1"]), .milliseconds(20))] }
                let resolver = DNSResolver(asking: server, timeout: .seconds(1), attempts: 5)
                // Starts the parts that run once per process: the pool's threads and the poller.
                try await withThrowingTaskGroup { group in
                    for index in 0..<64 { group.addTask { _ = try await resolver.resolve("w\(index).test", port: 80) } }
                    try await group.waitForAll()
                }
                let (threads, sockets) = (Self.threads, Self.sockets)
                let peak = try await Self.peak {
                    try await withThrowingTaskGroup { group in
                        for index in 0..<4_000 {
                            group.addTask {
                                let addresses = try await resolver.resolve("a\(index).test", port: 80)
                                try demand(addresses.count == 1, "a\(index).test: \(addresses)")
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                ChildProcess.say(
                    "threads: \(threads), at most \(peak.threads); sockets: \(sockets), at most \(peak.sockets)")
                try demand(peak.threads <= threads + 3, "\(peak.threads) threads after \(threads)")
                try demand(peak.sockets <= sockets + 4, "\(peak.sockets) sockets after \(sockets)")
                let excess = await Self.excess(over: sockets)
                try demand(excess <= 0, "\(excess) sockets are left")
            }
        }
    }

    @Test("cancelling at any moment ends the look-up and leaves no socket behind")
    func cancelling() async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run {
                let server = try TestNameServer { question in
                    var random = SplitMix(seed: UInt64(question.id))
                    if question.name.hasPrefix("silent") { return [] }
                    if question.name.hasPrefix("stream"), !question.isStream {
                        return [.send(question.reply(isTruncated: true))]
                    }
                    let delay = Duration.microseconds(Int.random(in: 0..<2_000, using: &random))
                    return [.sendLater(question.reply(["127.0.0.1"]), delay)]
                }
                let resolver = DNSResolver(asking: server, timeout: .seconds(10))
                _ = try await resolver.resolve("a.test", port: 80)
                let sockets = Self.sockets
                for seed in 0..<200 as Range<UInt64> {
                    var random = SplitMix(seed: seed)
                    let kind = ["silent", "stream", "late"].randomElement(using: &random) ?? ""
                    let delay = Duration.microseconds(Int.random(in: 0..<3_000, using: &random))
                    let tasks = (0..<Int.random(in: 1...4, using: &random)).map { index in
                        Task { try await resolver.resolve("\(kind)\(seed)-\(index).test", port: 80) }
                    }
                    try await Task.sleep(for: delay)
                    for task in tasks { task.cancel() }
                    for task in tasks {
                        do { _ = try await task.value } catch {
                            try demand(error as? ResolveError == .cancelled, "\(error)")
                        }
                    }
                }
                let excess = await Self.excess(over: sockets)
                try demand(excess <= 0, "\(excess) sockets are left")
            }
        }
    }

    /// A dial outlives its request and its client, so only its deadline ends the look-up of a dropped client.
    @Test(
        "a client that is shut down abandons its look-ups, and those of a dropped client end at their deadline",
        arguments: [true, false])
    func ending(isShutDown: Bool) async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") {
            [child = child as ChildProcess, isShutDown = isShutDown as Bool] in
            await child.run {
                let server = try TestNameServer { _ in [] }
                let sockets = Self.sockets
                let resolver = DNSResolver(asking: server, timeout: .seconds(60))
                try await {
                    let limit: Duration = isShutDown ? .seconds(60) : .milliseconds(500)
                    let client = HTTPClient(resolvingBy: resolver, within: limit)
                    let call = Task { try await client.get("http://silent.test/").text() }
                    await eventually("the server is asked") { !server.questions.isEmpty }
                    if isShutDown { await client.shutDown(graceful: false) } else { call.cancel() }
                    let result = await call.result
                    try demand((try? result.get()) == nil, "the call fails")
                    if isShutDown {
                        let excess = await Self.excess(over: sockets)
                        try demand(excess <= 0, "\(excess) sockets are left")
                    }
                }()
                let excess = await Self.excess(over: sockets)
                try demand(excess <= 0, "\(excess) sockets are left")
            }
        }
    }
    #endif
}

/// The resolver in its usual place: below a cache, in a client.
@Suite("A client with the library's DNS resolver", .timeLimit(.minutes(1)))
struct DNSClientTests {
    @Test("a client looks up the name of a server once while the answer is cached")
    func get() async throws {
        let names = try TestNameServer { [.send($0.reply(["127.0.0.1"], ttl: 300))] }
        try await withTestServer { _ in
            .ok("here")
        } run: { server in
            let client = HTTPClient(resolvingBy: DNSResolver(asking: names))
            for _ in 0..<3 {
                let text = try await client.get(
                    "http://a.test:\(server.port)/", headers: [.connection: "close"]
                ).text()
                #expect(text == "here")
            }
            #expect(names.questions.count == 2)
        }
    }

    @Test("the error of the request says why the look-up failed")
    func failure() async throws {
        for (code, text) in [(2, "SERVFAIL"), (3, "does not exist"), (5, "REFUSED"), (0, "no address")] {
            let names = try TestNameServer { [.send($0.reply(code: UInt8(code)))] }
            let client = HTTPClient(resolvingBy: DNSResolver(asking: names))
            let error = await #expect(throws: SockeyeError.self) { try await client.get("http://a.test/") }
            #expect(error?.code == .resolutionFailed && error?.phase == .resolve)
            #expect(error?.message.contains(text) == true, "\(error as Any)")
        }
    }

    @Test("a deadline ends the wait at once, and the late answer serves the next request")
    func deadline() async throws {
        let poller = try EventPoller()
        let names = try TestNameServer { [.sendLater($0.reply(["127.0.0.1"]), .milliseconds(400))] }
        let cache = CachingResolver(DNSResolver(asking: names))
        await #expect(throws: ResolveError.timedOut) {
            try await cache.resolve("a.test", on: poller, until: poller.time.now.advanced(by: .milliseconds(50)))
        }
        #expect(try await cache.resolve("a.test", on: poller) == [address("127.0.0.1")])
        #expect(names.questions.count == 2)
    }

    @Test("a look-up is answered even if abandoned look-ups have used up the limit of concurrent look-ups")
    func clogged() async throws {
        let live = Mutex(0)
        let names = try TestNameServer { question in
            guard question.name == "live.test" else { return [] }
            // The server answers only repeated questions.
            let count = live.withLock { count in
                count += 1
                return count
            }
            return count > 2 ? [.send(question.reply(["127.0.0.1"]))] : []
        }
        let resolver = DNSResolver(asking: names)
        let waiting = Task { try await resolver.resolve("live.test", port: 80) }
        await eventually("both questions have arrived") { live.withLock(\.self) == 2 }
        let abandoned = (0..<400).map { index in Task { try await resolver.resolve("a\(index).test", port: 80) } }
        await eventually("the limit of questions is reached") { names.questions.count > 250 }
        for task in abandoned { task.cancel() }
        #expect(try await waiting.value == [address("127.0.0.1")])
        for task in abandoned { await #expect(throws: ResolveError.cancelled) { try await task.value } }
    }

    @Test("many concurrent names through the cache all get their answers")
    func many() async throws {
        let poller = try EventPoller()
        let names = try TestNameServer { question in
            let number = Int(question.name.dropFirst().prefix { $0 != "." }) ?? 0
            return [.send(question.reply(["127.0.\(number / 250).\(number % 250)"]))]
        }
        let cache = CachingResolver(DNSResolver(asking: names, timeout: .milliseconds(500), attempts: 5))
        try await withThrowingTaskGroup { group in
            for index in 0..<2_000 {
                group.addTask {
                    let addresses = try await cache.resolve("a\(index).test", on: poller)
                    #expect(addresses == [address("127.0.\(index / 250).\(index % 250)")])
                }
            }
            try await group.waitForAll()
        }
    }
}

extension HTTPClient {
    fileprivate init(resolvingBy resolver: DNSResolver, within limit: Duration? = nil) {
        var configuration = ClientConfiguration()
        configuration.resolver = resolver
        configuration.timeouts.resolve = limit
        self.init(configuration: configuration)
    }
}
#endif
