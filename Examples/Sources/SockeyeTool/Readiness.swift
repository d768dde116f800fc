import Glibc

/// Waits for descriptors that another program has made non-blocking: pipes and terminals share the flag O_NONBLOCK.
enum Readiness {
    case readable
    case writable

    /// Blocks the thread until the descriptor is ready, or its other end is closed.
    func wait(for descriptor: Int32) {
        let events = self == .readable ? POLLIN : POLLOUT
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
    }
}
