package import SockeyeCore
import Synchronization

/// A poller on epoll(7) with a thread of its own, alive as long as it is referenced.
///
/// The thread itself refers only to the loop inside, so the last reference to the poller (a client's, or that of a
/// registered wait point) ends the thread.
package final class EpollPoller: Poller {
    private let loop: EpollLoop

    /// The poller that clients share unless they are given their own. Its thread starts on first use and stays.
    ///
    /// A process that had no descriptor left for it once may have some the next time.
    package static func shared() throws(TransportError) -> EpollPoller {
        try common.withLock { common throws(TransportError) in
            if let common { return common }
            let made = try EpollPoller()
            common = made
            return made
        }
    }

    private static let common = Mutex<EpollPoller?>(nil)

    package init(time: TimeSource = .system) throws(TransportError) {
        loop = try EpollLoop(time: time)
        try unsafe loop.start(as: UnownedTaskExecutor(ordinary: self))
    }

    deinit {
        loop.stop()
    }

    package var time: TimeSource { loop.time }

    package var isCurrentThread: Bool { loop.isCurrentThread }

    package func makeWaitPoint(descriptor: Int32?) throws(TransportError) -> WaitPoint {
        try loop.register(descriptor) { WaitPoint(poller: self, token: $0) }
    }

    package func arm(_ token: WaitToken, at time: MonotonicTime) {
        loop.arm(token, at: time)
    }

    package func retire(_ token: WaitToken, armed: Bool) {
        loop.retire(token, armed: armed)
    }

    /// Takes a job of a task that prefers this executor; it runs on the poller's thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(UnownedJob(job))
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        unsafe UnownedTaskExecutor(ordinary: self)
    }
}
