package import SockeyeCore

/// A history of peers that closed idle connections unannounced. It decides which of their other idle connections may still
/// carry a request that cannot be repeated.
///
/// A peer that closes each connection after its answer, as tinyproxy does, must not cost a POST every now and then; one
/// that closes connections after five idle seconds should not cost each POST a connection. So the measure is how long a
/// connection had been idle: another one is trusted for half of that, and not at all if that was next to nothing.
///
/// A server that is reloaded closes all its idle connections at one moment, and those that follow live. A peer is trusted
/// again as soon as that has shown: when a connection that was put aside after the last close has brought another answer.
/// Where no request that can be repeated tries that, one that cannot does after a quarter of a second, and one at a time. If
/// connections made after a close are closed in turn, twice, it is the peer's habit, and there are no more trials. Such a peer
/// can thus cost two requests.
///
/// A peer is remembered for ten seconds, and for as long again as it has closed connections unannounced.
package struct CloseHistory<Peer: Hashable & Sendable>: Sendable {
    private struct Entry {
        let first: MonotonicTime
        var end: MonotonicTime
        /// How long a connection may be idle, in nanoseconds.
        var trusted: Int64
        var lastClose: MonotonicTime
        /// When to risk the next request that cannot be repeated.
        var nextTrial: MonotonicTime
        /// How often a connection was closed that had been made after an earlier close.
        var repetitions = 0
        /// When connections were seen to live.
        var proof = MonotonicTime.zero

        var isProven: Bool { proof > .zero && proof >= lastClose }
        /// Connections of the peer may yet prove to live.
        var awaitsProof: Bool { trusted == 0 && !isProven && repetitions < CloseHistory.habit }
    }

    /// The most peers; then the one that would be forgotten first goes.
    static var capacity: Int { 256 }
    /// A connection that was closed after less than this was closed at once.
    private static var atOnce: Int64 { 100_000_000 }
    /// The same if the moment is not known: idle connections are looked at every second.
    private static var atOnceUnseen: Int64 { 2_000_000_000 }
    private static var shortest: Int64 { 10_000_000_000 }
    private static var longest: Int64 { 600_000_000_000 }
    /// How long after a close, and after each trial, no request is risked.
    private static var trialPause: Int64 { 250_000_000 }
    /// So many repetitions are a habit.
    private static var habit: Int { 2 }

    private var entries: [Peer: Entry] = [:]
    /// Whether ``lived(_:lastUse:now:)`` can change anything.
    package private(set) var isAwaitingProof = false

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// The peer has closed a connection.
    ///
    /// - Parameters:
    ///   - made: When the connection was made.
    ///   - lastUse: When it was given back last, or made.
    ///   - end: When it was closed, as the poller saw it; nil if only this look at it tells.
    package mutating func closed(
        _ peer: Peer, made: MonotonicTime, lastUse: MonotonicTime, end: MonotonicTime?, now: MonotonicTime
    ) {
        let close = MonotonicTime.earlier(end ?? now, now)
        let idle = max(0, close.nanoseconds - lastUse.nanoseconds)
        let trusted = idle < (end == nil ? Self.atOnceUnseen : Self.atOnce) ? 0 : idle / 2
        defer { isAwaitingProof = entries.values.contains(where: \.awaitsProof) }
        guard var entry = entries[peer], now < entry.end else {
            if entries[peer] == nil { makeRoom(now) }
            entries[peer] = Entry(
                first: now, end: now.advanced(byNanoseconds: Self.shortest), trusted: trusted, lastClose: close,
                nextTrial: close.advanced(byNanoseconds: Self.trialPause))
            return
        }
        // One of those before the proof, which is found only now.
        if entry.isProven, close <= entry.proof { return }
        if made >= entry.lastClose { entry.repetitions += 1 }
        // A proof has refuted the earlier measure.
        entry.trusted = entry.isProven ? trusted : min(entry.trusted, trusted)
        entry.lastClose = max(entry.lastClose, close)
        entry.nextTrial = max(entry.nextTrial, close.advanced(byNanoseconds: Self.trialPause))
        let memory = Self.shortest + (now.nanoseconds - entry.first.nanoseconds)
        entry.end = now.advanced(byNanoseconds: min(Self.longest, memory))
        entries[peer] = entry
    }

    /// A connection of the peer that was given back at `lastUse` has brought another answer since.
    package mutating func lived(_ peer: Peer, lastUse: MonotonicTime, now: MonotonicTime) {
        guard let entry = entries[peer], entry.awaitsProof, lastUse >= entry.lastClose else { return }
        entries[peer]?.proof = now
        isAwaitingProof = entries.values.contains(where: \.awaitsProof)
    }

    /// Since when a connection to the peer may have been idle to be worth a request that cannot be repeated: zero for any
    /// time, the end of time for no connection at all.
    package mutating func earliestUse(of peer: Peer, now: MonotonicTime) -> MonotonicTime {
        guard let entry = entries[peer], now < entry.end, !entry.isProven else { return .zero }
        if entry.trusted > 0 { return now.advanced(byNanoseconds: -entry.trusted) }
        guard entry.awaitsProof, entry.nextTrial <= now else { return .distantFuture }
        entries[peer]?.nextTrial = now.advanced(byNanoseconds: Self.trialPause)
        return entry.lastClose
    }

    /// Forgets those whose time is over.
    package mutating func tick(now: MonotonicTime) {
        guard !entries.isEmpty else { return }
        entries = entries.filter { now < $0.value.end }
        isAwaitingProof = entries.values.contains(where: \.awaitsProof)
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
