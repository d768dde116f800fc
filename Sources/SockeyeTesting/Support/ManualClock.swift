public import Sockeye
package import SockeyeCore
import SockeyeEngine
import Synchronization

/// A clock that stands still until the test moves it: time-outs, backoff and expiry without waiting for them.
///
/// ```swift
/// let clock = ManualClock()
/// let client = HTTPClient(clock: clock)
/// let error = await #expect(throws: SockeyeError.self) {
///     try await clock.advancing(by: .seconds(10)) { try await client.get(server.url("/silence")) }
/// }
/// #expect(error?.code == .timeout)                   // a minute later, within milliseconds
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

        /// Whether `left` is the earlier one.
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

    /// Makes a clock that stands at an arbitrary time.
    ///
    /// - Parameter unixTime: What a clock on the wall would show, in seconds since 1970-01-01T00:00:00Z; it moves with this
    ///   one. For what has a date, such as the expiry of cookies. Default 2026-01-01T00:00:00Z.
    public init(unixTime: Int64 = 1_767_225_600) {
        time = ManualTime(unixTime: unixTime)
    }

    /// What a clock on the wall would show: seconds since 1970-01-01T00:00:00Z.
    public var unixTime: Int64 { time.unixTime }

    /// Where the clock stands.
    public var now: Instant { Instant(time: time.now) }

    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The clock as the library reads it; its pollers wake when it is moved.
    package var timeSource: TimeSource { TimeSource(manual: time) }

    /// Moves the clock and wakes every sleep that is due then, the earliest first. Moving it by zero wakes what is due.
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

    /// Runs an operation while the clock moves by `step` about every millisecond of real time.
    ///
    /// For deadlines that are set somewhere within the operation: a single ``advance(by:)`` might come before they are.
    public func advancing<Result>(
        by step: Duration, _ operation: () async throws -> Result
    ) async throws -> Result {
        // Leaving the scope cancels it and waits for it.
        async let _ = tick(by: step)
        return try await operation()
    }

    private func tick(by step: Duration) async {
        while (try? await Task.sleep(for: .milliseconds(1))) != nil { advance(by: step) }
    }

    /// Suspends until the clock has been moved to `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = sleeping.withLock { sleeping in
            sleeping.lastID += 1
            return sleeping.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleeping.withLock { $0.continuations[id] = (deadline.time, continuation) }
                note()
                // A cancellation, or a move of the clock, before the line above found nobody to wake.
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

    /// How many tasks sleep on this clock; what the library waits for through its time source is not counted.
    public var sleeperCount: Int { sleeping.withLock { $0.continuations.count } }

    /// Suspends, in real time, until this many tasks sleep on this clock, so that moving it finds them.
    ///
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    public func waitForSleepers(_ count: Int = 1, timeout: Duration = .seconds(30)) async throws {
        _ = try await self.count.wait(for: "\(count) sleepers", timeout: timeout) { $0 >= count }
    }
}

extension HTTPClient {
    /// Makes a client over sockets whose deadlines, idle times and retries follow a clock that the test moves.
    ///
    /// It has a poller thread of its own, which ends with the client.
    public init(configuration: Configuration = Configuration(), clock: ManualClock) {
        self.init(configuration: configuration, time: clock.timeSource)
    }
}

extension ConnectionPool {
    /// Makes a pool whose clients follow a clock that the test moves: their deadlines, idle times and retries.
    ///
    /// It has a poller thread of its own, which ends with the pool.
    public init(configuration: PoolOptions = PoolOptions(), clock: ManualClock) {
        self.init(configuration: configuration, pollers: PollerSet(time: clock.timeSource))
    }
}

extension CookiePolicy.Jar {
    /// Makes a jar whose cookies expire by a clock that the test moves.
    public init(
        limits: ClientCookie.Limits = ClientCookie.Limits(), trustsLoopback: Bool = true, clock: ManualClock
    ) {
        self.init(limits: limits, trustsLoopback: trustsLoopback, time: clock.timeSource)
    }
}
