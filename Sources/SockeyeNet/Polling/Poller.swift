package import SockeyeCore

/// An event loop that watches descriptors and deadlines for many streams, and resumes the tasks that wait for them.
///
/// A poller does not read from the descriptors: it records edges (changes of readiness) and resumes continuations. It
/// is also a `TaskExecutor`: a task that prefers it (`withTaskExecutorPreference`) runs on the poller's thread, which
/// saves the change of threads between a socket's readiness and the resumption of its task.
package protocol Poller: TaskExecutor, AnyObject {
    /// The clock of all deadlines.
    var time: TimeSource { get }

    /// True if the calling thread is the poller's own.
    var isCurrentThread: Bool { get }

    /// Creates a wait point, at which tasks wait for a descriptor's readiness. If `descriptor` is nil, they wait only
    /// for deadlines and for wake-ups by other tasks.
    ///
    /// The descriptor is registered once for both directions, edge-triggered. Close the wait point before the
    /// descriptor.
    func makeWaitPoint(descriptor: Int32?) throws(TransportError) -> WaitPoint

    /// Stops watching a descriptor. Call it after closing the wait point and before closing the descriptor. Needed only
    /// for a duplicate (dup(2)), because the kernel keeps watching an open file until its last descriptor is closed.
    /// Without this call the kernel would refuse to watch the next duplicate that gets the same number.
    func unwatch(_ descriptor: Int32)

    /// Schedules a call of the point's `timerFired` at `time`. Called by wait points only.
    func arm(_ token: WaitToken, at time: MonotonicTime)

    /// Removes a point; `timers` is the number of its timers that are still scheduled. Called by wait points only.
    func retire(_ token: WaitToken, timers: Int)
}

/// The key of a wait point in its poller's slot map. The serial number differs from that of an earlier point in the
/// same slot, so that late events for the earlier point are ignored.
package typealias WaitToken = SlotID<WaitPoint>

extension SlotID<WaitPoint> {
    init(packed: UInt64) {
        self.init(slot: UInt32(truncatingIfNeeded: packed), serial: UInt32(truncatingIfNeeded: packed >> 32))
    }

    /// The token as the data of a kernel event.
    var packed: UInt64 { UInt64(serial) << 32 | UInt64(slot) }
}

/// The readiness of a descriptor.
@usableFromInline package struct Interest: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt8
    @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// The peer will send no more, or the connection broke. No task waits for this alone, because the same edge reports
    /// `read`.
    package static let end = Interest(rawValue: 4)
}

/// The role of a task on a stream. A stream has at most one reader and one writer. Each may wait for either kind of
/// readiness: TLS may have to write in order to read. An edge wakes each task that waits for the reported kind of
/// readiness.
@usableFromInline package enum StreamRole: Sendable {
    case reader, writer
}
