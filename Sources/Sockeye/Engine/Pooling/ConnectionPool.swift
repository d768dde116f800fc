import SockeyeCore
import SockeyeHTTP1
package import SockeyeTransport

/// The connections of a client: an actor that is thin over ``PoolMachine``.
///
/// Each call is one synchronous mutation of the machine, after which its actions are run: connections closed, dials
/// started, waiters woken. Nothing in here awaits between reading and writing state. Dropping the pool closes the idle
/// connections and fails the waiters; connections on lease end with their exchanges.
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
    private var machine: Machine
    private var waiters: [WaiterID: PoolWaiter] = [:]
    /// How to dial for a key, from the latest request of it; kept while anybody waits or dials.
    private var targets: [PoolKey: DialTarget] = [:]
    private var janitor: Janitor?
    private var drainWaiters: [Sleeper] = []

    package init(limits: PoolLimits, poller: any Poller) {
        time = poller.time
        self.poller = poller
        machine = Machine(limits: limits, seed: UInt64.random(in: 0 ... .max))
    }

    deinit {
        janitor?.stop()
        for waiter in waiters.values { waiter.resolve(.failed(.shutDown(.pool))) }
    }

    // MARK: Requests

    /// Lends an idle connection, or queues the caller and dials if the limits allow.
    func lease(_ key: PoolKey, for request: PreparedRequest, dialer: Dialer, fresh: Bool) -> Admission {
        switch machine.lease(key, fresh: fresh, now: time.now) {
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
                _ = machine.abandon(id)
                return .refused(SockeyeError(error, phase: .pool))
            }
        case .rejected(let reason):
            return .refused(Self.refusal(reason))
        }
    }

    /// Takes a waiter that gave up out of the queue. False when it was served before: its outcome is there.
    func abandon(_ id: WaiterID) -> Bool {
        guard machine.abandon(id) == .removed else { return false }
        waiters[id] = nil
        noteDrained()
        return true
    }

    /// Takes a connection back.
    func release(_ id: ConnectionID, reusable: Bool, keepAliveTimeout: Int?, remainingUses: Int?) {
        let decision = machine.release(
            id, reusable: reusable, keepAliveTimeout: keepAliveTimeout.map { .seconds($0) },
            remainingUses: remainingUses, now: time.now)
        run(decision)
        // A connection that the server keeps for a shorter time than we do is the only one that can expire before the
        // janitor comes.
        if keepAliveTimeout != nil { watchIdle() }
    }

    /// Forgets a connection that was found closed before anything was sent on it.
    func foundStale(_ id: ConnectionID) {
        run(machine.foundStale(id))
    }

    package var statistics: PoolStatistics {
        machine.statistics { $0.origin.description + ($0.unixSocketPath.map { " (\($0))" } ?? "") }
    }

    // MARK: Actions

    private func run(_ decision: Machine.ReleaseDecision) {
        switch decision {
        case .none:
            if janitor == nil { watchIdle() }
        case .serve(let id, let lease):
            serve(id, with: lease)
        case .close(let closing, let dial):
            closing.connection.close()
            if let dial { start(dial) }
            if !drainWaiters.isEmpty { noteDrained() }
        }
    }

    private func serve(_ id: WaiterID, with lease: Lease) {
        waiters.removeValue(forKey: id)?.resolve(.lease(lease))
    }

    // MARK: Dials

    /// Starts a dial. It outlives the request that caused it: what it opens serves whoever waits then.
    @discardableResult
    private func start(_ dial: PoolDial<PoolKey>) -> DialProgress {
        let progress = DialProgress()
        guard let target = targets[dial.key] else {
            assertionFailure("a dial for a key that nobody asked for")
            _ = machine.dialFailed(dial.id)
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
        run(machine.dialSucceeded(dial.id, connection: connection, now: time.now))
        forgetTarget(of: dial.key)
    }

    private func dialFailed(_ dial: PoolDial<PoolKey>, _ error: SockeyeError) {
        let decision = machine.dialFailed(dial.id)
        if let failed = decision.failed { waiters.removeValue(forKey: failed)?.resolve(.failed(error)) }
        if let next = decision.dial { start(next) }
        forgetTarget(of: dial.key)
        noteDrained()
    }

    private func forgetTarget(of key: PoolKey) {
        if waiters.isEmpty {
            targets.removeAll(keepingCapacity: true)
        } else if !machine.isWaitedFor(key) {
            // There may always be a waiter for something; a crawler must not pile up targets meanwhile.
            targets[key] = nil
        }
    }

    /// Opens connections ahead of need, within the limits.
    func prewarm(_ key: PoolKey, count: Int, target: DialTarget) {
        targets[key] = target
        for dial in machine.prewarm(key, count: count) { start(dial) }
    }

    // MARK: Idle connections

    private func watchIdle() {
        guard let next = machine.nextDeadline else { return }
        if let janitor {
            janitor.expect(next)
        } else {
            janitor = try? Janitor(poller: poller, first: next) { [weak self] in await self?.tick() }
        }
    }

    /// Closes what has expired. Returns when to come again; nil ends the janitor until something is idle again.
    private func tick() -> MonotonicTime? {
        for closing in machine.tick(now: time.now) { closing.connection.close() }
        guard let next = machine.nextDeadline else {
            janitor = nil
            return nil
        }
        return next
    }

    /// Closes every idle connection.
    func closeIdle() {
        for closing in machine.closeIdle() { closing.connection.close() }
    }

    // MARK: Shutdown

    /// Takes no more requests. Graceful: what runs and waits is served; else it ends now.
    func shutDown(graceful: Bool) {
        let decision = machine.shutdown(graceful: graceful)
        for closing in decision.closing { closing.connection.close() }
        for lease in decision.leased { lease.connection.shutDown() }
        for id in decision.waiters { waiters.removeValue(forKey: id)?.resolve(.failed(.shutDown(.pool))) }
        noteDrained()
    }

    /// Nil when nothing is open any more; else a sleeper that is woken once it is so.
    func drained() throws(TransportError) -> Sleeper? {
        guard !machine.isDrained else { return nil }
        let sleeper = try Sleeper(poller: poller)
        drainWaiters.append(sleeper)
        return sleeper
    }

    private func noteDrained() {
        guard !drainWaiters.isEmpty, machine.isDrained else { return }
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
