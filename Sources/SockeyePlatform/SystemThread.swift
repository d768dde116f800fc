import CSockeyeSystem
import Glibc
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

    /// Starts a detached thread with all signals blocked: they are the application's business.
    ///
    /// - Parameter name: The name that debuggers show; at most 15 bytes, the kernel's limit.
    package static func start(named name: String, _ run: @escaping @Sendable () -> Void) -> SystemError? {
        var all = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let argument = unsafe Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                let body = unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                unsafe sockeye_name_this_thread(body.name)
                body.run()
                return nil
            }, unsafe argument.toOpaque())
        guard code == 0 else {
            unsafe argument.release()
            return SystemError(code)
        }
        pthread_detach(thread)
        return nil
    }

    /// The id of the calling thread, unique among running threads; never 0.
    @inlinable package static var current: UInt {
        @inline(__always) get { UInt(pthread_self()) }
    }

    /// The bytes of stack that the calling thread has left, found by some system calls; nil if unknown.
    package static var stackLeft: Int? {
        let bytes = sockeye_stack_left()
        return bytes == 0 ? nil : bytes
    }

    /// Yields the core to other threads (sched_yield(2)).
    @inlinable @inline(__always)
    package static func yield() {
        sched_yield()
    }
}

/// A mutex with a condition variable (pthread_cond_wait(3)), which the standard library's mutex lacks. Uses the
/// monotonic clock.
// `@unchecked Sendable`: pthread's own objects, which do not move in memory.
@safe package final class ConditionLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func lock() {
        unsafe pthread_mutex_lock(mutex)
    }

    package func unlock() {
        unsafe pthread_mutex_unlock(mutex)
    }

    package func withLock<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    package func wakeOne() {
        unsafe pthread_cond_signal(condition)
    }

    package func wakeAll() {
        unsafe pthread_cond_broadcast(condition)
    }

    /// Releases the lock until another thread wakes this one or the monotonic clock reaches `nanoseconds`; true if it
    /// has.
    ///
    /// Call it with the lock held, in a loop: it may return spuriously.
    package func wait(until nanoseconds: Int64) -> Bool {
        // pthread_cond_timedwait refuses a negative time at once, and the caller's loop would spin.
        let nanoseconds = max(0, nanoseconds)
        var limit = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        return unsafe pthread_cond_timedwait(condition, mutex, &limit) == ETIMEDOUT
    }
}

/// A binary semaphore for one sleeping thread; a signal before the wait counts. Uses the monotonic clock.
package final class BinarySemaphore: Sendable {
    private let lock = ConditionLock()
    /// Guarded by `lock`.
    private let isSignalled = Atomic(false)

    package init() {}

    package func signal() {
        lock.withLock {
            isSignalled.store(true, ordering: .relaxed)
            lock.wakeOne()
        }
    }

    /// Waits for the signal up to `milliseconds`, and consumes it; false if no signal came.
    package func wait(milliseconds: Int32) -> Bool {
        let end = SystemClock.monotonicNanoseconds + Int64(milliseconds) * 1_000_000
        return lock.withLock {
            while !isSignalled.load(ordering: .relaxed), !lock.wait(until: end) {}
            return isSignalled.exchange(false, ordering: .relaxed)
        }
    }
}
