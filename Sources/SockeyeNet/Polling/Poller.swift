package import SockeyeCore

/// An event loop that watches descriptors and deadlines for many streams, and resumes the tasks that wait for them.
///
/// A poller never reads, parses or runs user code on its own account: it remembers edges and resumes continuations. It
/// is a `TaskExecutor` too: code that opts in with `withTaskExecutorPreference` runs on the poller's own thread and so
/// pays no thread hop between "the socket is readable" and "the task goes on".
///
/// A protocol, so that another system's event queue can take the place of epoll without touching a stream.
package protocol Poller: TaskExecutor, AnyObject {
    /// The clock that deadlines are measured on.
    var time: TimeSource { get }

    /// Whether the calling thread is the poller's own.
    var isCurrentThread: Bool { get }

    /// Makes a place to wait at: for a descriptor's readiness, or with nil for deadlines and signals only.
    ///
    /// The descriptor is registered once for both directions, edge-triggered. The point must be closed before the
    /// descriptor is.
    func makeWaitPoint(descriptor: Int32?) throws(TransportError) -> WaitPoint

    /// Makes sure that the point is looked at when `time` has come. Called by wait points only.
    func arm(_ token: WaitToken, at time: MonotonicTime)

    /// Forgets a point; `armed` tells whether a timer entry of it is left behind. Called by wait points only.
    func retire(_ token: WaitToken, armed: Bool)
}

/// The key of a wait point in its poller's slot map. The generation makes events meant for an earlier user of the index
/// harmless.
package struct WaitToken: Sendable, Hashable {
    package let index: UInt32
    package let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }

    package init(packed: UInt64) {
        index = UInt32(truncatingIfNeeded: packed)
        generation = UInt32(truncatingIfNeeded: packed >> 32)
    }

    package var packed: UInt64 { UInt64(generation) << 32 | UInt64(index) }
}

/// The readiness of a descriptor (epoll(7)).
@usableFromInline package struct Interest: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt8
    @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// The peer will send no more, or the connection broke. Never waited for alone: who waits to read hears of it.
    package static let end = Interest(rawValue: 4)
}

/// The role of a task on a stream, which has one of each at most. Each may wait for either readiness without taking the
/// other's wake-up.
@usableFromInline package enum StreamRole: Sendable {
    case reader, writer
}
