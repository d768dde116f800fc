import SockeyeCore
import SockeyeHTTP
package import SockeyeNet
import Synchronization

/// The connections of a client: an actor that is thin over ``PoolMachine``.
///
/// Each call is one synchronous mutation of the machine, after which its actions are run: connections closed, dials
/// started, waiters woken. Nothing in here awaits between reading and writing state. Dropping the pool closes the idle
/// connections and fails the waiters; connections on lease end with their exchanges.
///
/// The machine and its waiters are under a lock and not the actor's own, so that the steps of nearly every request,
/// taking or awaiting a connection and handing it on, need no hop: two hops a request are a tenth of its cost, and under
/// load more, since contended actors hand tasks to other threads. What takes longer is the actor's: dials, the idle timer,
/// shutting down. News of a decision that was made outside may thus reach it later than other calls; each action says
/// how it copes.
package actor ConnectionPool {
    package typealias Machine = PoolMachine<PoolKey, OriginConnection>
    package typealias Lease = PoolLease<OriginConnection>

    /// The answer to a request for a connection: a lease, or a place in the waiter queue.
    enum Admission: Sendable {
        case lease(Lease)
        /// The place has to be taken, after a dial, if there is one, was started with ``dial(_:)``.
        case wait(WaiterID, Dial?, since: MonotonicTime)
        case refused(SockeyeError)
    }

    package typealias Dial = PoolDial<PoolKey>

    let time: TimeSource
    let poller: any Poller
    let state: Mutex<PoolState>
    /// The timer of the waiters' deadlines.
    let waiterTimer = Mutex<PoolTimer?>(nil)
    var idleTimer: PoolTimer?
    /// When the idle timer wakes, in nanoseconds; the end of time while there is none.
    let idleTimerFiresAt = Atomic(Int64.max)
    private var drainWaiters: [WaitTimer] = []
    /// Whether anybody waits for the pool to be empty.
    private let isAwaitedEmpty = Atomic(false)

    package init(limits: PoolLimits, poller: any Poller) {
        time = poller.time
        self.poller = poller
        state = Mutex(PoolState(machine: Machine(limits: limits, seed: UInt64.random(in: 0 ... .max))))
    }

    deinit {
        idleTimer?.stop()
        waiterTimer.withLock { $0?.stop() }
        for wait in state.withLock({ $0.settleAll(.failed(.shutDown(.pool))) }) { wait.resume() }
    }

    // MARK: Requests

    /// Lends an idle connection, or queues the caller: in one look, for those who wait as for those who need not.
    ///
    /// Not inlined: what it needs meanwhile would be part of the frame that each waiter keeps.
    @inline(never)
    nonisolated func admit(
        _ key: PoolKey, for request: borrowing PreparedRequest, dialer: Dialer, fresh: Bool, now: MonotonicTime
    ) -> Admission {
        let (admission, closing) = state.withLock { state -> (Admission, SmallArray<Machine.Closing>) in
            let earliest = state.earliestUse(key, for: request, now: now)
            switch state.machine.lease(key, fresh: fresh, notIdleBefore: earliest, now: now) {
            case .use(let lease, let closing):
                return (.lease(lease), closing)
            case .wait(let id, let dial, let closing):
                state.queue(id)
                state.setTarget(of: key) {
                    DialTarget(
                        url: request.url, unixSocketPath: key.unixSocketPath, proxy: key.proxy,
                        timeouts: request.deadlines.timeouts, dialer: dialer,
                        tls: dialer.tls.setting(for: request.url, request.options))
                }
                return (.wait(id, dial, since: now), closing)
            case .rejected(let reason):
                return (.refused(Self.refusal(reason)), SmallArray())
            }
        }
        if !closing.isEmpty { for stale in closing { stale.connection.close() } }
        return admission
    }

    /// Starts the dial that a request brought about, and says how to follow it.
    func dial(_ dial: Dial) -> DialProgress { start(dial) }

    /// Whether the end of a lease or a wait must be told to the actor, with ``finish(_:)``.
    nonisolated var isAwaitingEnd: Bool { isAwaitedEmpty.load(ordering: .acquiring) }

    /// The actor's part of returning a connection.
    enum Remainder: Sendable {
        case dial(Dial)
        case noteDrained
        case advanceIdleTimer
    }

    /// Takes a connection back without suspending. Nil: that is all; else ``finish(_:)`` does the rest.
    nonisolated func putBack(
        _ id: ConnectionID, reusable: Bool, keepAliveTimeout: Int?, remainingUses: Int?
    ) -> Remainder? {
        let now = time.now
        return act(
            on: state.withLock { state in
                state.release(
                    id, reusable: reusable, keepAliveTimeout: keepAliveTimeout.map { .seconds($0) },
                    remainingUses: remainingUses, now: now)
            })
    }

    /// Does what was decided of a connection that got free, as far as that needs no actor.
    private nonisolated func act(on step: PoolState.Step) -> Remainder? {
        switch step {
        case .kept(let expiry):
            guard let expiry, PoolTimer.isWorthWaking(for: expiry, insteadOf: idleTimerFiresAt) else { return nil }
            return .advanceIdleTimer
        case .resume(let wait):
            wait?.resume()
            return nil
        case .close(let connection, let dial):
            connection.close()
            return dial.map { .dial($0) } ?? (isAwaitingEnd ? .noteDrained : nil)
        }
    }

    /// Does what was left to do.
    func finish(_ remainder: Remainder?) {
        switch remainder {
        case nil: break
        case .dial(let dial): start(dial)
        case .noteDrained: noteDrained()
        case .advanceIdleTimer: watchIdle()
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

    /// Forgets a connection that the peer has closed before a byte of an answer came, and remembers that of the peer.
    func foundClosed(_ lease: Lease) {
        let now = time.now
        finish(act(on: state.withLock { $0.foundClosed(lease.id, lease.connection, now: now) }))
    }

    package var statistics: PoolStatistics {
        state.withLock { state in
            state.machine.statistics { $0.origin.description + ($0.unixSocketPath.map { " (\($0))" } ?? "") }
        }
    }

    // MARK: Dials

    /// Starts a dial. It outlives the request that caused it: its connection serves the first waiter then.
    @discardableResult
    func start(_ dial: Dial) -> DialProgress {
        let progress = DialProgress()
        let (target, next) = state.withLock { $0.begin(dial) }
        if let target {
            run(dial, to: target, progress)
        } else {
            if let next { start(next) }
            noteDrained()
        }
        return progress
    }

    private func run(_ dial: Dial, to target: DialTarget, _ progress: DialProgress) {
        Task { [weak self] in
            do throws(SockeyeError) {
                let connection = try await target.dialer.dial(target, progress: progress)
                guard let self else { return connection.close() }
                await self.dialSucceeded(dial, connection)
            } catch {
                await self?.dialFailed(dial, to: target, progress, error)
            }
        }
    }

    private func dialSucceeded(_ dial: PoolDial<PoolKey>, _ connection: OriginConnection) {
        let now = time.now
        finish(act(on: state.withLock { $0.dialSucceeded(dial, connection, now: now) }))
        forgetTarget(of: dial.key)
    }

    private func dialFailed(_ dial: Dial, to target: DialTarget, _ progress: DialProgress, _ error: SockeyeError) {
        let now = time.now
        switch state.withLock({ $0.dialFailed(dial, error, now: now) }) {
        case .retry(let connection):
            connection.close()
            run(dial, to: target, progress)
        case .wait(let id, let wakeTime):
            if let wakeTime { setTimer(for: wakeTime, of: id) }
            watchIdle()
        case .end(let wait, let next):
            wait?.resume()
            if let next { start(next) }
            forgetTarget(of: dial.key)
            noteDrained()
            watchIdle()
        }
    }

    private func forgetTarget(of key: PoolKey) {
        state.withLock { $0.forgetTarget(of: key) }
    }

    /// Opens connections ahead of need, within the limits.
    func prewarm(_ key: PoolKey, count: Int, target: DialTarget) {
        for dial in state.withLock({ $0.machine.prewarm(key, count: count) }) { run(dial, to: target, DialProgress()) }
    }

    // MARK: Shutdown

    /// Takes no more requests. Graceful: what runs and waits is served; else it ends now.
    func shutDown(graceful: Bool) {
        let (decision, failed) = state.withLock { state in
            let decision = state.machine.shutdown(graceful: graceful)
            return (decision, decision.waiters.compactMap { state.settle($0, .failed(.shutDown(.pool))) })
        }
        for closing in decision.closing { closing.connection.close() }
        for lease in decision.leased { lease.connection.shutDown() }
        for wait in failed { wait.resume() }
        noteDrained()
    }

    /// Nil when nothing is open any more; else a sleeper that is woken once it is so.
    func drained() throws(TransportError) -> WaitTimer? {
        // Set before the check: what ends from now on tells.
        isAwaitedEmpty.store(true, ordering: .sequentiallyConsistent)
        guard !state.withLock({ $0.machine.isDrained }) else { return nil }
        let sleeper = try WaitTimer(poller: poller)
        drainWaiters.append(sleeper)
        return sleeper
    }

    private func noteDrained() {
        guard !drainWaiters.isEmpty, state.withLock({ $0.machine.isDrained }) else { return }
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
