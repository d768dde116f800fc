import CSockeyeSystem

/// The kernel's readiness queue (epoll(7) or kqueue(2)), edge-triggered, with a wake-up that ends a wait.
///
/// A descriptor is registered once, for both directions, with a token that its events carry. The kernel removes closed
/// descriptors from the queue, so ``unwatch(_:)`` is needed only for a descriptor of which a duplicate (dup(2)) stays
/// open. Token 0 belongs to the wake-up.
@usableFromInline package struct ReadinessQueue: Sendable {
    /// The call that failed when creating a queue.
    package enum Failure: Error, Sendable {
        case queue(SystemError)
        case wakeup(SystemError)
    }

    @usableFromInline package let queue: Int32
    /// The descriptor that wakes the queue; `queue` itself with kqueue(2).
    @usableFromInline package let wakeup: Int32

    package init() throws(Failure) {
        queue = DescriptorReserve.admit(sockeye_queue_open(), for: .file)
        guard queue >= 0 else { throw .queue(.last) }
        wakeup = Self.admit(wakeup: sockeye_queue_open_wakeup(queue), of: queue)
        guard wakeup >= 0 else {
            let error = SystemError.last
            sockeye_queue_close(queue, -1)
            throw .wakeup(error)
        }
    }

    /// Returns the descriptor of a wake-up. If the descriptor lies within the ``DescriptorReserve``, which is left to
    /// the application, this method closes it and returns -1.
    ///
    /// With kqueue(2) the wake-up is the queue itself, which was admitted before. A refusal here would close the queue,
    /// and the caller would close the same descriptor again.
    static func admit(wakeup: Int32, of queue: Int32) -> Int32 {
        wakeup == queue ? wakeup : DescriptorReserve.admit(wakeup, for: .file)
    }

    /// Starts reporting every edge of a descriptor, until it is closed.
    package func watch(_ descriptor: Int32, token: UInt64) -> SystemError? {
        SystemError(ofOutcome: sockeye_queue_watch(queue, descriptor, token))
    }

    /// Stops reporting the edges of a descriptor.
    package func unwatch(_ descriptor: Int32) {
        sockeye_queue_unwatch(queue, descriptor)
    }

    /// Waits for edges up to `milliseconds`, or indefinitely with -1. Returns the number of edges; negative on failure,
    /// such as after a signal.
    @inlinable @inline(__always)
    package func wait(_ events: borrowing ReadinessEvents, milliseconds: Int32) -> Int {
        unsafe Int(sockeye_queue_wait(queue, events.memory, Int32(events.capacity), milliseconds))
    }

    /// Ends the current wait, or the next one. Callable from any thread.
    @inlinable @inline(__always)
    package func wake() {
        sockeye_queue_wake(queue, wakeup)
    }

    package func close() {
        sockeye_queue_close(queue, wakeup)
    }
}

/// A buffer for the edges of one wait.
@safe @usableFromInline package struct ReadinessEvents: ~Copyable {
    @usableFromInline package let memory: UnsafeMutablePointer<sockeye_event>
    @usableFromInline package let capacity: Int

    package init(capacity: Int) {
        unsafe memory = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// An edge of the last wait. `index` must be less than the number that `wait` returned.
    @inlinable package subscript(index: Int) -> ReadinessEvent {
        @inline(__always) get {
            let event = unsafe memory[index]
            return ReadinessEvent(token: event.token, flags: event.flags)
        }
    }
}

/// An edge: the moment at which a descriptor becomes ready. A hang-up or an error makes both directions ready; the next
/// read or write reports it.
@usableFromInline package struct ReadinessEvent: Sendable {
    @usableFromInline package let token: UInt64
    @usableFromInline package let flags: UInt32

    @inlinable init(token: UInt64, flags: UInt32) {
        self.token = token
        self.flags = flags
    }

    @usableFromInline static var trouble: UInt32 {
        @inlinable get { sockeye_ready_hang_up | sockeye_ready_error }
    }

    @inlinable package var isReadable: Bool { flags & (sockeye_ready_read | sockeye_ready_end | Self.trouble) != 0 }
    @inlinable package var isWritable: Bool { flags & (sockeye_ready_write | Self.trouble) != 0 }
    /// The peer will send no more, or the connection broke.
    @inlinable package var hasEnded: Bool { flags & (sockeye_ready_end | Self.trouble) != 0 }
}
