import CSockeyeSystem
import Glibc
import SockeyeCore

/// What the threads of ``BlockingWorkers`` share: the queue and who is waiting for work.
// `@unchecked Sendable`: every stored variable is touched under `mutex` only. A pthread mutex, because the standard
// library's has no condition to wait on.
@safe final class WorkerFloor: @unchecked Sendable {
    private let name: String
    private let maximumThreads: Int
    private let queueLimit: Int
    private let idleTime: Duration

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrival: UnsafeMutablePointer<pthread_cond_t>
    private var queue: [any BlockingWork] = []
    private var threads = 0
    private var idle = 0
    private var isClosed = false

    init(name: String, maximumThreads: Int, queueLimit: Int, idleTime: Duration) {
        self.name = name
        self.maximumThreads = maximumThreads
        self.queueLimit = queueLimit
        self.idleTime = idleTime
        unsafe mutex = .allocate(capacity: 1)
        unsafe arrival = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(arrival, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(arrival)
        unsafe pthread_mutex_destroy(mutex)
        unsafe arrival.deallocate()
        unsafe mutex.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }

    var threadCount: Int { locked { threads } }
    var queueLength: Int { locked { queue.count } }

    /// Puts work into the queue and makes sure that somebody will look there.
    func submit(_ work: any BlockingWork) -> BlockingRefusal? {
        locked {
            let isThreadMissing = queue.count >= idle
            if isThreadMissing, threads == maximumThreads, queue.count >= idle + queueLimit {
                return .overloaded(limit: queueLimit)
            }
            queue.append(work)
            if isThreadMissing, threads < maximumThreads {
                threads += 1
                let code = DetachedThread.start(named: name) { self.work() }
                guard code == 0 else {
                    threads -= 1
                    // With other threads alive the work is done all the same, only later.
                    if threads > 0 { return nil }
                    queue.removeLast()
                    return .noThread(errno: code)
                }
            } else {
                unsafe pthread_cond_signal(arrival)
            }
            return nil
        }
    }

    /// Takes work that nobody waits for any more out of the queue.
    func withdraw(_ work: any BlockingWork) {
        locked { queue.removeAll { $0 === work } }
    }

    /// Lets the threads end once the queue is empty.
    func close() {
        locked {
            isClosed = true
            unsafe pthread_cond_broadcast(arrival)
        }
    }

    /// The life of one thread.
    private func work() {
        while let work = nextWork() { work.perform() }
    }

    /// Waits for work; nil tells the thread to end.
    private func nextWork() -> (any BlockingWork)? {
        locked {
            let end = TimeSource.system.now.advanced(by: idleTime)
            var isLate = false
            while queue.isEmpty {
                if isClosed || isLate {
                    threads -= 1
                    return nil
                }
                var limit = timespec(
                    tv_sec: Int(end.nanoseconds / 1_000_000_000), tv_nsec: Int(end.nanoseconds % 1_000_000_000))
                idle += 1
                isLate = unsafe pthread_cond_timedwait(arrival, mutex, &limit) == ETIMEDOUT
                idle -= 1
            }
            return queue.removeFirst()
        }
    }
}

/// A thread that nobody joins. Every signal is blocked on it: signals are the application's business.
enum DetachedThread {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts the thread; returns 0 or the error of `pthread_create`.
    ///
    /// - Parameter name: At most 15 bytes, which is what the kernel keeps.
    static func start(named name: String, _ run: @escaping @Sendable () -> Void) -> Int32 {
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
            return code
        }
        return pthread_detach(thread)
    }
}
