import HTTPTypes
package import SockeyeCore
package import SockeyeHTTP
import SockeyeNet
import Synchronization

/// The built-in transport: sends requests over the connections of a pool, and repeats them if a reused connection was
/// closed.
///
/// Every client that is made without a transport has a socket transport. Create one only to wrap it in an
/// ``HTTPTransport`` of your own.
public final class SocketTransport: HTTPTransport {
    let shared: SharedConfiguration
    let core: TransportCore
    /// True if the configuration has a closure that chooses the routes to a target. The closure may suspend.
    private let hasRoutes: Bool
    /// The start of the first graceful shutdown, in nanoseconds; `.min` before it.
    private let drainStart = Atomic<Int64>(.min)
    /// The clock of the client's policies, which wait on the same pollers as its requests.
    package let clock: CallClock

    /// - Parameter streams: Opens connections instead of the dialer, for tests.
    package init(configuration: EngineConfiguration, pool: ConnectionPool, streams: StreamSource? = nil) {
        shared = SharedConfiguration(configuration)
        if case .routing = configuration.proxy.choice { hasRoutes = true } else { hasRoutes = false }
        core = TransportCore(configuration: configuration, pool: pool, streams: streams)
        let pollers = pool.pollers
        clock = CallClock(time: pool.time) { () throws(TransportError) in try pollers.first() }
        // The first poller is created now, while descriptors are available. If this fails, the first dial tries again.
        _ = try? pollers.first()
    }

    /// Creates a transport with a pool of its own.
    package convenience init(
        configuration: EngineConfiguration, time: TimeSource = .system, streams: StreamSource? = nil
    ) {
        let pollers = PollerSet(threads: configuration.pollerThreads, time: time)
        self.init(
            configuration: configuration, pool: ConnectionPool(configuration: configuration.pool, pollers: pollers),
            streams: streams)
    }

    deinit {
        // Closes the idle connections of this client. Running exchanges continue: their leases keep the pool alive.
        Task { [pool = core.pool, dialer = core.dialer.id] in await pool.remove(dialer) }
    }

    package var configuration: EngineConfiguration { shared.value }
    package var pool: ConnectionPool { core.pool }

    /// Sends a request over a connection of the pool.
    public func send(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        try await perform(request).answer()
    }

    /// This transport itself.
    public var sockets: SocketTransport? { self }

    /// Sends a request. Repeats it in three cases: ``StaleConnectionReplay`` allows it, the server refused its
    /// expectation (417), or a forwarding proxy asked for credentials (407).
    ///
    /// The client calls this method instead of ``send(_:)``, which would cost every request another asynchronous frame.
    ///
    /// - Parameters:
    ///   - call: The client's call that makes this request. The call supplies the observer and the deadline. Nil if
    ///     there is no such call, or if the options of the request already contain both.
    ///   - added: Fields that policies added to those of the request.
    ///   - chosen: The proxy if it is already chosen, or `.some(nil)` for a direct connection. Nil, the default,
    ///     leaves the choice to this method.
    package func perform(
        _ request: OutgoingRequest, of call: (any CallLink)? = nil, adding added: FieldLineBuffer = FieldLineBuffer(),
        through chosen: Proxy?? = nil
    ) async throws(SockeyeError) -> ExchangeOutcome {
        if needsRoute(request, chosen) { return try await performRouted(request, of: call, adding: added) }
        var (attempt, isFirst, started, exchange) = (1, true, MonotonicTime?.none, 0)
        let oneShotClaim = try Self.claim(for: request)
        do throws(SockeyeError) {
            var route = try route(of: request, through: chosen)
            var runner = ExchangeRunner(
                pool: route.core.pool,
                request: try PreparedRequest(
                    request.parts, of: call, proxy: route.proxy, proxyAuthorization: route.round?.sent?.authorization,
                    configuration: shared, time: route.core.time))
            started = runner.request.deadlines.started
            while true {
                let (lease, begun) = try await lease(
                    route, for: runner.request, as: &exchange, of: call, isFresh: attempt > 1, isFirst: isFirst)
                runner.request.exchange = exchange
                isFirst = false
                let outcome: ExchangeOutcome
                do throws(ExchangeFailure) {
                    outcome = try await runner.run(on: lease, from: begun, adding: added)
                } catch {
                    try prepare(&runner.request, request, after: error, lease, route.proxy, replays: attempt - 1)
                    attempt += 1
                    continue
                }
                guard route.round != nil, let answered = try await route.answer(outcome, to: runner.request) else {
                    oneShotClaim?.release()
                    return outcome
                }
                runner.request = answered
            }
        } catch {
            oneShotClaim?.release()
            request.parts.observer(of: call)?.exchangeEnded(in: exchange, error)
            throw Self.completed(error, of: request, attempt: attempt, started: started)
        }
    }

