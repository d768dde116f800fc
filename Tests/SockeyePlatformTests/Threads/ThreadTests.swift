import Foundation
import SockeyePlatform
import SockeyeTestSupport
import Synchronization
import Testing

@Suite("The system's calls for threads", .timeLimit(.minutes(1)))
struct ThreadTests {
    /// Runs `body` on a new thread and returns its result.
    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) throws -> Result {
        let result = Mutex<Result?>(nil)
        let ended = BinarySemaphore()
        let error = SystemThread.start(named: "sockeye-test") {
            let value = body()
            result.withLock { $0 = value }
            ended.signal()
        }
        if let error { throw error }
        try #require(ended.wait(milliseconds: 30_000))
        return try #require(result.withLock { $0 })
    }

    @Test("each thread has an id of its own, which it keeps")
    func ids() throws {
        let own = SystemThread.current
        #expect(own != 0 && own == SystemThread.current)
        let other = try onThread { (SystemThread.current, SystemThread.current) }
        #expect(other.0 == other.1 && other.0 != 0 && other.0 != own)
    }

    @Test("a new thread has all signals blocked, and its starter keeps its mask")
    func signals() throws {
        @Sendable func mask() -> [Bool] {
            var set = sigset_t()
            unsafe pthread_sigmask(SIG_BLOCK, nil, &set)
            return [SIGTERM, SIGPIPE, SIGINT, SIGUSR1].map { unsafe sigismember(&set, $0) == 1 }
        }
        let before = mask()
        let ofThread = try onThread { mask() }
        #expect(ofThread == [true, true, true, true])
        #expect(mask() == before)
    }

    private final class Held: Sendable {}

    @Test("an object that a thread's work refers to is released when the thread ends")
    func release() throws {
        var held: Held? = Held()
        weak let object = held
        let isHeld = try onThread { [held] in held != nil }
        #expect(isHeld)
        held = nil
        let end = SystemClock.monotonicNanoseconds + 30_000_000_000
        while object != nil, SystemClock.monotonicNanoseconds < end { SystemThread.yield() }
        #expect(object == nil)
    }

    @Test("less stack is left in a deeper call")
    func stack() throws {
        guard let left = SystemThread.stackLeft else { return }
        #expect(left > 0)
        func deeper() -> Int? {
            unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { room in
                unsafe room.storeBytes(of: 1, as: UInt8.self)
                return SystemThread.stackLeft
            }
        }
        #expect(try #require(deeper()) < left)
    }

    @Test("less stack is left on a thread than the size of its stack")
    func smallStack() throws {
        guard SystemThread.stackLeft != nil else { return }
        let result = SmallStack.run { SystemThread.stackLeft }.result
        let left = try #require(result)
        #expect((1..<SmallStack.size).contains(left))
    }
}

@Suite("Condition locks", .timeLimit(.minutes(1)))
struct ConditionTests {
    @Test("a wait until a past time ends at once", arguments: [Int64.min, -1, 0, 1])
    func past(time: Int64) {
        let lock = ConditionLock()
        #expect(lock.withLock { lock.wait(until: time) })
    }

    @Test("a wait ends when the monotonic clock reaches its time")
    func time() {
        let lock = ConditionLock()
        let end = SystemClock.monotonicNanoseconds + 20_000_000
        lock.withLock { while !lock.wait(until: end) {} }
        #expect(SystemClock.monotonicNanoseconds >= end)
    }

    @Test("a wake-up of all ends the wait of each thread")
    func wakeAll() {
        let lock = ConditionLock()
        let isOpen = Atomic(false)
        let ready = Atomic(0)
        let ended = Atomic(0)
        for _ in 0..<3 {
            let error = SystemThread.start(named: "waiter") {
                lock.withLock {
                    ready.add(1, ordering: .relaxed)
                    let end = SystemClock.monotonicNanoseconds + 30_000_000_000
                    while !isOpen.load(ordering: .relaxed), !lock.wait(until: end) {}
                }
                ended.add(1, ordering: .relaxed)
            }
            #expect(error == nil)
        }
        while lock.withLock({ ready.load(ordering: .relaxed) < 3 }) { SystemThread.yield() }
        lock.withLock {
            isOpen.store(true, ordering: .relaxed)
            lock.wakeAll()
        }
        let end = SystemClock.monotonicNanoseconds + 20_000_000_000
        while ended.load(ordering: .relaxed) < 3, SystemClock.monotonicNanoseconds < end { SystemThread.yield() }
        #expect(ended.load(ordering: .relaxed) == 3)
    }

    @Test("a lock lets one thread in at a time")
    func exclusion() throws {
        let lock = ConditionLock()
        let count = UnsafeCounter()
        let ended = (0..<4).map { _ in BinarySemaphore() }
        for semaphore in ended {
            let error = SystemThread.start(named: "adder") {
                for _ in 0..<1000 { lock.withLock { count.value += 1 } }
                semaphore.signal()
            }
            #expect(error == nil)
        }
        for semaphore in ended { #expect(semaphore.wait(milliseconds: 30_000)) }
        #expect(count.value == 4000)
    }

    /// Guarded by the lock under test only.
    private final class UnsafeCounter: @unchecked Sendable {
        var value = 0
    }
}
