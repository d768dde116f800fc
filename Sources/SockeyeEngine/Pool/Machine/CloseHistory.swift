package import SockeyeCore

/// A history of peers that closed idle connections unannounced. It decides which of their other idle connections may still
/// carry a request that cannot be repeated.
///
/// A peer that closes each connection after its answer, as tinyproxy does, must not cost a POST every now and then; one
/// that closes connections after five idle seconds should not cost each POST a connection. So what counts is how long a
/// connection had been idle: another one is trusted for half of that, and not at all where that was next to nothing. A
/// peer is remembered for ten seconds, so that one restart is forgotten soon, and for as long again as it has closed
/// connections unannounced.
package struct CloseHistory<Peer: Hashable & Sendable>: Sendable {
    private struct Entry {
        let first: MonotonicTime
        var end: MonotonicTime
        /// How long a connection may be idle, in nanoseconds.
        var trusted: Int64
    }

    /// The most peers; then the one that would be forgotten first goes.
    static var capacity: Int { 256 }
    /// Idle connections are looked at every second, so the end of one that was closed at once is seen no earlier.
    private static var atOnce: Int64 { 2_000_000_000 }
    private static var shortest: Int64 { 10_000_000_000 }
    private static var longest: Int64 { 600_000_000_000 }

    private var entries: [Peer: Entry] = [:]

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// The peer has closed a connection that was in use at `lastUse`.
    package mutating func closed(_ peer: Peer, lastUse: MonotonicTime, now: MonotonicTime) {
        let idle = now.nanoseconds - lastUse.nanoseconds
        let trusted = idle < Self.atOnce ? 0 : idle / 2
        if var entry = entries[peer], now < entry.end {
            entry.trusted = min(entry.trusted, trusted)
            let memory = Self.shortest + (now.nanoseconds - entry.first.nanoseconds)
            entry.end = now.advanced(byNanoseconds: min(Self.longest, memory))
            entries[peer] = entry
        } else {
            if entries[peer] == nil { makeRoom(now) }
            let end = now.advanced(byNanoseconds: Self.shortest)
            entries[peer] = Entry(first: now, end: end, trusted: trusted)
        }
    }

    /// Since when a connection to the peer may have been idle to be worth a request that cannot be repeated: zero for ever,
    /// the end of time for none at all.
    package func earliestUse(of peer: Peer, now: MonotonicTime) -> MonotonicTime {
        guard let entry = entries[peer], now < entry.end else { return .zero }
        return entry.trusted == 0 ? .distantFuture : now.advanced(byNanoseconds: -entry.trusted)
    }

    /// Forgets those whose time is over.
    package mutating func tick(now: MonotonicTime) {
        guard !entries.isEmpty else { return }
        entries = entries.filter { now < $0.value.end }
    }

    private mutating func makeRoom(_ now: MonotonicTime) {
        guard entries.count >= Self.capacity else { return }
        tick(now: now)
        guard entries.count >= Self.capacity, let first = entries.min(by: { $0.value.end < $1.value.end }) else {
            return
        }
        entries[first.key] = nil
    }
}
