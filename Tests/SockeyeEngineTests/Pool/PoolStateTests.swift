import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import Synchronization
import Testing

@testable import SockeyeEngine

@Suite("Pool: dial targets")
struct PoolStateTests {
    private let target: DialTarget
    private let key: PoolKey
    private let now = MonotonicTime(nanoseconds: 1)
    private let timeouts = SharedTimeouts(Timeouts())

    init() throws {
        let resolver = ResolverStack(base: nil, overrides: [:], cacheLifetime: nil, time: .system)
        let dialer = Dialer(
            tls: TLSSettings(TLSOptions()), socket: SocketOptions(), resolver: resolver, addressPolicy: .any,
            pollers: PollerSet())
        let url = try HTTPURL("http://a.test/")
        target = DialTarget(
            url: url, unixSocketPath: nil, proxy: nil, limits: PhaseLimits(), dialer: dialer,
            tls: dialer.tls.setting(for: url, OutgoingRequest.Options()))
        key = PoolKey(origin: url.origin, unixSocketPath: nil, dialer: dialer.id)
    }

    @Test("a dial has a deadline in each phase, even if its request has none")
    func deadlines() {
        let limits = PhaseLimits(Timeouts(connect: .seconds(3), resolve: .unlimited, tls: .unlimited))
        let bounded = DialTarget(
            url: target.url, unixSocketPath: nil, proxy: nil, limits: limits, dialer: target.dialer, tls: target.tls
        ).bounded.limits
        #expect(bounded.resolve == .seconds(600) && bounded.connect == .seconds(3) && bounded.tls == .seconds(600))
        #expect(target.bounded.limits == target.limits)
    }

    @Test("the dialer gives an unlimited target a deadline of ten minutes in each phase")
    func dialedWithDeadlines() async throws {
        let seen = Mutex<PhaseLimits?>(nil)
        let dialer = Dialer(
            tls: TLSSettings(TLSOptions()), socket: SocketOptions(),
            resolver: ResolverStack(base: nil, overrides: [:], cacheLifetime: nil, time: .system),
            addressPolicy: .any, pollers: PollerSet(),
            streams: { target, _ throws(SockeyeError) in
                seen.withLock { $0 = target.limits }
                throw SockeyeError(.cancelled, phase: .connect)
            })
        let unbounded = DialTarget(
            url: target.url, unixSocketPath: nil, proxy: nil,
            limits: PhaseLimits(Timeouts(connect: .unlimited, resolve: .unlimited, tls: .unlimited)), dialer: dialer,
            tls: target.tls)
        await #expect(throws: SockeyeError.self) { try await dialer.dial(unbounded, progress: DialProgress()) }
        let used = seen.withLock { $0 }
        #expect([used?.resolve, used?.connect, used?.tls].allSatisfy { $0 == .seconds(600) })
    }

    private func state(_ configure: (inout PoolLimits) -> Void = { _ in }) -> PoolState {
        var limits = PoolLimits()
        configure(&limits)
        return PoolState(machine: ConnectionPool.Machine(limits: limits))
    }

    /// Queues a request that finds no idle connection.
    private func join(
        _ state: inout PoolState, _ key: PoolKey, _ timeouts: SharedTimeouts? = nil
    ) throws -> (id: WaiterID, dial: ConnectionPool.Dial?) {
        let timeouts = timeouts ?? self.timeouts
        guard case .wait(let id, let dial, _) = state.machine.lease(key, now: now) else {
            throw SockeyeError(.cancelled, phase: .pool)
        }
        state.queue(id)
        state.setTarget(of: key, for: id, timeouts) { target.with(timeouts.limits) }
        return (id, dial)
    }

    /// Leases an idle connection, or else a new one.
    private func lease(_ state: inout PoolState, at now: MonotonicTime) throws -> ConnectionPool.Lease {
        switch state.machine.lease(key, now: now) {
        case .use(let lease, _): return lease
        case .wait(_, let dial?, _):
            let stream = try ScriptedStream("", poller: EventPoller.shared())
            guard
                case .serve(_, let lease) = state.machine.dialSucceeded(
                    dial.id, connection: try EngineParts.connection(stream), now: now)
            else { throw LeaseRejection.shutDown }
            return lease
        default: throw LeaseRejection.shutDown
        }
    }

