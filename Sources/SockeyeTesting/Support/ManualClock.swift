public import Sockeye
package import SockeyeCore
import SockeyeEngine
import Synchronization

/// A clock that stands still until the test advances it: timeouts, backoff and expiry without real waiting.
///
/// ```swift
/// let clock = ManualClock()
/// let client = HTTPClient(clock: clock)
/// let error = await #expect(throws: SockeyeError.self) {
///     try await clock.advancing(by: .seconds(10)) {
///         try await client.get(server.url("/silence"))
///     }
/// }
/// // the default timeout of one minute passed within milliseconds of real time
/// #expect(error?.code == .timeout)
/// ```
public final class ManualClock: Clock, Sendable {
    /// A point on the time line of manual clocks.
    public struct Instant: InstantProtocol, Sendable {
        let time: MonotonicTime

        /// This instant moved by a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(time: time.advanced(by: duration))
        }

        /// The time from this instant to another.
        public func duration(to other: Instant) -> Duration {
            .nanoseconds(other.time.nanoseconds) - .nanoseconds(time.nanoseconds)
        }

        /// Returns true if `left` is earlier.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.time < right.time
        }
    }

    private struct Sleeping {
        var continuations: [Int: (deadline: MonotonicTime, CheckedContinuation<Void, any Error>)] = [:]
        var lastID = 0
    }

    private let time: ManualTime
    private let sleeping = Mutex(Sleeping())
    private let count = ConditionVariable(0)

    /// Makes a clock with an arbitrary current instant.
    ///
    /// - Parameter unixTime: The wall-clock time in seconds since 1970-01-01T00:00:00Z, which advances with this clock.
    ///   It is used for dates, such as the expiry of cookies. Default 2026-01-01T00:00:00Z.
    public init(unixTime: Int64 = 1_767_225_600) {
        time = ManualTime(unixTime: unixTime)
    }

    /// The wall-clock time: seconds since 1970-01-01T00:00:00Z.
    public var unixTime: Int64 { time.unixTime }

    /// The current instant.
    public var now: Instant { Instant(time: time.now) }

    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The time source through which the library uses this clock. Advancing the clock wakes the pollers (event loops)
    /// that use this time source.
    package var timeSource: TimeSource { TimeSource(manual: time) }

    /// Advances the clock and wakes every sleep that is due, the earliest first.
    public func advance(by duration: Duration) {
        time.advance(by: duration)
        let now = time.now
        let due = sleeping.withLock { sleeping in
            let due = sleeping.continuations.filter { $0.value.deadline <= now }.sorted {
                $0.value.deadline < $1.value.deadline
            }
            for (id, _) in due { sleeping.continuations[id] = nil }
            return due.map(\.value.1)
        }
        note()
        for continuation in due { continuation.resume() }
    }

    /// Runs an operation while the clock advances by `step` about every millisecond of real time.
    ///
    /// Use it for deadlines that are set within the operation: a single ``advance(by:)`` might come before they are
    /// set.
    public func advancing<Result>(
        by step: Duration, _ operation: () async throws -> Result
    ) async throws -> Result {
        // Leaving the scope cancels the ticking task and waits for it.
        async let _ = tick(by: step)
        return try await operation()
    }

    private func tick(by step: Duration) async {
        while (try? await Task.sleep(for: .milliseconds(1))) != nil { advance(by: step) }
    }

    /// Suspends until the clock reaches `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = sleeping.withLock { sleeping in
            sleeping.lastID += 1
            return sleeping.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleeping.withLock { $0.continuations[id] = (deadline.time, continuation) }
                note()
                // The task may have been cancelled, or the clock advanced, before the continuation was registered
                // above. Neither event could then resume the continuation, so both conditions are checked here.
                if Task.isCancelled { cancel(id) }
                if time.now >= deadline.time { advance(by: .zero) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let entry = sleeping.withLock { $0.continuations.removeValue(forKey: id) }
        note()
        entry?.1.resume(throwing: CancellationError())
    }

    private func note() {
        count.update { $0 = sleeping.withLock { $0.continuations.count } }
    }

    /// The number of tasks that sleep on this clock. The library's own waits do not count, because they use the clock's
    /// time source instead.
    public var sleeperCount: Int { sleeping.withLock { $0.continuations.count } }

    /// Suspends, in real time, until at least this many tasks sleep on this clock.
    ///
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    public func waitForSleepers(_ count: Int = 1, timeout: Duration = .seconds(30)) async throws {
        _ = try await self.count.wait(for: "\(count) sleepers", timeout: timeout) { $0 >= count }
    }
}

extension HTTPClient {
    /// Makes a client that uses sockets. Its deadlines, idle times and retries follow a clock that the test advances.
    ///
    /// The client has poller threads (event loops) of its own. They end with the client.
    public init(configuration: Configuration = Configuration(), clock: ManualClock) {
        self.init(configuration: configuration, time: clock.timeSource)
    }
}

extension ConnectionPool {
    /// Makes a pool. The deadlines, idle times and retries of its clients follow a clock that the test advances.
    ///
    /// The pool has a poller thread (event loop) of its own. The thread ends with the pool.
    public init(configuration: PoolOptions = PoolOptions(), clock: ManualClock) {
        self.init(configuration: configuration, pollers: PollerSet(time: clock.timeSource))
    }
}

extension CookiePolicy.Jar {
    /// Makes a jar with cookies that expire by a clock that the test advances.
    public init(
        limits: ClientCookie.Limits = ClientCookie.Limits(), trustsLoopback: Bool = true, clock: ManualClock
    ) {
        self.init(limits: limits, trustsLoopback: trustsLoopback, time: clock.timeSource)
    }
}
