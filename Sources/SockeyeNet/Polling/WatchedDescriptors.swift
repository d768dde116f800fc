import SockeyeCore
import SockeyePlatform
import Synchronization

/// The descriptors that a poller watches: the kernel's readiness queue, and a slot map of the wait points. Tasks wait
/// at a ``WaitPoint`` until its descriptor is ready.
///
/// The poller's thread and the ``PollingTask`` may poll at the same time. The kernel reports each edge (a change to
/// readable or writable) to only one of them.
final class WatchedDescriptors: Sendable {
    private let queue: ReadinessQueue
    private let registry = Mutex(WaitRegistry())

    init() throws(TransportError) {
        do {
            queue = try ReadinessQueue()
        } catch {
            switch error {
            case .queue(let error): throw .failed(.queueCreate, error)
            case .wakeup(let error): throw .failed(.queueWakeup, error)
            }
        }
    }

    func register(
        _ descriptor: Int32?, _ make: (WaitToken) -> WaitPoint
    ) throws(TransportError) -> WaitPoint {
        let token = registry.withLock { $0.reserve() }
        let point = make(token)
        registry.withLock { $0.fill(token, with: point) }
        guard let descriptor else { return point }
        if let error = queue.watch(descriptor, token: token.packed) {
            point.close()
            throw .failed(.queueWatch, error)
        }
        return point
    }

    /// Frees the slot and returns its point. Does not remove the descriptor from the kernel's queue: the kernel does so
    /// when the descriptor is closed, which saves a system call per connection.
    func remove(_ token: WaitToken) -> WaitPoint? {
        registry.withLock { $0.remove(token) }
    }

    /// Removes a descriptor from the kernel's queue before the descriptor is closed. Only needed if a duplicate of the
    /// descriptor stays open, because the kernel would then continue to watch the open file.
    func unwatch(_ descriptor: Int32) {
        queue.unwatch(descriptor)
    }

    func point(_ token: WaitToken) -> WaitPoint? {
        registry.withLock { $0.point(token) }
    }

    /// Waits for edges up to `milliseconds`, or indefinitely with -1. Returns the number of edges; negative on failure.
    func wait(for edges: borrowing EdgeBatch, milliseconds: Int32) -> Int {
        queue.wait(edges.events, milliseconds: milliseconds)
    }

    /// Ends the current wait, or the next one.
    func wake() {
        queue.wake()
    }

    /// Reports the first `count` edges to their wait points, and calls `body` with each wait that ends.
    func take(_ edges: inout EdgeBatch, _ count: Int, _ body: (Resumption) -> Void) {
        registry.withLock { registry in
            for index in 0..<count {
                let event = edges.events[index]
                // Token 0 is the wake-up. No wait point has it, because the serial number in a `WaitToken` is never 0.
                guard event.token != 0, let point = registry.point(WaitToken(packed: event.token)) else { continue }
                edges.points.append((point, Interest(event)))
            }
        }
        for (point, interest) in edges.points {
            let (reader, writer) = point.ended(by: interest)
            if let reader { body(reader) }
            if let writer { body(writer) }
        }
        edges.points.removeAll(keepingCapacity: true)
    }

    func close() {
        queue.close()
    }
}

/// Buffers for the edges of one poll and for their wait points.
struct EdgeBatch: ~Copyable {
    fileprivate let events = ReadinessEvents(capacity: 256)
    fileprivate var points: [(WaitPoint, Interest)] = []
}

extension Interest {
    fileprivate init(_ event: ReadinessEvent) {
        self = []
        if event.isReadable { insert(.read) }
        if event.isWritable { insert(.write) }
        if event.hasEnded { insert(.end) }
    }
}

/// The wait points of a poller, by token. ``WatchedDescriptors`` holds a lock while it calls a method of the registry.
struct WaitRegistry {
    private var points = SlotMap<WaitPoint?, WaitPoint>()

    /// Reserves a slot and returns its token, with which the wait point is then created.
    mutating func reserve() -> WaitToken { points.insert(nil) }

    mutating func fill(_ token: WaitToken, with point: WaitPoint) {
        if let index = points.index(of: token) { points[index] = point }
    }

    /// Frees the slot and returns its point, so that the point is not deallocated while the lock is held.
    mutating func remove(_ token: WaitToken) -> WaitPoint? {
        guard let index = points.index(of: token) else { return nil }
        let point = points[index].take()
        points.remove(at: index)
        return point
    }

    /// The point of `token`; nil if its slot has been freed since.
    func point(_ token: WaitToken) -> WaitPoint? {
        points.index(of: token).flatMap { points[$0] }
    }
}
