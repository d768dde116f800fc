#if SOCKEYE_TSAN
import SockeyePlatform

/// A mutex that is visible to ThreadSanitizer. Compiled only for `make soak SANITIZE=thread`.
///
/// The standard library's mutex waits in the kernel (futex). The sanitizer does not see such a lock and would report
/// false races on the protected values. A module with mutexes therefore declares a type alias `Mutex` for this type.
/// The alias takes precedence over the imported name. Three modules need no alias: `make soak` does not use
/// SockeyeDiskCache and SockeyeObservability, and it locks each mutex of SockeyeSerialization in one thread only.
@safe package struct TracedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // The reason for `@unchecked Sendable`: `value` is only accessed while `lock` is held.
    private let lock = ConditionLock()
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ initial: consuming sending Value) {
        unsafe value.initialize(to: initial)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        // A local copy of the pointer, because a compiler that was built with assertions (Swift 6.2.3) cannot add
        // ThreadSanitizer's checks to an access through a stored property of `self`.
        nonisolated(unsafe) let pointer = unsafe value
        return unsafe try body(&pointer.pointee)
    }
}

typealias Mutex<Value: ~Copyable> = TracedMutex<Value>
#endif