    @Test("a connection that is given back unused does not restore the trust in a peer that closes connections")
    func unused() throws {
        func at(_ milliseconds: Int64) -> MonotonicTime {
            MonotonicTime(nanoseconds: 1_000_000_000_000 + milliseconds * 1_000_000)
        }
        var state = state()
        let (kept, closed) = (try lease(&state, at: at(0)), try lease(&state, at: at(0)))
        _ = state.closedByPeer(closed.id, closed.connection, now: at(1))
        _ = state.release(kept.id, reusable: true, keepAliveTimeout: nil, remainingUses: nil, now: at(2))
        let unused = try lease(&state, at: at(3))
        #expect(unused.id == kept.id && unused.isReused)
        _ = state.giveBack(unused.id, now: at(4))
        #expect(state.closes.isAwaitingProof)
        let used = try lease(&state, at: at(5))
        _ = state.release(used.id, reusable: true, keepAliveTimeout: nil, remainingUses: nil, now: at(6))
        #expect(used.id == kept.id && !state.closes.isAwaitingProof)
    }

    @Test("the error of a shortage that holds no waiter back any more is forgotten")
    func pastShortage() throws {
        var state = state { $0.perOrigin = 1 }
        _ = try lease(&state, at: now)
        let full = try join(&state, key)
        #expect(full.dial == nil)
        let other = try join(&state, PoolKey(origin: key.origin, unixSocketPath: "/run/b", dialer: key.dialer))
        let shortage = SockeyeError(.init(.outOfResources, phase: .connect, blame: .caller, message: "EMFILE"))
        guard case .wait = state.dialFailed(try #require(other.dial), shortage, now: now) else {
            Issue.record("the waiter did not stay")
            return
        }
        #expect(state.exhaustion?.code == .outOfResources)
        _ = state.abandon(other.id, .timedOut)
        #expect(state.retryExhausted(now: now.advanced(by: .seconds(2))).isEmpty)
        #expect(state.exhaustion == nil)
    }