    /// True if one of several routes must be chosen first.
    @inline(__always)
    private func needsRoute(_ request: OutgoingRequest, _ chosen: Proxy??) -> Bool {
        hasRoutes && chosen == nil && request.options.unixSocketPath == nil
    }

    @inline(__always)
    private func route(of request: OutgoingRequest, through chosen: Proxy??) throws(SockeyeError) -> RequestRoute {
        var proxy: Proxy?
        if let chosen {
            proxy = chosen
        } else {
            proxy = try core.proxy(for: request.url, unixSocketPath: request.options.unixSocketPath)
        }
        proxy = proxy?.serving(request)
        let tls = try core.dialer.tls.identity(for: request.parts)
        return RequestRoute(
            core: core, proxy: proxy, key: PoolKey(request.parts, proxy, core, tls: tls),
            round: proxy?.round(for: request))
    }

    /// Returns a connection, and the time when it was obtained. The connection is new, or was checked: since its last
    /// use the peer has neither closed it nor sent anything. Inlined to save every request an asynchronous frame.
    ///
    /// - Parameter exchange: Set to the number of the exchange that begins.
    @inline(__always)
    private func lease(
        _ route: borrowing RequestRoute, for request: borrowing PreparedRequest, as exchange: inout Int,
        of call: (any CallLink)?, isFresh: Bool, isFirst: Bool
    ) async throws(SockeyeError) -> (ConnectionPool.Lease, MonotonicTime) {
        if Task.isCancelled { throw SockeyeError(TransportError.cancelled, phase: .pool) }
        // The first attempt reuses its start time, because reading the clock is expensive.
        let now = isFirst ? request.deadlines.started : route.core.time.now
        if now >= request.deadlines.total { try Self.checkTotal(of: request, as: &exchange, isReported: false) }
        let admission = route.core.pool.leaseOrEnqueue(
            route.key, for: request, dialer: route.core.dialer, fresh: isFresh, now: now)
        guard case .lease(let idle) = admission, idle.isUsable() else {
            return try await lease(
                insteadOf: admission, route, for: request, as: &exchange, isFresh: isFresh,
                wasAccepted: !isFirst || beganBeforeDrain(request.request.start(of: call)))
        }
        // If the connection was idle, a single report tells the observer the start of the exchange and its connection.
        if let observer = request.observer {
            exchange = observer.exchangeBegan(
                request.request.method, request.url, on: idle.connection.metrics(isReused: idle.isReused))
        }
        return (idle, now)
    }

    /// Like ``lease(_:for:as:of:isFresh:isFirst:)``, but waits for a connection, because no usable one was idle.
    private func lease(
        insteadOf admission: ConnectionPool.Admission, _ route: borrowing RequestRoute,
        for request: borrowing PreparedRequest, as exchange: inout Int, isFresh: Bool, wasAccepted: Bool
    ) async throws(SockeyeError) -> (ConnectionPool.Lease, MonotonicTime) {
        let core = route.core
        var (admission, place, isFresh, wasAccepted) = (admission, admission.place, isFresh, wasAccepted)
        if let observer = request.observer {
            exchange = observer.exchangeBegan(request.request.method, request.url)
        }
        while true {
            // During a graceful shutdown, the pool accepts only requests for a fresh connection. A call that began
            // before the shutdown must still be served, so it asks the pool again, now for a fresh connection.
            if wasAccepted, !isFresh, case .refused(let error) = admission, error.code == .shutDown {
                isFresh = true
            } else if let lease = try await core.pool.acquire(insteadOf: admission, request.deadlines) {
                request.observer?.connected(to: lease.connection.metrics(isReused: lease.isReused), in: exchange)
                return (lease, core.time.now)
            } else {
                wasAccepted = true
            }
            let now = core.time.now
            if now >= request.deadlines.total { try Self.checkTotal(of: request, as: &exchange, isReported: true) }
            admission = core.pool.leaseOrEnqueue(
                route.key, for: request, dialer: core.dialer, fresh: isFresh, at: place, now: now)
            place = admission.place ?? place
            if case .lease(let idle) = admission, idle.isUsable() {
                request.observer?.connected(to: idle.connection.metrics(isReused: idle.isReused), in: exchange)
                return (idle, now)
            }
        }
    }

