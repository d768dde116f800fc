import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// The connections of a client, or of several clients that share them.
///
/// ```swift
/// let pool = ConnectionPool(configuration: PoolOptions(connections: 512))
/// let api = HTTPClient(pool: pool, configuration: apiConfiguration)
/// let images = HTTPClient(pool: pool, configuration: imageConfiguration)
/// print(pool.statistics.waiting)
/// ```
///
/// A client that is made without a pool makes one of its own, `client.pool`. Clients that share a pool share the limits over
/// all origins, ``PoolOptions/connections`` and ``PoolOptions/waiters``, and one queue, in which the request that has
/// waited longest comes first. ``PoolOptions/connectionsPerOrigin`` counts for each client. Connections are not shared,
/// even by clients with equal settings: each is made with the TLS settings, the proxy and the resolver of one client.
///
/// The end of a client, or its shutdown, ends its own connections only. The pool itself needs no shutdown: it lives as long
/// as a client, an exchange or the application refers to it.
public actor ConnectionPool {
    // The actor is thin over ``PoolMachine``. Each call is one synchronous mutation of the machine, after which its actions are
    // run: connections closed, dials started, waiters woken. Nothing in here awaits between reading and writing state. Dropping
    // the pool closes the idle connections; connections on lease end with their exchanges.
    //
    // The machine and its waiters are under a lock and not the actor's own, so that the steps of nearly every request,
    // taking or awaiting a connection and handing it on, need no hop: two hops a request are a tenth of its cost, and under
    // load more, since contended actors hand tasks to other threads. What takes longer is the actor's: dials, the idle timer,
    // shutting down. News of a decision that was made outside may thus reach it later than other calls; each action says
    // how it copes.

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

    /// The limits, and how long connections are kept. ``update(_:)`` changes them.
    public internal(set) var configuration: PoolOptions
    package nonisolated let pollers: PollerSet
    nonisolated let time: TimeSource
    let state: Mutex<PoolState>
    /// The dialers of the clients that use the pool.
    let dialers = Mutex<[DialerID: Dialer]>([:])
    /// The timer of the waiters' deadlines.
    let waiterTimer = Mutex<PoolTimer?>(nil)
    var idleTimer: PoolTimer?
    /// When the idle timer wakes, in nanoseconds; the end of time while there is none.
    let idleTimerFiresAt = Atomic(Int64.max)
    /// The tasks that wait for the end of a client or of a drain.
    var endWaiters: [(end: PoolEnd<DialerID>, sleeper: WaitTimer)] = []
    /// Whether there are ``endWaiters``.
    let isAwaitedEnd = Atomic(false)

    /// Makes a pool. Nothing is opened before the first request.
    ///
    /// - Parameters:
    ///   - configuration: The limits, and how long connections are kept. Values below what can work, such as no connections
    ///     at all, are raised to it.
    ///   - pollerThreads: Poller threads of the pool's own, at most 64. Default 0: the thread that all such pools of the
    ///     process share.
    public init(configuration: PoolOptions = PoolOptions(), pollerThreads: Int = 0) {
        self.init(configuration: configuration, pollers: PollerSet(threads: pollerThreads))
    }

    package init(configuration: PoolOptions, pollers: PollerSet) {
        self.configuration = configuration
        self.pollers = pollers
        time = pollers.time
        let limits = PoolLimits(configuration)
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
                        limits: request.deadlines.limits, dialer: dialer,
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
    nonisolated var isAwaitingEnd: Bool { isAwaitedEnd.load(ordering: .acquiring) }

    /// The actor's part of returning a connection.
    enum Remainder: Sendable {
        case dial(Dial)
        case noteEnds
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
            return dial.map { .dial($0) } ?? (isAwaitingEnd ? .noteEnds : nil)
        }
    }

    /// Does what was left to do.
    func finish(_ remainder: Remainder?) {
        switch remainder {
        case nil: break
        case .dial(let dial):
            start(dial)
            noteEnds()
        case .noteEnds: noteEnds()
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
            noteEnds()
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
            noteEnds()
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
