import SockeyeCore
import SockeyeHTTP1
package import SockeyeTransport
import Synchronization

/// The connections of a client: an actor that is thin over ``PoolMachine``.
///
/// Each call is one synchronous mutation of the machine, after which its actions are run: connections closed, dials
/// started, waiters woken. Nothing in here awaits between reading and writing state. Dropping the pool closes the idle
/// connections and fails the waiters; connections on lease end with their exchanges.
///
/// The machine is under a lock and not the actor's own, so that the two steps of nearly every request, taking an idle
/// connection and putting it back, need no hop: two hops a request are a tenth of its cost, and under load more, since
/// contended actors hand tasks to other threads. Everything that acts, or concerns waiters, is the actor's. News of a
/// decision that was made outside may thus reach it later than other calls; each action says how it copes.
package actor ConnectionPool {
    package typealias Machine = PoolMachine<PoolKey, OriginConnection>
    package typealias Lease = PoolLease<OriginConnection>

    /// What a request finds: a connection, or a place in the queue.
    enum Admission: Sendable {
        case lease(Lease)
        case wait(PoolWaiter, WaiterID)
        case refused(SockeyeError)
    }

    private let time: TimeSource
    private let poller: any Poller
    private let machine: Mutex<Machine>
    private var waiters: [WaiterID: PoolWaiter] = [:]
    /// How to dial for a key, from the latest request of it; kept while anybody waits or dials.
    private var targets: [PoolKey: DialTarget] = [:]
    private var janitor: Janitor?
    /// When the janitor wakes, in nanoseconds; the end of time while there is none.
    private let janitorWakesAt = Atomic(Int64.max)
    private var drainWaiters: [Sleeper] = []

    package init(limits: PoolLimits, poller: any Poller) {
        time = poller.time
        self.poller = poller
        machine = Mutex(Machine(limits: limits, seed: UInt64.random(in: 0 ... .max)))
    }

    deinit {
        janitor?.stop()
        for waiter in waiters.values { waiter.resolve(.failed(.shutDown(.pool))) }
    }

    // MARK: Requests

    /// Lends an idle connection if there is one.
    nonisolated func leaseIdle(_ key: PoolKey) -> Lease? {
        let now = time.now
        let (lease, closing) = machine.withLock { $0.leaseIdle(key, now: now) }
        if !closing.isEmpty { for stale in closing { stale.connection.close() } }
        return lease
    }

    /// Lends an idle connection, or queues the caller and dials if the limits allow.
    func lease(_ key: PoolKey, for request: PreparedRequest, dialer: Dialer, fresh: Bool) -> Admission {
        let now = time.now
        switch machine.withLock({ $0.lease(key, fresh: fresh, now: now) }) {
        case .use(let lease, let closing):
            if !closing.isEmpty { for stale in closing { stale.connection.close() } }
            return .lease(lease)
        case .wait(let id, let dial, let closing):
            for stale in closing { stale.connection.close() }
            targets[key] = DialTarget(
                url: request.url, unixSocketPath: key.unixSocketPath, timeouts: request.deadlines.timeouts,
                dialer: dialer)
            let progress = dial.map { start($0) }
            do throws(TransportError) {
                let waiter = try PoolWaiter(poller: poller, progress: progress)
                waiters[id] = waiter
                return .wait(waiter, id)
            } catch {
                machine.withLock { _ = $0.abandon(id) }
                return .refused(SockeyeError(error, phase: .pool))
            }
        case .rejected(let reason):
            return .refused(Self.refusal(reason))
        }
    }

    /// Takes a waiter that gave up out of the queue. False when it was served before: its outcome is there.
    func abandon(_ id: WaiterID) -> Bool {
        guard machine.withLock({ $0.abandon(id) }) == .alreadyServed else {
            waiters[id] = nil
            noteDrained()
            return true
        }
        // Served, but perhaps the news is still on its way here: it will find nobody, and give the connection back.
        return waiters.removeValue(forKey: id) != nil
    }

    /// What is left to do of a connection that was put back: the actor's part.
    enum Remainder: Sendable {
        case act(Machine.ReleaseDecision)
        case wakeJanitor
    }

    /// Takes a connection back without suspending. Nil: that is all; else ``finish(_:)`` does the rest.
    nonisolated func putBack(
        _ id: ConnectionID, reusable: Bool, keepAliveTimeout: Int?, remainingUses: Int?
    ) -> Remainder? {
        let now = time.now
        let (decision, expiry) = machine.withLock { machine in
            let decision = machine.release(
                id, reusable: reusable, keepAliveTimeout: keepAliveTimeout.map { .seconds($0) },
                remainingUses: remainingUses, now: now)
            return (decision, machine.nextDeadline)
        }
        guard case .none = decision else { return .act(decision) }
        guard let expiry, Janitor.isWorthWaking(for: expiry, insteadOf: janitorWakesAt) else { return nil }
        return .wakeJanitor
    }

    /// Does what ``putBack(_:reusable:keepAliveTimeout:remainingUses:)`` left to do.
    func finish(_ remainder: Remainder) {
        switch remainder {
        case .act(let decision): run(decision)
        case .wakeJanitor: watchIdle()
        }
    }

    /// Takes a connection back.
    nonisolated(nonsending) func release(
        _ id: ConnectionID, reusable: Bool, keepAliveTimeout: Int?, remainingUses: Int?
    ) async {
        let remainder = putBack(
            id, reusable: reusable, keepAliveTimeout: keepAliveTimeout, remainingUses: remainingUses)
        if let remainder { await finish(remainder) }
    }

    /// Forgets a connection that was found closed before anything was sent on it.
    func foundStale(_ id: ConnectionID) {
        run(machine.withLock { $0.foundStale(id) })
    }

    package var statistics: PoolStatistics {
        machine.withLock { machine in
            machine.statistics { $0.origin.description + ($0.unixSocketPath.map { " (\($0))" } ?? "") }
        }
    }

    // MARK: Actions

    private func run(_ decision: Machine.ReleaseDecision) {
        switch decision {
        case .none:
            watchIdle()
        case .serve(let id, let lease):
            serve(id, with: lease)
        case .close(let closing, let dial):
            closing.connection.close()
            if let dial { start(dial) }
            if !drainWaiters.isEmpty { noteDrained() }
        }
    }

    /// A waiter that gave up while the news was on its way leaves the connection to whoever comes next.
    private func serve(_ id: WaiterID, with lease: Lease) {
        if let waiter = waiters.removeValue(forKey: id) {
            waiter.resolve(.lease(lease))
        } else {
            let now = time.now
            run(machine.withLock { $0.release(lease.id, reusable: true, now: now) })
        }
    }

    // MARK: Dials

    /// Starts a dial. It outlives the request that caused it: what it opens serves whoever waits then.
    @discardableResult
    private func start(_ dial: PoolDial<PoolKey>) -> DialProgress {
        let progress = DialProgress()
        guard let target = targets[dial.key] else {
            // Whoever wanted it gave up while the news was on its way.
            settle(machine.withLock { $0.dialFailed(dial.id) }, error: .shutDown(.connect))
            return progress
        }
        Task { [weak self] in
            do throws(SockeyeError) {
                let connection = try await target.dialer.dial(target, progress: progress)
                guard let self else { return connection.close() }
                await self.dialSucceeded(dial, connection)
            } catch {
                await self?.dialFailed(dial, error)
            }
        }
        return progress
    }

    private func dialSucceeded(_ dial: PoolDial<PoolKey>, _ connection: OriginConnection) {
        let now = time.now
        run(machine.withLock { $0.dialSucceeded(dial.id, connection: connection, now: now) })
        forgetTarget(of: dial.key)
    }

    private func dialFailed(_ dial: PoolDial<PoolKey>, _ error: SockeyeError) {
        settle(machine.withLock { $0.dialFailed(dial.id) }, error: error)
        forgetTarget(of: dial.key)
        noteDrained()
    }

    private func settle(_ decision: Machine.DialFailureDecision, error: SockeyeError) {
        if let failed = decision.failed { waiters.removeValue(forKey: failed)?.resolve(.failed(error)) }
        if let next = decision.dial { start(next) }
    }

    private func forgetTarget(of key: PoolKey) {
        if waiters.isEmpty {
            targets.removeAll(keepingCapacity: true)
        } else if !machine.withLock({ $0.isWaitedFor(key) }) {
            // There may always be a waiter for something; a crawler must not pile up targets meanwhile.
            targets[key] = nil
        }
    }

    /// Opens connections ahead of need, within the limits.
    func prewarm(_ key: PoolKey, count: Int, target: DialTarget) {
        targets[key] = target
        for dial in machine.withLock({ $0.prewarm(key, count: count) }) { start(dial) }
    }

    // MARK: Idle connections

    private func watchIdle() {
        guard let next = machine.withLock({ $0.nextDeadline }) else { return }
        if let janitor {
            guard Janitor.isWorthWaking(for: next, insteadOf: janitorWakesAt) else { return }
            janitor.expect(next)
        } else {
            janitor = try? Janitor(poller: poller, first: next) { [weak self] in await self?.tick() }
        }
        janitorWakesAt.store(next.nanoseconds, ordering: .relaxed)
    }

    /// Closes what has expired. Returns when to come again; nil ends the janitor until something is idle again.
    private func tick() -> MonotonicTime? {
        let now = time.now
        // Before the look: what is put back from now on must find nobody and ask for the janitor.
        janitorWakesAt.store(.max, ordering: .relaxed)
        let (closings, next) = machine.withLock { ($0.tick(now: now), $0.nextDeadline) }
        for closing in closings { closing.connection.close() }
        if let next {
            janitorWakesAt.store(next.nanoseconds, ordering: .relaxed)
        } else {
            janitor = nil
        }
        return next
    }

    /// Closes every idle connection.
    func closeIdle() {
        for closing in machine.withLock({ $0.closeIdle() }) { closing.connection.close() }
    }

    // MARK: Shutdown

    /// Takes no more requests. Graceful: what runs and waits is served; else it ends now.
    func shutDown(graceful: Bool) {
        let decision = machine.withLock { $0.shutdown(graceful: graceful) }
        for closing in decision.closing { closing.connection.close() }
        for lease in decision.leased { lease.connection.shutDown() }
        for id in decision.waiters { waiters.removeValue(forKey: id)?.resolve(.failed(.shutDown(.pool))) }
        noteDrained()
    }

    /// Nil when nothing is open any more; else a sleeper that is woken once it is so.
    func drained() throws(TransportError) -> Sleeper? {
        guard !machine.withLock({ $0.isDrained }) else { return nil }
        let sleeper = try Sleeper(poller: poller)
        drainWaiters.append(sleeper)
        return sleeper
    }

    private func noteDrained() {
        guard !drainWaiters.isEmpty, machine.withLock({ $0.isDrained }) else { return }
        for sleeper in drainWaiters { sleeper.signal() }
        drainWaiters.removeAll()
    }

    // MARK: Errors

    private static func refusal(_ reason: LeaseRejection) -> SockeyeError {
        switch reason {
        case .shutDown: return .shutDown(.pool)
        case .tooManyWaiters(let limit):
            var fields = SockeyeError.Fields(
                .tooManyWaiting, phase: .pool, blame: .policy, message: "too many requests wait for a connection")
            fields.limit = .init("waiters", configured: limit, seen: limit + 1)
            return SockeyeError(fields)
        }
    }
}
