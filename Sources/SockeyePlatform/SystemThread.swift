import CSockeyeSystem
import Synchronization

/// Threads of the system (pthreads(7)).
@usableFromInline package enum SystemThread {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts a detached thread with all signals blocked, so that the application's own threads receive them.
    ///
    /// - Parameter name: The name that debuggers show; at most 15 bytes, the kernel's limit.
    package static func start(named name: String, _ run: @escaping @Sendable () -> Void) -> SystemError? {
        let argument = unsafe Unmanaged.passRetained(Body(name: name, run: run))
        let code = unsafe sockeye_thread_start(
            { argument in
                let body = unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                unsafe sockeye_thread_set_name(body.name)
                body.run()
                return nil
            }, argument.toOpaque())
        guard let error = SystemError(ofOutcome: code) else { return nil }
        unsafe argument.release()
        return error
    }

    /// The id of the calling thread, unique among running threads; never 0.
    @inlinable package static var current: UInt {
        @inline(__always) get { sockeye_thread_current() }
    }

    /// The bytes of stack that the calling thread has left; nil if unknown. Reading it takes some system calls.
    package static var stackLeft: Int? {
        let bytes = sockeye_stack_left()
        return bytes == 0 ? nil : bytes
    }

    /// Yields the core to other threads (sched_yield(2)).
    @inlinable @inline(__always)
    package static func yield() {
        sockeye_thread_yield()
    }
}

/// A mutex with a condition variable (pthread_cond_wait(3)); the standard library has no condition variable.
// `@unchecked Sendable`: POSIX mutexes and conditions are meant for use by several threads.
@safe package final class ConditionLock: @unchecked Sendable {
    private let condition: OpaquePointer

    package init() {
        unsafe condition = unsafe sockeye_condition_create()
    }

    deinit {
        unsafe sockeye_condition_free(condition)
    }

    package func lock() {
        unsafe sockeye_condition_lock(condition)
    }

    package func unlock() {
        unsafe sockeye_condition_unlock(condition)
    }

    package func withLock<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    package func wakeOne() {
        unsafe sockeye_condition_wake_one(condition)
    }

    package func wakeAll() {
        unsafe sockeye_condition_wake_all(condition)
    }

    /// Releases the lock and waits until another thread wakes this one or the monotonic clock reaches `nanoseconds`.
    /// Returns true if the clock has reached that time.
    ///
    /// Call it with the lock held, in a loop: it may return spuriously.
    package func wait(until nanoseconds: Int64) -> Bool {
        unsafe sockeye_condition_wait(condition, nanoseconds)
    }
}

/// A binary semaphore for one sleeping thread. If it was signalled before the wait began, the wait returns at once.
/// Time limits are measured by the monotonic clock.
package final class BinarySemaphore: Sendable {
    private let lock = ConditionLock()
    /// Guarded by `lock`. Atomic only because a `Sendable` class cannot have a stored `var`.
    private let isSignalled = Atomic(false)

    package init() {}

    package func signal() {
        lock.withLock {
            isSignalled.store(true, ordering: .relaxed)
            lock.wakeOne()
        }
    }

    /// Waits up to `milliseconds` for the signal and consumes it. Returns false if no signal came.
    package func wait(milliseconds: Int32) -> Bool {
        let end = SystemClock.monotonicNanoseconds + Int64(milliseconds) * 1_000_000
        return lock.withLock {
            while !isSignalled.load(ordering: .relaxed), !lock.wait(until: end) {}
            return isSignalled.exchange(false, ordering: .relaxed)
        }
    }
}
