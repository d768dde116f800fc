import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// The connections of a client, or of several clients that share the pool.
///
/// ```swift
/// let pool = ConnectionPool(configuration: PoolOptions(connections: 512))
/// let api = HTTPClient(pool: pool, configuration: apiConfiguration)
/// let images = HTTPClient(pool: pool, configuration: imageConfiguration)
/// print(pool.statistics.waiting)
/// ```
///
/// A client that is made without a pool has its own, `client.pool`. Clients that share a pool share two limits over all
/// origins, ``PoolOptions/connections`` and ``PoolOptions/waiters``. They also share one queue, in which
/// the request that has waited longest comes first. ``PoolOptions/connectionsPerOrigin`` applies to each client
/// separately. Each connection serves only one client and uses that client's TLS settings, proxy and resolver. Other
/// clients open connections of their own, even if their settings are equal.
///
/// Shutting down or releasing a client closes only the connections of that client. The pool itself needs no shutdown:
/// it lives as long as a client, an exchange or the application refers to it.
public actor ConnectionPool {
    // The actor is a thin layer over ``PoolMachine``. Each operation of the pool changes the machine in one synchronous
    // step, and then carries out the decisions of the machine: closes connections, starts dials (attempts to open a
    // connection) and wakes waiters. Deallocating the pool closes the idle connections; leased connections end with
    // their exchanges.
    //
    // The machine and its waiters are protected by a lock, not by the actor, so that a request takes, awaits and
    // releases a connection without an actor hop. Two hops would make up a tenth of the cost of a request, and more
    // under load, because contended actors hand tasks to other threads. Slower work belongs to the actor: dials, the
    // idle timer, shutting down. A decision that was made outside the actor may be outdated when it reaches the actor,
    // so each action of the actor checks the present state first.

    typealias Machine = PoolMachine<PoolKey, OriginConnection>
    typealias Lease = PoolLease<OriginConnection>

    /// The answer to a request for a connection.
    enum Admission: Sendable {
        case lease(Lease)
        /// The request was queued. The caller starts the dial, if any, with ``dial(_:)``, and then suspends.
        case wait(WaiterID, Dial?, QueuePlace)
        case refused(SockeyeError)

        /// The place in the queue; nil if the request was not queued.
        var place: QueuePlace? {
            if case .wait(_, _, let place) = self { place } else { nil }
        }
    }

    /// The place of a request in the waiter queue. If the request gets a connection that the peer has closed, it waits
    /// again at the same place.
    struct QueuePlace: Sendable {
        /// The time at which the request was first queued. The time limit ``Timeouts/pool`` counts from this time.
        let since: MonotonicTime
        /// The position in the order of arrival; see ``PoolMachine/sequence(of:)``.
        let sequence: UInt64
    }

    typealias Dial = PoolDial<PoolKey>

    /// The limits, and the times for which connections are kept. ``update(_:)`` changes these settings.
    public internal(set) var configuration: PoolOptions
    package nonisolated let pollers: PollerSet
    nonisolated let time: TimeSource
    let state: Mutex<PoolState>
    /// Reports how long connections were open.
    package nonisolated let lifetimes = ConnectionLifetimes()
    /// The dialers of the clients that use the pool.
    let dialers = Mutex<[DialerID: Dialer]>([:])
    /// The timer of the waiters' deadlines.
    let waiterTimer = Mutex<PoolTimer?>(nil)
    /// The timer of the idle reaper, which closes expired idle connections; nil while the reaper is not needed.
    var idleTimer: PoolTimer?
    /// The time at which the idle timer wakes, in nanoseconds; `Int64.max` if there is no timer.
    let idleTimerFiresAt = Atomic(Int64.max)
    /// The tasks that wait for an end (``PoolEnd``): of the requests of a client that was shut down, or of the
    /// connections that ``drain(_:within:)`` closes.
    var endWaiters: [(end: PoolEnd<DialerID>, timer: WaitTimer)] = []
    /// True if there are ``endWaiters``, or a task is about to become one.
    let isAwaitedEnd = Atomic(false)

    /// Creates a pool. No connection is opened before the first request.
    ///
    /// - Parameters:
    ///   - configuration: The limits, and the times for which connections are kept. Values too low to work, such as no
    ///     connections at all, are raised.
    ///   - pollerThreads: The number of poller threads for this pool alone, at most 64. Default 0: the pool uses one
    ///     thread of the process, together with all other pools that have no threads of their own.
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

    /// Leases an idle connection or enqueues the caller, in one critical section. A caller that has waited before is
    /// enqueued at its former place.
    ///
    /// Not inlined: otherwise its temporary values would enlarge the caller's task frame, which a waiter keeps while it
    /// is suspended.
    @inline(never)
    nonisolated func leaseOrEnqueue(
        _ key: PoolKey, for request: borrowing PreparedRequest, dialer: Dialer, fresh: Bool,
        at place: QueuePlace? = nil, now: MonotonicTime
    ) -> Admission {
        let (admission, closing) = state.withLock { state -> (Admission, SmallArray<Machine.Closing>) in
            let earliest = state.earliestUse(key, for: request, now: now)
            switch state.machine.lease(
                key, fresh: fresh, notIdleBefore: earliest, place: place?.sequence, now: now)
            {
            case .use(let lease, let closing):
                return (.lease(lease), closing)
            case .wait(let id, let dial, let closing):
                state.queue(id)
                state.setTarget(of: key, for: id, request.deadlines.timeouts) {
                    DialTarget(
                        url: request.url, unixSocketPath: key.unixSocketPath, proxy: key.proxy,
                        limits: request.deadlines.limits, dialer: dialer,
                        tls: dialer.tls.setting(for: request.url, request.options))
                }
                let place = place ?? QueuePlace(since: now, sequence: state.machine.sequence(of: id) ?? .max)
                return (.wait(id, dial, place), closing)
            case .rejected(let reason):
                return (.refused(Self.refusal(reason)), SmallArray())
            }
        }
        if !closing.isEmpty { for stale in closing { stale.connection.close() } }
        return admission
    }

    /// Starts the dial that a request caused.
    func dial(_ dial: Dial) -> DialProgress { start(dial) }

    /// True if the end of a lease or a wait must be reported to the actor, with ``perform(_:)``.
    nonisolated var isAwaitingEnd: Bool { isAwaitedEnd.load(ordering: .acquiring) }

    /// The part of releasing a connection that needs the actor.
    enum ActorWork: Sendable {
        case dial(Dial)
        case noteEnds
        case advanceIdleTimer
    }

    /// Releases a connection without suspending; `keepAliveTimeout` is in seconds. If the result is not nil, the caller
    /// passes it to ``perform(_:)``.
    nonisolated func releaseWithoutActor(
        _ id: ConnectionID, reusable: Bool, keepAliveTimeout: Int?, remainingUses: Int?
    ) -> ActorWork? {
        let now = time.now
        return act(
            on: state.withLock { state in
                state.release(
                    id, reusable: reusable, keepAliveTimeout: keepAliveTimeout.map { .seconds($0) },
                    remainingUses: remainingUses, now: now)
            })
    }

    /// Carries out the decision on a released connection, except for the part that needs the actor.
    private nonisolated func act(on step: PoolState.Step) -> ActorWork? {
        switch step {
        case .kept(let expiry):
            guard let expiry, isWorthWaking(for: expiry) else { return nil }
            return .advanceIdleTimer
        case .resume(let wait):
            wait?.resume()
            return nil
        case .close(let connection, let dial):
            connection.close()
            return dial.map { .dial($0) } ?? (isAwaitingEnd ? .noteEnds : nil)
        }
    }

    /// True if the idle timer must be set for work at `time`, such as closing an expired connection: no wake-up is
    /// planned, or the planned one is more than 500 ms after `time`.
    nonisolated func isWorthWaking(for time: MonotonicTime) -> Bool {
        let planned = idleTimerFiresAt.load(ordering: .relaxed)
        return planned == .max || time.advanced(by: .milliseconds(500)).nanoseconds < planned
    }

    /// Carries out the part of a release that needs the actor.
    func perform(_ remainder: ActorWork?) {
        switch remainder {
        case nil: break
        case .dial(let dial):
            start(dial)
            noteEnds()
        case .noteEnds: noteEnds()
        case .advanceIdleTimer: watchIdle()
        }
    }

    /// Releases a connection, including the part that needs the actor.
    nonisolated(nonsending) func release(
        _ id: ConnectionID, reusable: Bool, keepAliveTimeout: Int?, remainingUses: Int?
    ) async {
        let remainder = releaseWithoutActor(
            id, reusable: reusable, keepAliveTimeout: keepAliveTimeout, remainingUses: remainingUses)
        if let remainder { await perform(remainder) }
    }

    /// Releases a leased connection over which no request was sent.
    nonisolated(nonsending) func giveBack(_ id: ConnectionID) async {
        let now = time.now
        if let remainder = act(on: state.withLock { $0.giveBack(id, now: now) }) { await perform(remainder) }
    }

    /// Removes a connection that the peer closed before the first byte of a response, and records the close in the
    /// peer's history.
    func closedByPeer(_ lease: Lease) {
        let now = time.now
        perform(act(on: state.withLock { $0.closedByPeer(lease.id, lease.connection, now: now) }))
    }

    // MARK: Dials

    /// Starts a dial. It may outlive the request that caused it; its connection then serves the first waiter.
    @discardableResult
    func start(_ dial: Dial) -> DialProgress {
        let progress = DialProgress()
        let now = time.now
        let (target, next) = state.withLock { $0.begin(dial, now: now) }
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
        lifetimes.track(connection, to: dial.key.origin, by: time)
        let now = time.now
        let success = state.withLock { $0.dialSucceeded(dial, connection, now: now) }
        perform(act(on: success.step))
        if let next = success.next { start(next) }
        if let id = dial.waiter, let wakeTime = success.wakeTime { setTimer(for: wakeTime, of: id) }
        forgetTarget(of: dial.key)
    }

    private func dialFailed(_ dial: Dial, to target: DialTarget, _ progress: DialProgress, _ error: SockeyeError) {
        let now = time.now
        // Recorded here, too, because no request may wait for the dial any more.
        if error.isOfAbsentProxy, let proxy = target.proxy {
            target.dialer.proxies?.note(proxy, isReached: false, at: now)
        }
        switch state.withLock({ $0.dialFailed(dial, error, now: now) }) {
        case .retry(let connection):
            connection.close()
            run(dial, to: target, progress)
        case .wait(let id, let wakeTime):
            if let wakeTime { setTimer(for: wakeTime, of: id) }
            noteEnds()
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
        let now = time.now
        for dial in state.withLock({ $0.machine.prewarm(key, count: count, now: now) }) {
            run(dial, to: target, DialProgress())
        }
    }

    // MARK: Errors

    private static func refusal(_ reason: LeaseRejection) -> SockeyeError {
        switch reason {
        case .shutDown: return .shutDown(.pool)
        case .tooManyWaiters(let limit):
            var fields = SockeyeError.Fields(
                .tooManyWaiting, phase: .pool, blame: .policy,
                message: "the pool refused the request, because the limit on waiting requests (\(limit)) is reached")
            fields.limit = .init("waiters", configured: limit, seen: limit + 1)
            return SockeyeError(fields)
        }
    }
}

extension PoolLease<OriginConnection> {
    /// True for a new connection, and for a reused one if the peer has neither closed it nor sent data on it since its
    /// last use. Must not be called twice, because the check consumes the data that it finds.
    func isUsable() -> Bool { !isReused || connection.hasReceivedNothing() }
}
