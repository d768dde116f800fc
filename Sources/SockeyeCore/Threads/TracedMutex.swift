#if SOCKEYE_TSAN
import SockeyePlatform

/// A mutex that ThreadSanitizer sees, in builds for it (`make soak SANITIZE=thread`).
///
/// The standard library's waits in the kernel (futex), which the sanitizer knows nothing of: it would report whatever a
/// contended one protects. Each module that locks names this `Mutex`, which goes before the name it imports.
@safe package struct TracedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // What `@unchecked Sendable` rests on: `value` is only touched while `lock` is held.
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
        return unsafe try body(&value.pointee)
    }
}

typealias Mutex<Value: ~Copyable> = TracedMutex<Value>
#endif
