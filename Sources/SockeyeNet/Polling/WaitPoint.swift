public import SockeyeCore
import Synchronization

/// The waiters of one descriptor: a slot for the reader and one for the writer, each with its readiness, its deadline and
/// its continuation.
///
/// States of a slot, every transition under one short lock:
/// - idle → `wait` → waiting;
/// - idle → an edge → ready (the edge is remembered);
/// - ready → `wait` → idle, without suspending; but cancellation and a deadline that has passed go first, so that a peer which
///   always has something ready cannot keep a task beyond them. After ``wakesInARow`` such waits in a row the next one suspends
///   the task behind the other tasks of its thread pool, so that the peer cannot keep the thread either;
/// - waiting → an edge, the deadline, cancellation or `close` → idle, and the continuation is resumed exactly once;
/// - any → `close` → closed: every later wait returns at once.
///
/// A deadline is a field: setting one is a store. At most one timer entry per point sits in the poller; when it fires
/// and finds a later deadline it re-arms itself, so a connection that is used a thousand times a second touches the
/// timer heap once per time-out and not once per request.
@usableFromInline package final class WaitPoint: Sendable {
    /// Why a wait ended.
    @usableFromInline package enum Wake: Sendable {
        case ready, timedOut, cancelled, closed

        /// Throws what ended the wait, unless it was what was waited for.
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
        /// Whether it prefers the poller's thread: it waits there, and so goes on there.
        let isAtPoller: Bool
        let continuation: UnsafeContinuation<Wake, Never>
    }

    struct Slot {
        var ready: Interest = []
        /// The waits that have ended without suspending since the last one that was suspended.
        var wakesInARow: UInt8 = 0
        var waiter: Waiter?

        /// Counts a wait that ends without suspending. True: this one has to suspend all the same.
        mutating func endsTurn() -> Bool {
            wakesInARow &+= 1
            guard wakesInARow > WaitPoint.wakesInARow else { return false }
            wakesInARow = 0
            return true
        }

        /// Takes the waiter if `interest` concerns it; otherwise remembers the edge.
        mutating func signal(_ interest: Interest) -> Resumption? {
            guard let waiting = waiter, !waiting.interest.isDisjoint(with: interest) else {
                ready.formUnion(interest)
                return nil
            }
            // The reader may stop before the end, which must stay pending then.
            if interest.contains(.end) { ready.insert(.end) }
            waiter = nil
            return unsafe Resumption(continuation: waiting.continuation, mayBeBatched: !waiting.isAtPoller)
        }

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
        /// When the timer entry in the poller will fire; distant future when there is none.
        var armedAt = MonotonicTime.distantFuture
        /// When the poller saw the end of the peer's direction; distant future before.
        var endedAt = MonotonicTime.distantFuture

        subscript(role: StreamRole) -> Slot {
            // Not `_read`, whose coroutine allocates its frame: a slot is trivial to copy.
            get { role == .reader ? reader : writer }
            _modify { if role == .reader { yield &reader } else { yield &writer } }
        }
    }

    private enum Parking {
        case immediate(Wake)
        /// Ready, after other tasks have run.
        case behindOthers
        case parked(armAt: MonotonicTime?)
    }

    /// How many waits in a row may end without suspending their task. A socket never causes two: an edge is consumed by the wait
    /// that it ends. TLS causes any number if the peer sends records without content.
    private static let wakesInARow: UInt8 = 4

    package let poller: any Poller
    private let token: WaitToken
    private let state = Mutex(State())
    /// Set and judged under the lock; a wait that finds it unset need not take the lock to reset it.
    private let cancelled = CancelledRoles()

    init(poller: any Poller, token: WaitToken) {
        self.poller = poller
        self.token = token
    }

    /// Suspends until `interest` is signalled to this role or anything else ends the wait.
    ///
    /// Unsafe continuations, because this is the one suspension of every request: the slot's transitions above are what
    /// guarantees that each is resumed exactly once. In line, since a frame of its own would be paid for by every request.
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

    /// Forgets what a cancellation left behind that came too late for the last wait. None is under way now: the handler is gone, and
    /// not running, once its scope is left.
    ///
    /// - Returns: Whether this is the poller's thread.
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
            let resumption = unsafe Resumption(continuation: continuation, mayBeBatched: false)
            // A job of the executor that the task runs on, behind those of other tasks.
            if isAtPoller {
                Task(executorPreference: poller) { resumption.resume() }
            } else {
                Task { resumption.resume() }
            }
        case .parked(let armAt): if let armAt { poller.arm(token, at: armAt) }
        }
    }

    private func park(_ waiter: Waiter, as role: StreamRole) -> Parking {
        state.withLock { state in
            if state.isClosed { return .immediate(.closed) }
            if cancelled[role].load(ordering: .relaxed) { return .immediate(.cancelled) }
            if !state[role].ready.isDisjoint(with: waiter.interest) {
                if waiter.deadline != .distantFuture, waiter.deadline <= poller.time.now {
                    return .immediate(.timedOut)
                }
                state[role].ready.subtract(waiter.interest)
                return state[role].endsTurn() ? .behindOthers : .immediate(.ready)
            }
            precondition(state[role].waiter == nil, "two tasks wait in one role on a stream")
            state[role].waiter = waiter
            state[role].wakesInARow = 0
            guard waiter.deadline < state.armedAt else { return .parked(armAt: nil) }
            state.armedAt = waiter.deadline
            return .parked(armAt: waiter.deadline)
        }
    }

    @usableFromInline
    func cancel(_ role: StreamRole) {
        let continuation: UnsafeContinuation<Wake, Never>? = unsafe state.withLock { state in
            guard let waiter = state[role].waiter else {
                // The task has not parked yet, and will not; or it was woken already, and its next wait forgets this.
                cancelled[role].store(true, ordering: .relaxed)
                return nil
            }
            state[role].waiter = nil
            return unsafe waiter.continuation
        }
        unsafe continuation?.resume(returning: .cancelled)
    }

    /// Whether an edge has come that no wait has taken since, or the end: a cheap check of an idle connection.
    package var hasPendingRead: Bool {
        state.withLock { $0.isClosed || !$0.reader.ready.isDisjoint(with: [.read, .end]) }
    }

    /// Reports readiness to one role: what it is about to wait for is here already.
    package func offer(_ interest: Interest, to role: StreamRole) {
        state.withLock { $0[role].signal(interest) }?.resume()
    }

    /// Reports readiness to both roles. For the use of a point as a plain signal.
    package func signal(_ interest: Interest) {
        let (reader, writer) = ended(by: interest)
        reader?.resume()
        writer?.resume()
    }

    /// The waits, one of each role, that end with this readiness. Called by the poller, which sees that they are resumed.
    func ended(by interest: Interest) -> (reader: Resumption?, writer: Resumption?) {
        state.withLock { state in
            if interest.contains(.end), state.endedAt == .distantFuture { state.endedAt = poller.time.now }
            return (state.reader.signal(interest), state.writer.signal(interest))
        }
    }

    /// When the poller saw that the peer had ended its direction, or that the connection was broken; nil if it has not.
    package var endTime: MonotonicTime? {
        state.withLock { $0.endedAt == .distantFuture ? nil : $0.endedAt }
    }

    /// Ends the waits whose deadline has passed. Returns when to look again, if anybody still waits.
    func timerFired(at now: MonotonicTime) -> MonotonicTime? {
        let (reader, writer, next): (UnsafeContinuation<Wake, Never>?, UnsafeContinuation<Wake, Never>?, MonotonicTime)
        unsafe (reader, writer, next) = unsafe state.withLock { state in
            // An entry from before a shorter deadline: the one that counts is still to fire, and re-arming here would
            // leave one entry more in the poller each time.
            guard state.armedAt <= now else { return (nil, nil, .distantFuture) }
            let reader = unsafe state.reader.expire(at: now)
            let writer = unsafe state.writer.expire(at: now)
            state.armedAt = min(
                state.reader.waiter?.deadline ?? .distantFuture, state.writer.waiter?.deadline ?? .distantFuture)
            return unsafe (reader, writer, state.armedAt)
        }
        unsafe reader?.resume(returning: .timedOut)
        unsafe writer?.resume(returning: .timedOut)
        return next == .distantFuture ? nil : next
    }

    /// Ends every wait, now and later, and leaves the poller. Idempotent.
    package func close() {
        let closing: (Waiter?, Waiter?, armed: Bool)? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer {
                state.reader.waiter = nil
                state.writer.waiter = nil
            }
            return (state.reader.waiter, state.writer.waiter, state.armedAt != .distantFuture)
        }
        guard let closing else { return }
        poller.retire(token, armed: closing.armed)
        unsafe closing.0?.continuation.resume(returning: .closed)
        unsafe closing.1?.continuation.resume(returning: .closed)
    }
}

/// For each role, whether its task was cancelled before it could park.
private struct CancelledRoles: ~Copyable, Sendable {
    private let reader = Atomic(false)
    private let writer = Atomic(false)

    subscript(role: StreamRole) -> Atomic<Bool> {
        _read { if role == .reader { yield reader } else { yield writer } }
    }
}

/// A continuation whose wait has ended with what it was for, still to be resumed.
@safe struct Resumption: Sendable {
    private let continuation: UnsafeContinuation<WaitPoint.Wake, Never>
    /// Whether a task of the pool may resume it (``PollingTask``) instead of the poller's thread: not if it goes on there
    /// itself.
    let mayBeBatched: Bool

    init(continuation: UnsafeContinuation<WaitPoint.Wake, Never>, mayBeBatched: Bool) {
        unsafe self.continuation = unsafe continuation
        self.mayBeBatched = mayBeBatched
    }

    /// To be called once.
    func resume() { unsafe continuation.resume(returning: .ready) }
}
