public import SockeyeCore
import Synchronization

/// The place where tasks wait until a descriptor is ready: a slot for the reader and one for the writer, each with the
/// remembered readiness and at most one waiting task.
///
/// States of a slot; every transition happens under one short lock:
/// - idle → `wait` → waiting;
/// - idle → an edge (an edge-triggered event of the kernel) → ready, which remembers the edge;
/// - ready → `wait` → idle, without suspending. Cancellation and a deadline that has passed take precedence, so that a
///   peer that always sends cannot keep a task running past its deadline or cancellation. After ``immediateWakeLimit``
///   such waits in a row, the next one suspends the task until other tasks of its executor have run, so that the peer
///   cannot occupy the thread;
/// - waiting → an edge, the deadline, cancellation or `close` → idle, and the continuation is resumed exactly once;
/// - any → `close` → closed: every later wait returns at once.
///
/// A wait stores its deadline, and schedules a timer of the poller only if the deadline is earlier than the first timer
/// of the point (``ScheduledTimers``). When this timer fires, another one is scheduled only if the earliest deadline of
/// the remaining waits comes before the next timer. A connection that is used a thousand times a second thus changes
/// the poller's timer heap once per time-out period, and not once per request.
@usableFromInline package final class WaitPoint: Sendable {
    /// The reason why a wait ended.
    @usableFromInline package enum Wake: Sendable {
        case ready, timedOut, cancelled, closed

        /// Throws the corresponding ``TransportError`` unless the wait ended with readiness.
        package func check() throws(TransportError) {
            switch self {
            case .ready: return
            case .timedOut: throw .timedOut
            case .cancelled: throw .cancelled
            case .closed: throw .closed
            }
        }
    }

    @safe struct Waiter {
        let interest: Interest
        let deadline: MonotonicTime
        /// True if the task ran on the poller's thread when the wait began. It resumes there, too.
        let isAtPoller: Bool
        let continuation: UnsafeContinuation<Wake, Never>
    }

    struct Slot {
        /// The readiness that edges have reported and no wait has consumed.
        var ready: Interest = []
        /// The number of waits that ended without suspending since the last suspension.
        var immediateWakes: UInt8 = 0
        var waiter: Waiter?

        /// Counts a wait that ends without suspending. Returns true if this wait has to suspend nevertheless.
        mutating func mustYield() -> Bool {
            immediateWakes &+= 1
            guard immediateWakes > WaitPoint.immediateWakeLimit else { return false }
            immediateWakes = 0
            return true
        }

        /// Removes and returns the waiter if it waits for `interest`; otherwise remembers the edge.
        mutating func signal(_ interest: Interest) -> Resumption? {
            guard let waiting = waiter, !waiting.interest.isDisjoint(with: interest) else {
                ready.formUnion(interest)
                return nil
            }
            // `end` stays remembered for `hasPendingRead`: the woken reader may stop before the end of the stream.
            if interest.contains(.end) { ready.insert(.end) }
            waiter = nil
            return unsafe Resumption(continuation: waiting.continuation, mayResumeInPool: !waiting.isAtPoller)
        }

        /// Removes the waiter and returns its continuation if its deadline has passed.
        mutating func expire(at now: MonotonicTime) -> UnsafeContinuation<Wake, Never>? {
            guard let waiting = waiter, waiting.deadline <= now else { return nil }
            waiter = nil
            return unsafe waiting.continuation
        }
    }

    struct State {
        var reader = Slot()
        var writer = Slot()
        var isClosed = false
        var timers = ScheduledTimers()
        /// The value of ``endTime``; distant future instead of nil.
        var endedAt = MonotonicTime.distantFuture

        subscript(role: StreamRole) -> Slot {
            // Not `_read`: its coroutine allocates a frame, and a slot is trivial to copy.
            get { role == .reader ? reader : writer }
            _modify { if role == .reader { yield &reader } else { yield &writer } }
        }
    }

    private enum ParkOutcome {
        /// The wait ends without suspending.
        case immediate(Wake)
        /// The wait ends with readiness after other tasks of the executor have run.
        case behindOthers
        /// The task is suspended; unless `armAt` is nil, the caller must schedule a timer for that time.
        case parked(armAt: MonotonicTime?)
    }

    /// The number of waits in a row that may end without suspending. A TLS peer could otherwise cause any number of
    /// such waits by sending records without application data: each record causes an edge, but the reader gets no data
    /// and waits again.
    private static let immediateWakeLimit: UInt8 = 4

    package let poller: any Poller
    private let token: WaitToken
    private let state = Mutex(State())
    /// The flags of cancellations that found no suspended task. A flag is set and checked under the lock, but reset
    /// without it.
    private let cancelled = CancelledRoles()

    init(poller: any Poller, token: WaitToken) {
        self.poller = poller
        self.token = token
    }

    /// Suspends until `interest` is signalled to this role, the deadline passes, the task is cancelled, or the point is
    /// closed.
    ///
    /// Every request suspends here, so this method avoids the cost of a `CheckedContinuation`. The transitions of a
    /// slot guarantee that each continuation is resumed exactly once. Inlining saves every request an async frame.
    @inlinable @inline(__always)
    package func wait(
        for interest: Interest, as role: StreamRole, until deadline: MonotonicTime
    ) async -> Wake {
        let isAtPoller = beginWait(as: role)
        return await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                unsafe park(continuation, for: interest, as: role, until: deadline, isAtPoller: isAtPoller)
            }
        } onCancel: {
            cancel(role)
        }
    }

    /// Resets the flag of a cancellation that came too late for the last wait. The handler of that wait cannot set the
    /// flag again, because `withTaskCancellationHandler` does not return while its handler runs.
    ///
    /// - Returns: True on the poller's thread.
    @usableFromInline
    func beginWait(as role: StreamRole) -> Bool {
        if cancelled[role].load(ordering: .relaxed) { cancelled[role].store(false, ordering: .relaxed) }
        return poller.isCurrentThread
    }

    @usableFromInline
    func park(
        _ continuation: UnsafeContinuation<Wake, Never>, for interest: Interest, as role: StreamRole,
        until deadline: MonotonicTime, isAtPoller: Bool
    ) {
        let waiter = unsafe Waiter(
            interest: interest, deadline: deadline, isAtPoller: isAtPoller, continuation: continuation)
        switch park(waiter, as: role) {
        case .immediate(let wake): unsafe continuation.resume(returning: wake)
        case .behindOthers:
            let resumption = unsafe Resumption(continuation: continuation, mayResumeInPool: false)
            // The new task is enqueued behind the other jobs of the poller's thread or of the global pool. If the
            // waiting task has another executor, the global pool runs the new task.
            if isAtPoller {
                Task(executorPreference: poller) { resumption.resume() }
            } else {
                Task { resumption.resume() }
            }
        case .parked(let armAt): if let armAt { poller.arm(token, at: armAt) }
        }
    }

    private func park(_ waiter: Waiter, as role: StreamRole) -> ParkOutcome {
        state.withLock { state in
            if state.isClosed { return .immediate(.closed) }
            if cancelled[role].load(ordering: .relaxed) { return .immediate(.cancelled) }
            if !state[role].ready.isDisjoint(with: waiter.interest) {
                if waiter.deadline != .distantFuture, waiter.deadline <= poller.time.now {
                    return .immediate(.timedOut)
                }
                state[role].ready.subtract(waiter.interest)
                return state[role].mustYield() ? .behindOthers : .immediate(.ready)
            }
            precondition(state[role].waiter == nil, "two tasks wait as the same role (reader or writer) on one stream")
            state[role].waiter = waiter
            state[role].immediateWakes = 0
            return .parked(armAt: state.timers.mustSchedule(waiter.deadline) ? waiter.deadline : nil)
        }
    }

    @usableFromInline
    func cancel(_ role: StreamRole) {
        let continuation: UnsafeContinuation<Wake, Never>? = unsafe state.withLock { state in
            guard let waiter = state[role].waiter else {
                // Either the task has not been suspended yet and will find the flag, or it was resumed already and its
                // next wait resets the flag.
                cancelled[role].store(true, ordering: .relaxed)
                return nil
            }
            state[role].waiter = nil
            return unsafe waiter.continuation
        }
        unsafe continuation?.resume(returning: .cancelled)
    }

    /// True if a read edge or the end has arrived since the last wait of the reader, or the point is closed. A cheap
    /// check of an idle connection, without a system call.
    package var hasPendingRead: Bool {
        state.withLock { $0.isClosed || !$0.reader.ready.isDisjoint(with: [.read, .end]) }
    }

    /// Reports readiness to one role without an edge of the kernel, for data that a layer above has already read.
    package func offer(_ interest: Interest, to role: StreamRole) {
        state.withLock { $0[role].signal(interest) }?.resume()
    }

    /// Reports readiness to both roles without an edge of the kernel: for a point without a descriptor, such as that of
    /// a ``WaitTimer``, or for an aborted stream.
    package func signal(_ interest: Interest) {
        let (reader, writer) = ended(by: interest)
        reader?.resume()
        writer?.resume()
    }

    /// Ends the waits that this readiness satisfies, at most one of each role. The caller resumes their continuations.
    func ended(by interest: Interest) -> (reader: Resumption?, writer: Resumption?) {
        state.withLock { state in
            if interest.contains(.end), state.endedAt == .distantFuture { state.endedAt = poller.time.now }
            return (state.reader.signal(interest), state.writer.signal(interest))
        }
    }

    /// The time at which the poller saw that the peer had ended its sending direction, or that the connection had
    /// broken. Nil until then.
    package var endTime: MonotonicTime? {
        state.withLock { $0.endedAt == .distantFuture ? nil : $0.endedAt }
    }

    /// Ends the waits that are past their deadline. Returns the time for which the caller must schedule a timer; nil if
    /// no further timer is needed.
    func timerFired(at now: MonotonicTime) -> MonotonicTime? {
        let (reader, writer, next): (UnsafeContinuation<Wake, Never>?, UnsafeContinuation<Wake, Never>?, MonotonicTime?)
        unsafe (reader, writer, next) = unsafe state.withLock { state in
            // If the first remembered timer is not due yet, another timer has fired, which has no effect.
            guard state.timers.isDue(at: now) else { return (nil, nil, nil) }
            let reader = unsafe state.reader.expire(at: now)
            let writer = unsafe state.writer.expire(at: now)
            let deadline = min(
                state.reader.waiter?.deadline ?? .distantFuture, state.writer.waiter?.deadline ?? .distantFuture)
            return unsafe (reader, writer, state.timers.restart(at: now, for: deadline))
        }
        unsafe reader?.resume(returning: .timedOut)
        unsafe writer?.resume(returning: .timedOut)
        return next
    }

    /// Ends every current and later wait with `closed`, and removes the point from the poller. Idempotent.
    package func close() {
        let closing: (Waiter?, Waiter?, timers: Int)? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer {
                state.reader.waiter = nil
                state.writer.waiter = nil
            }
            return (state.reader.waiter, state.writer.waiter, state.timers.count)
        }
        guard let closing else { return }
        poller.retire(token, timers: closing.timers)
        unsafe closing.0?.continuation.resume(returning: .closed)
        unsafe closing.1?.continuation.resume(returning: .closed)
    }
}

