import Dispatch
import SockeyeCore
import SockeyeTestSupport
import Synchronization
import Testing

@testable import SockeyeNet

@Suite(.timeLimit(.minutes(1)))
struct SystemResolverTests {
    /// A blocking look-up that a test releases.
    private final class Gate: Sendable {
        let entered = DispatchSemaphore(value: 0)
        let opened = DispatchSemaphore(value: 0)
        private let counts = Mutex((running: 0, most: 0, total: 0))

        var most: Int { counts.withLock { $0.most } }
        var total: Int { counts.withLock { $0.total } }

        func lookUp(_ host: String) -> Result<[EndpointAddress], ResolveError> {
            counts.withLock { counts in
                counts.running += 1
                counts.total += 1
                counts.most = max(counts.most, counts.running)
            }
            entered.signal()
            opened.wait()
            counts.withLock { $0.running -= 1 }
            return .success([address("192.0.2.1", 0)])
        }

        /// Waits off the cooperative pool until look-ups have begun.
        func waitEntered(_ count: Int = 1) async {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    for _ in 0..<count { self.entered.wait() }
                    continuation.resume()
                }
            }
        }
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("the resolver calls getaddrinfo, which knows short forms of addresses, and sets the port")
    func realLookUp() async throws {
        // inet_aton's short form, which needs no name server.
        #expect(try await SystemResolver().resolve("127.1", port: 8080) == [address("127.0.0.1", 8080)])
    }

    @Test(
        "literals and localhost are resolved without a look-up",
        arguments: [
            ("127.0.0.1", ["127.0.0.1"]), ("::1", ["::1"]), ("fe80::1%1", ["fe80::1%1"]),
            ("localhost", ["::1", "127.0.0.1"]), ("LocalHost", ["::1", "127.0.0.1"]),
            ("localhost.", ["::1", "127.0.0.1"]),
            ("a.b.localhost", ["::1", "127.0.0.1"]),
        ])
    func known(host: String, literals: [String]) async throws {
        let resolver = SystemResolver { _ in .failure(.temporary) }
        #expect(try await resolver.resolve(host, port: 443) == literals.map { address($0, 443) })
        #expect(resolver.threadCount == 0)
    }

    @Test(
        "an invalid name is refused before C reads it",
        arguments: [
            "", " ", "a b", "a\0b", "127.0.0.1\0.example.com", "\u{E9}.example", "a\n",
            String(repeating: "a", count: 255), "\u{7F}",
        ])
    func invalid(host: String) async {
        let resolver = SystemResolver { _ in .success([address("192.0.2.1")]) }
        await #expect(throws: ResolveError.invalidName) { try await resolver.resolve(host, port: 80) }
    }

    @Test(
        "names that only resemble localhost are looked up",
        arguments: ["localhost.example", "notlocalhost", "localhost.."])
    func notLocal(host: String) async {
        let resolver = SystemResolver { _ in .failure(.notFound) }
        await #expect(throws: ResolveError.notFound) { try await resolver.resolve(host, port: 80) }
    }

    @Test("twenty names that no server answers do not delay another name")
    func slowNames() async throws {
        let gate = Gate()
        let resolver = SystemResolver {
            $0.hasPrefix("slow") ? gate.lookUp($0) : .success([address("192.0.2.2", 0)])
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<20 { group.addTask { _ = try? await resolver.resolve("slow\(index)", port: 80) } }
            await gate.waitEntered(20)
            let fast = try? await resolver.resolve("fast", port: 80)
            #expect(fast == [address("192.0.2.2")])
            for _ in 0..<20 { gate.opened.signal() }
        }
    }

    @Test("a cache's queued look-up is withdrawn with its last caller, and the name can be looked up again")
    func withdrawal() async throws {
        let gate = Gate()
        let resolver = SystemResolver(threads: 1) { gate.lookUp($0) }
        let poller = try EventPoller()
        let cache = CachingResolver(resolver)
        let running = Task { try await cache.resolve("running", on: poller) }
        await gate.waitEntered()
        let callers = (0..<2).map { _ in Task { try await cache.resolve("queued", on: poller) } }
        await until { resolver.queueLength == 1 && cache.callers(of: "queued") == 2 }
        callers[0].cancel()
        await #expect(throws: ResolveError.cancelled) { try await callers[0].value }
        #expect(resolver.queueLength == 1, "one caller still waits")
        callers[1].cancel()
        await #expect(throws: ResolveError.cancelled) { try await callers[1].value }
        await until { resolver.queueLength == 0 }
        #expect(cache.count == 1, "only the running look-up is left")
        let again = Task { try await cache.resolve("queued", on: poller) }
        for _ in 0..<2 { gate.opened.signal() }
        #expect(try await running.value.count == 1)
        #expect(try await again.value.count == 1)
        #expect(gate.total == 2)
    }

    @Test("as many look-ups run at a time as there are threads, and the others later")
    func threads() async throws {
        let gate = Gate()
        let resolver = SystemResolver(threads: 4) { gate.lookUp($0) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<12 {
                group.addTask { try await resolver.resolve("host\(index)", port: 80).count }
            }
            await gate.waitEntered(4)
            await until { resolver.queueLength == 8 }
            #expect(resolver.threadCount == 4)
            for _ in 0..<12 { gate.opened.signal() }
            for try await count in group { #expect(count == 1) }
        }
        #expect(gate.most == 4)
        #expect(gate.total == 12)
    }

    @Test("cancellation returns at once: a running look-up continues, and a queued one is removed")
    func cancellation() async {
        let gate = Gate()
        let resolver = SystemResolver(threads: 1) { gate.lookUp($0) }
        let running = Task { try await resolver.resolve("running", port: 80) }
        await gate.waitEntered()
        let queued = Task { try await resolver.resolve("queued", port: 80) }
        await until { resolver.queueLength == 1 }
        queued.cancel()
        running.cancel()
        await #expect(throws: ResolveError.cancelled) { try await queued.value }
        await #expect(throws: ResolveError.cancelled) { try await running.value }
        #expect(resolver.queueLength == 0)
        gate.opened.signal()
        #expect(gate.total == 1)
    }

    @Test("a task that is already cancelled gets no thread")
    func cancelledBefore() async {
        let resolver = SystemResolver { _ in .success([]) }
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await resolver.resolve("name", port: 80)
        }
        await #expect(throws: ResolveError.cancelled) { try await task.value }
        #expect(resolver.threadCount == 0)
    }

    @Test("look-ups beyond the queue's limit are refused")
    func overload() async throws {
        let gate = Gate()
        let resolver = SystemResolver(threads: 1, queueLimit: 2) { gate.lookUp($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await resolver.resolve("running", port: 80) }
            await gate.waitEntered()
            for _ in 0..<2 { group.addTask { _ = try await resolver.resolve("queued", port: 80) } }
            await until { resolver.queueLength == 2 }
            await #expect(throws: ResolveError.overloaded(limit: 2)) { try await resolver.resolve("late", port: 80) }
            for _ in 0..<3 { gate.opened.signal() }
            try await group.waitForAll()
        }
    }

    @Test("the threads end when they have been idle for a while, and start again on demand")
    func idleThreads() async throws {
        let resolver = SystemResolver(idleTime: .milliseconds(5)) { _ in .success([address("192.0.2.1")]) }
        for _ in 0..<3 {
            _ = try await resolver.resolve("name", port: 80)
            await until { resolver.threadCount == 0 }
        }
    }

    @Test("idle threads end with their pool")
    func release() async throws {
        let isGone = Mutex(false)
        final class Witness: Sendable {
            let gone: @Sendable () -> Void
            init(gone: @escaping @Sendable () -> Void) { self.gone = gone }
            deinit { gone() }
        }
        let ended = DispatchSemaphore(value: 0)
        do {
            let witness = Witness { ended.signal() }
            let workers = ThreadPool(name: "test", threads: 2, queueLimit: 2, idleTime: .seconds(1_000))
            _ = try await workers.run { withExtendedLifetime(witness) { 1 } }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                ended.wait()
                isGone.withLock { $0 = true }
                continuation.resume()
            }
        }
        #expect(isGone.withLock { $0 })
    }

    @Test("three simultaneous look-ups use three threads although one thread was idle before")
    func idleCount() async throws {
        let gate = Gate()
        let resolver = SystemResolver { gate.lookUp($0) }
        gate.opened.signal()
        _ = try await resolver.resolve("first", port: 80)
        await gate.waitEntered()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { _ = try await resolver.resolve("next", port: 80) } }
            await gate.waitEntered(3)
            for _ in 0..<3 { gate.opened.signal() }
            try await group.waitForAll()
        }
        #expect(gate.most == 3)
    }
}