    private func beganBeforeDrain(_ start: MonotonicTime?) -> Bool {
        guard let start else { return false }
        return start.nanoseconds <= drainStart.load(ordering: .acquiring)
    }

    /// Throws if the request has no time left, so that nothing is sent.
    ///
    /// - Parameters:
    ///   - exchange: Set to the number of the exchange if this method reports its start.
    ///   - isReported: True if the observer knows of the exchange.
    @inline(never)
    private static func checkTotal(
        of request: borrowing PreparedRequest, as exchange: inout Int, isReported: Bool
    ) throws(SockeyeError) {
        guard let error = request.deadlines.exceeded(in: .prepare) else { return }
        if !isReported, let observer = request.observer {
            exchange = observer.exchangeBegan(request.request.method, request.url)
        }
        throw error
    }

    /// Claims a one-shot body for this request; nil for other bodies.
    @inline(__always)
    private static func claim(for request: OutgoingRequest) throws(SockeyeError) -> OneShotClaim? {
        guard let oneShotClaim = request.parts.body.oneShotClaim else { return nil }
        try claim(oneShotClaim, for: request)
        return oneShotClaim
    }

    private static func claim(_ oneShotClaim: OneShotClaim, for request: OutgoingRequest) throws(SockeyeError) {
        do throws(SockeyeError) {
            try oneShotClaim.claim()
        } catch {
            throw completed(error, of: request, attempt: 1, started: nil)
        }
    }

    private static func completed(
        _ error: SockeyeError, of request: OutgoingRequest, attempt: Int, started: MonotonicTime?
    ) -> SockeyeError {
        error.with { fields in
            fields.attempt = attempt
            fields.started = started
            fields.request = RequestIdentity(method: request.method.rawValue, url: request.url)
        }
    }

    /// Prepares the request for another attempt.
    private func prepare(
        _ prepared: inout PreparedRequest, _ request: OutgoingRequest, after failure: ExchangeFailure,
        _ lease: ConnectionPool.Lease, _ proxy: Proxy?, replays: Int
    ) throws(SockeyeError) {
        prepared.observer?.exchangeEnded(in: prepared.exchange, failure.error)
        // If the server refused an expectation, the body is still unread, so the next attempt can send even a one-shot
        // body.
        if failure.isExpectationRefusal {
            prepared = PreparedRequest(withoutExpectation: prepared)
            return
        }
        guard StaleConnectionReplay.mayReplay(request, after: failure, isReused: lease.isReused, replays: replays)
        else {
            let error = failure.error.naming(proxy, for: request.url)
            throw failure.isUnsent ? error.with { $0.isUnsent = true } : error
        }
    }
}

extension PoolKey {
    fileprivate init(_ request: OutgoingRequest.Parts, _ proxy: Proxy?, _ core: TransportCore, tls: Int) {
        self.init(
            origin: request.url.origin, unixSocketPath: request.options.unixSocketPath, proxy: proxy,
            dialer: core.dialer.id, tls: tls)
    }
}