/// A flag for each role, which is set if the task in this role was cancelled while it was not suspended.
private struct CancelledRoles: ~Copyable, Sendable {
    private let reader = Atomic(false)
    private let writer = Atomic(false)

    subscript(role: StreamRole) -> Atomic<Bool> {
        _read { if role == .reader { yield reader } else { yield writer } }
    }
}

/// The continuation of a wait that ended with readiness, still to be resumed.
@safe struct Resumption: Sendable {
    private let continuation: UnsafeContinuation<WaitPoint.Wake, Never>
    /// True if the poller's thread, when it finds the edge, may leave the resumption to the ``PollingTask``, which also
    /// polls and runs in the global pool. False if the waiting task runs on the poller's thread. The polling task does
    /// not use the flag for edges that it finds itself.
    let mayResumeInPool: Bool

    init(continuation: UnsafeContinuation<WaitPoint.Wake, Never>, mayResumeInPool: Bool) {
        unsafe self.continuation = unsafe continuation
        self.mayResumeInPool = mayResumeInPool
    }

    /// Resumes the continuation. Must be called exactly once.
    func resume() { unsafe continuation.resume(returning: .ready) }
}

/// The timers that a wait point has scheduled at its poller. A value without I/O that decides when the point needs
/// another timer.
///
/// A scheduled timer cannot be withdrawn. A deadline before the first timer adds a timer, which becomes the first. The
/// previous first timer is remembered, and serves later waits after the new one has fired. If it were forgotten, a
/// stream that alternates between short and long waits would schedule another timer for each long wait.
struct ScheduledTimers {
    /// The time of the earliest timer; distant future without timers.
    private var first = MonotonicTime.distantFuture
    /// The time of a later timer; distant future without one. If a third timer is added before both, the middle one is
    /// forgotten and fires without effect.
    private var second = MonotonicTime.distantFuture

    /// The number of remembered timers.
    var count: Int { (first == .distantFuture ? 0 : 1) + (second == .distantFuture ? 0 : 1) }

    /// Returns true, and remembers a timer for this deadline, if the caller has to schedule the timer.
    mutating func mustSchedule(_ deadline: MonotonicTime) -> Bool {
        guard deadline < first else { return false }
        if second == .distantFuture { second = first }
        first = deadline
        return true
    }

    /// Returns true if the first timer is due.
    func isDue(at now: MonotonicTime) -> Bool { first <= now }

    /// Records that the first timer has fired.
    ///
    /// - Parameter deadline: The earliest deadline of the remaining waiters; distant future without one.
    /// - Returns: The time for which the caller has to schedule a timer; nil if no further timer is needed.
    mutating func restart(at now: MonotonicTime, for deadline: MonotonicTime) -> MonotonicTime? {
        // The second timer may be due together with the first, and then it fires without effect.
        first = second <= now ? .distantFuture : second
        second = .distantFuture
        return mustSchedule(deadline) ? deadline : nil
    }
}