    @Test("the dial target of a key is known while a request waits for the key")
    func known() throws {
        var state = state()
        let (_, dial) = try join(&state, key)
        let begun = state.begin(try #require(dial), now: now)
        #expect(begun.target != nil && begun.next == nil)
        #expect(state.machine.statistics.dialling == 1)
    }

    @Test("keys of one origin that differ by proxy user, socket, client or TLS options have different hashes")
    func hashes() throws {
        let origin = key.origin
        var keys: [PoolKey] = []
        for number in 0..<250 {
            let proxies = [
                try Proxy("http://session-\(number):password@proxy.test:3128"),
                try Proxy(
                    "http://proxy.test:3128", authentication: .credential(.user("\(number)", password: "password"))),
                try Proxy("http://proxy.test:3128") { _ in [:] },
                try Proxy("http://proxy.test:3128").authorized(by: "Bearer \(number)"),
            ]
            keys += proxies.map { PoolKey(origin: origin, unixSocketPath: nil, proxy: $0, dialer: key.dialer) }
            keys += [
                PoolKey(origin: origin, unixSocketPath: "/run/\(number)", dialer: key.dialer),
                PoolKey(origin: origin, unixSocketPath: nil, dialer: key.dialer, tls: number + 1),
                PoolKey(origin: origin, unixSocketPath: nil, dialer: DialerID()),
            ]
        }
        #expect(Set(keys.map(\.hashValue)).count == keys.count)
        #expect(Set(keys + keys).count == keys.count)
    }

    @Test("sockets whose paths differ only in bytes have different keys, although the strings are equal")
    func equivalentPaths() {
        let (composed, decomposed) = ("/run/\u{E9}.sock", "/run/e\u{301}.sock")
        #expect(composed == decomposed)
        let keys = [composed, decomposed, composed].map {
            PoolKey(origin: key.origin, unixSocketPath: $0, dialer: key.dialer)
        }
        #expect(keys[0] != keys[1] && keys[0] == keys[2])
    }

    @Test("each dial has the time limits of the request that it is started for", arguments: [16, 1])
    func ownLimits(perOrigin: Int) throws {
        var state = state { $0.perOrigin = perOrigin }
        let limits = [1, 2, 2, 1].map { SharedTimeouts(Timeouts(connect: .seconds($0))) }
        let waits = try limits.map { try join(&state, key, $0) }
        var next = waits[0].dial
        for (wait, limits) in zip(waits, limits) {
            let dial = try #require(wait.dial ?? next)
            #expect(dial.waiter == wait.id)
            #expect(state.begin(dial, now: now).target?.limits == limits.limits)
            let error = SockeyeError.timeout(.connect, configured: nil)
            guard case .end(_, let following) = state.dialFailed(dial, error, now: now) else {
                Issue.record("the dial did not end")
                return
            }
            next = following
        }
        let own = try #require(Mirror(reflecting: state).children.first { $0.label == "ownTimeouts" })
        #expect(next == nil && storedElements(in: own.value) == 0)
    }

    /// The ways in which the last wait for a key ends.
    enum End: CaseIterable {
        case served
        case abandoned
        case shutDown
    }

    @Test("a key has no target after its last wait, while requests wait for another key", arguments: End.allCases)
    func forgotten(end: End) throws {
        var state = state { $0.perOrigin = 1 }
        let busy = try lease(&state, at: now)
        let waiting = try join(&state, key)
        let other = PoolKey(origin: try HTTPURL("http://b.test/").origin, unixSocketPath: nil, dialer: DialerID())
        _ = try join(&state, other)
        #expect(try targets(of: state).count == 2)
        switch end {
        case .served: _ = state.release(busy.id, reusable: true, keepAliveTimeout: nil, remainingUses: nil, now: now)
        case .abandoned: _ = state.abandon(waiting.id, .cancelled)
        case .shutDown: _ = state.shutDown(key.owner, graceful: false)
        }
        #expect(state.machine.statistics.waiting == 1)
        #expect(try Array(targets(of: state).keys) == [other])
    }

    private func targets(of state: PoolState) throws -> [PoolKey: DialTarget] {
        let targets = Mirror(reflecting: state).children.first { $0.label == "targets" }?.value
        return try #require(targets as? [PoolKey: DialTarget])
    }

    @Test("the memory of many targets is released when no request waits", arguments: [true, false])
    func memory(isDialled: Bool) throws {
        var state = state { $0.total = 1 }
        var waiters: [(WaiterID, PoolKey)] = []
        for index in 0..<5_000 {
            let origin = try HTTPURL("http://h\(index).test/").origin
            let key = PoolKey(origin: origin, unixSocketPath: nil, dialer: key.dialer)
            waiters.append((try join(&state, key).id, key))
        }
        for (id, key) in waiters {
            _ = state.abandon(id, .cancelled)
            if isDialled { state.forgetTarget(of: key) }
        }
        #expect(try targets(of: state).capacity < 1_000)
    }

    @Test("a dial without a waiter ends before it begins, and the next request starts another")
    func dropped() throws {
        var state = state()
        let (id, dial) = try join(&state, key)
        _ = state.abandon(id, .cancelled)
        let begun = state.begin(try #require(dial), now: now)
        #expect(begun.target == nil && begun.next == nil)
        // A single critical section drops the dial. Between two critical sections, the next request could take the end
        // of this dial for the failure of its own.
        let statistics = state.machine.statistics
        #expect(statistics.dialling == 0 && statistics.dialsFailed == 0)
        let next = try join(&state, key)
        #expect(state.begin(try #require(next.dial), now: now).target != nil)
    }

    @Test("a dial that a new request takes over before it begins still has its target")
    func inherited() throws {
        var state = state()
        let (id, dial) = try join(&state, key)
        _ = state.abandon(id, .cancelled)
        #expect(try join(&state, key).dial == nil)
        #expect(state.begin(try #require(dial), now: now).target != nil)
    }

    @Test("the place of a dial that ends before it begins goes to a request held back by the limit")
    func place() throws {
        var state = state { $0.total = 1 }
        let (id, dial) = try join(&state, key)
        let other = PoolKey(origin: try HTTPURL("http://b.test/").origin, unixSocketPath: nil, dialer: key.dialer)
        #expect(try join(&state, other).dial == nil)
        _ = state.abandon(id, .cancelled)
        // A dial of the same key ends and makes the pool forget the target, while requests of other keys wait.
        state.forgetTarget(of: key)
        let begun = state.begin(try #require(dial), now: now)
        #expect(begun.target == nil)
        #expect(begun.next?.key == other)
    }
}
