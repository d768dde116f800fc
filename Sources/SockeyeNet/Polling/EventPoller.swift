package import SockeyeCore
import Synchronization

/// A poller on the system's ``ReadinessQueue`` (epoll or kqueue) with its own thread.
///
/// The thread retains only the ``EventLoop`` and not the poller. Releasing the last reference to the poller ends the
/// thread.
package final class EventPoller: Poller {
    private let loop: EventLoop

    /// Returns the poller that clients share by default. Its thread starts on first use and stays.
    ///
    /// If creating the poller fails, for example for lack of descriptors, the next call tries again.
    package static func shared() throws(TransportError) -> EventPoller {
        try common.withLock { common throws(TransportError) in
            if let common { return common }
            let made = try EventPoller()
            common = made
            return made
        }
    }

    private static let common = Mutex<EventPoller?>(nil)

    package init(time: TimeSource = .system) throws(TransportError) {
        loop = try EventLoop(time: time)
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

    package func unwatch(_ descriptor: Int32) {
        loop.unwatch(descriptor)
    }

    package func arm(_ token: WaitToken, at time: MonotonicTime) {
        loop.arm(token, at: time)
    }

    package func retire(_ token: WaitToken, timers: Int) {
        loop.retire(token, timers: timers)
    }

    /// Enqueues a job of a task that prefers this executor. The job runs on the poller's thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(UnownedJob(job))
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        unsafe UnownedTaskExecutor(ordinary: self)
    }
}