// Management of connections.
extension SocketTransport {
    /// Opens connections ahead of need, within the limits of the pool, and does not wait for them. Waits only for the
    /// closure that chooses the routes, if there is one, and at most for the time of ``Timeouts/connect``.
    ///
    /// - Parameters:
    ///   - timeouts: Deadlines that override the client's.
    ///   - isOutsideScope: True if the client certificate is not meant for the origin of the URL.
    package func prewarm(
        _ url: HTTPURL, connections: Int, unixSocketPath: String?, timeouts: Timeouts?, isOutsideScope: Bool
    ) async throws(SockeyeError) {
        var proxy = try core.proxy(for: url, unixSocketPath: unixSocketPath)
        let limits = PhaseLimits(timeouts?.over(configuration.timeouts) ?? configuration.timeouts)
        if let proxies = core.proxies, proxies.isRouted, unixSocketPath == nil {
            let now = core.time.now
            let runner = DeadlineRunner(deadline: now.deadline(after: limits.connect), poller: try core.poller)
            proxy = try await proxies.routes(to: url, at: now, runner).first ?? nil
        }
        var options = OutgoingRequest.Options()
        if isOutsideScope { options.isOutsideScope = true }
        let tls = core.dialer.tls.setting(for: url, options)
        let key = PoolKey(
            origin: url.origin, unixSocketPath: unixSocketPath, proxy: proxy,
            dialer: core.dialer.id, tls: url.scheme == .https ? tls.id : 0)
        let target = DialTarget(
            url: url, unixSocketPath: unixSocketPath, proxy: proxy, limits: limits, dialer: core.dialer, tls: tls)
        await core.pool.prewarm(key, count: connections, target: target)
    }

    /// Closes the least recently used idle connection of the pool; false if no connection is idle.
    package func evictIdleConnection() async -> Bool { await pool.evictIdle() }

    /// The dialer of the client. In a shared pool, it distinguishes the connections of this client from those of other
    /// clients.
    package var dialer: Dialer { core.dialer }

    /// Refuses new calls and waits at most `limit` for the running ones. Then refuses every request and fails the calls
    /// that still run.
    ///
    /// - Parameter suspended: The calls that have no connection now but may make another request, for example after the
    ///   pause before a retry. The pool does not know of these calls.
    package func drain(within limit: Duration, _ suspended: SuspendedCalls) async {
        let deadline = core.time.now.advanced(by: limit)
        await beginDrain()
        while await hasEnded(suspended, by: deadline) {
            // A call first returns its connection and then counts itself as suspended. If the kernel has interrupted
            // its thread between these two steps, the first check missed the call. So a second check follows.
            try? await Task.sleep(for: Self.settling)
            if await hasEnded(suspended, by: .zero) { break }
        }
        await shutDown()
    }

    /// The time in which a thread that the kernel has interrupted usually runs again.
    private static let settling = Duration.milliseconds(10)

    /// Refuses calls that begin after the first use of this method.
    func beginDrain() async {
        let now = core.time.now.nanoseconds
        _ = drainStart.compareExchange(expected: .min, desired: now, ordering: .acquiringAndReleasing)
        await pool.shutDown(dialer.id, graceful: true)
    }

    /// Waits for the end of all calls: those with a connection, those that wait for a connection, and suspended ones.
    /// False if a call is left when the deadline passes or the task is cancelled, or if no timer can be created.
    private func hasEnded(_ suspended: SuspendedCalls, by deadline: MonotonicTime) async -> Bool {
        guard await pool.wait(for: .owner(dialer.id), until: deadline) else { return false }
        let poller = try? core.poller
        guard await suspended.waitUntilEmpty(until: deadline, on: poller) else { return false }
        return await core.suspendedCalls.waitUntilEmpty(until: deadline, on: poller)
    }

    /// False if a graceful shutdown refuses a call with this start.
    package func admits(_ start: MonotonicTime) -> Bool {
        let drainStart = drainStart.load(ordering: .acquiring)
        return drainStart == .min || start.nanoseconds <= drainStart
    }

    /// True once a graceful shutdown has begun.
    package var isDraining: Bool { drainStart.load(ordering: .acquiring) != .min }

    /// Refuses further requests, and fails the running ones.
    package func shutDown() async {
        await pool.shutDown(dialer.id, graceful: false)
        dialer.resolver.abandonAll()
    }
}

extension TransportCore {
    /// Returns the proxy for a request to `url`; nil for a direct connection.
    fileprivate func proxy(for url: HTTPURL, unixSocketPath: String?) throws(SockeyeError) -> Proxy? {
        guard let proxies, unixSocketPath == nil else { return nil }
        return try proxies.proxy(for: url)
    }
}
