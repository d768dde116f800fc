import CSockeyeSystem
import Glibc

/// The kernel's readiness queue (epoll(7)), edge-triggered, with an eventfd(2) that ends a wait.
///
/// A descriptor is watched once for both directions, under a token that its events carry. It leaves the queue when it
/// is closed, which saves a system call per connection. Token 0 is the queue's own.
@usableFromInline package struct ReadinessQueue: Sendable {
    /// The call that failed when creating a queue.
    package enum Failure: Error, Sendable {
        case queue(SystemError)
        case wakeup(SystemError)
        case watching(SystemError)
    }

    @usableFromInline package let queue: Int32
    /// The eventfd. Its counter is never read: every write to it is a new edge.
    @usableFromInline package let wakeup: Int32

    package init() throws(Failure) {
        queue = DescriptorReserve.admit(epoll_create1(Int32(EPOLL_CLOEXEC)), for: .file)
        guard queue >= 0 else { throw .queue(.last) }
        wakeup = DescriptorReserve.admit(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)), for: .file)
        guard wakeup >= 0 else {
            let error = SystemError.last
            Glibc.close(queue)
            throw .wakeup(error)
        }
        if let error = add(wakeup, events: EPOLLIN.rawValue, token: 0) {
            close()
            throw .watching(error)
        }
    }

    private func add(_ descriptor: Int32, events: UInt32, token: UInt64) -> SystemError? {
        var event = unsafe epoll_event(events: events | sockeye_epollet, data: epoll_data_t(u64: token))
        return unsafe epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0 ? nil : .last
    }

    /// Starts reporting every edge of a descriptor, until it is closed.
    package func watch(_ descriptor: Int32, token: UInt64) -> SystemError? {
        add(descriptor, events: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue, token: token)
    }

    /// Waits for edges up to `milliseconds`, or indefinitely with -1. Returns the number of edges.
    @inlinable @inline(__always)
    package func wait(_ events: borrowing ReadinessEvents, milliseconds: Int32) -> Int {
        unsafe Int(epoll_wait(queue, events.memory, Int32(events.capacity), milliseconds))
    }

    /// Ends the current wait, or the next one. Callable from any thread.
    @inlinable @inline(__always)
    package func wake() {
        eventfd_write(wakeup, 1)
    }

    package func close() {
        Glibc.close(queue)
        Glibc.close(wakeup)
    }

    /// Creates and closes a descriptor; returns the error if only the ``DescriptorReserve`` is left.
    static func probe() -> SystemError? {
        let descriptor = DescriptorReserve.admit(eventfd(0, Int32(EFD_CLOEXEC)), for: .socket)
        guard descriptor >= 0 else { return .last }
        Glibc.close(descriptor)
        return nil
    }
}

/// A buffer for the edges of one wait.
@safe @usableFromInline package struct ReadinessEvents: ~Copyable {
    @usableFromInline package let memory: UnsafeMutablePointer<epoll_event>
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
            return unsafe ReadinessEvent(token: event.data.u64, flags: event.events)
        }
    }
}

/// An edge. A hang-up or an error makes both directions ready; the next call reports what happened.
@usableFromInline package struct ReadinessEvent: Sendable {
    @usableFromInline package let token: UInt64
    @usableFromInline package let flags: UInt32

    @inlinable init(token: UInt64, flags: UInt32) {
        self.token = token
        self.flags = flags
    }

    @usableFromInline static var trouble: UInt32 {
        @inlinable get { EPOLLHUP.rawValue | EPOLLERR.rawValue }
    }

    @inlinable package var isReadable: Bool {
        flags & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue | Self.trouble) != 0
    }
    @inlinable package var isWritable: Bool { flags & (EPOLLOUT.rawValue | Self.trouble) != 0 }
    /// The peer will send no more, or the connection broke.
    @inlinable package var hasEnded: Bool { flags & (EPOLLRDHUP.rawValue | Self.trouble) != 0 }
}
