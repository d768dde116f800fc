import SockeyePlatform

/// The bounded work queue that the threads of a ``ThreadPool`` share.
// `@unchecked Sendable`: every stored variable is accessed under `lock` only.
@safe final class ThreadPoolQueue: @unchecked Sendable {
    private let name: String
    private let maximumThreads: Int
    private let queueLimit: Int
    private let idleTime: Duration

    private let lock = ConditionLock()
    private var queue = ThreadPoolBacklog()
    private var threads = 0
    /// The number of threads that wait for work, including those that were woken and have not taken any yet.
    private var idle = 0
    private var isClosed = false

    init(name: String, maximumThreads: Int, queueLimit: Int, idleTime: Duration) {
        self.name = name
        self.maximumThreads = maximumThreads
        self.queueLimit = queueLimit
        self.idleTime = idleTime
    }

    var threadCount: Int { lock.withLock { threads } }
    var queueLength: Int { lock.withLock { queue.count } }

    /// Appends work and makes sure that a thread will take it. If that is impossible, returns the reason.
    func submit(_ work: any ThreadPoolWork) -> ThreadPoolRejection? {
        lock.withLock {
            let isThreadMissing = queue.count >= idle
            if isThreadMissing, threads == maximumThreads, queue.count >= idle + queueLimit {
                return .overloaded(limit: queueLimit)
            }
            queue.append(work)
            if isThreadMissing, threads < maximumThreads {
                threads += 1
                if let error = SystemThread.start(named: name, { self.work() }) {
                    threads -= 1
                    // With other threads alive, the work is still done, only later.
                    if threads > 0, queue.count <= idle + queueLimit { return nil }
                    queue.withdraw(work)
                    return threads > 0 ? .overloaded(limit: queueLimit) : .noThread(error)
                }
            } else {
                lock.wakeOne()
            }
            return nil
        }
    }

    /// Removes work from the queue after its task stopped waiting for the result.
    func withdraw(_ work: any ThreadPoolWork) {
        lock.withLock { queue.withdraw(work) }
    }

    /// Lets the threads end once the queue is empty.
    func close() {
        lock.withLock {
            isClosed = true
            lock.wakeAll()
        }
    }

    /// The main function of a thread.
    private func work() {
        while let work = nextWork() { work.perform() }
    }

    /// Waits for work. Nil ends the thread.
    private func nextWork() -> (any ThreadPoolWork)? {
        lock.withLock {
            let end = TimeSource.system.now.advanced(by: idleTime)
            var isLate = false
            while queue.isEmpty {
                if isClosed || isLate {
                    threads -= 1
                    return nil
                }
                idle += 1
                isLate = lock.wait(until: end.nanoseconds)
                idle -= 1
            }
            return queue.popFirst()
        }
    }
}
