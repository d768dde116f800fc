import SockeyePlatform
import Testing

/// A readiness queue that is closed with the value, and its edges.
final class Readiness {
    let queue: ReadinessQueue
    private let events: ReadinessEvents

    init(capacity: Int = 16) throws {
        queue = try ReadinessQueue()
        events = ReadinessEvents(capacity: capacity)
    }

    deinit {
        queue.close()
    }

    func watch(_ descriptor: Int32, token: UInt64) throws {
        if let error = queue.watch(descriptor, token: token) { throw error }
    }

    /// The edges of one wait, in any order. One token may have several.
    func edges(milliseconds: Int32 = 0) -> [ReadinessEvent] {
        let count = queue.wait(events, milliseconds: milliseconds)
        return (0..<max(0, count)).map { events[$0] }
    }

    /// Waits until a descriptor of this token has an edge that satisfies a condition; false after 30 s without one.
    func until(_ token: UInt64, _ isMet: (ReadinessEvent) -> Bool) -> Bool {
        let end = SystemClock.monotonicNanoseconds + 30_000_000_000
        while SystemClock.monotonicNanoseconds < end {
            if edges(milliseconds: 1000).contains(where: { $0.token == token && isMet($0) }) { return true }
        }
        return false
    }

    /// Waits until a descriptor is readable or writable.
    static func await(_ descriptor: Int32, _ isMet: (ReadinessEvent) -> Bool) throws {
        let readiness = try Readiness()
        try readiness.watch(descriptor, token: 1)
        let isReady = readiness.until(1, isMet)
        try #require(isReady)
    }
}
