import SockeyeCore

/// The peers that closed idle connections without announcing it. Decides which of their other idle connections may
/// carry a request that cannot be repeated.
///
/// The decision depends on the time for which a closed connection had been idle. Another connection of the peer is
/// trusted if it has been idle for at most half of that time. If the closed connection had hardly been idle, no idle
/// connection of the peer is trusted: the peer may close each connection after its answer, as tinyproxy does.
///
/// A server that is reloaded closes all its idle connections at once, but keeps later ones open. A peer is therefore
/// trusted again after proof: a connection that became idle after the last close brought another answer. Usually a
/// repeatable request provides the proof. Until there is a proof, trials are made. From a quarter of a second after the
/// close, one unrepeatable request in each quarter of a second is risked on a connection that became idle after the
/// close. The trials stop if the peer has twice closed a connection that was made after the previous close.
///
/// A peer is remembered for ten seconds plus the time over which it has closed connections, at most ten minutes.
struct CloseHistory<Peer: Hashable & Sendable>: Sendable {
    private struct Entry {
        /// The time at which the first close was noticed.
        let first: MonotonicTime
        /// The time at which the peer is forgotten.
        var end: MonotonicTime
        /// The longest time that a connection may be idle and still be trusted, in nanoseconds.
        var trustedIdleTime: Int64
        var lastClose: MonotonicTime
        /// The earliest time for the next trial with a request that cannot be repeated.
        var nextTrial: MonotonicTime
        /// The number of closed connections that had been made after the previous close.
        var repetitions = 0
        /// The last time at which a connection that had been idle brought another answer; `zero` if there was no such
        /// answer.
        var proof = MonotonicTime.zero

        var isProven: Bool { proof > .zero && proof >= lastClose }
        /// True if no idle connection of the peer is trusted, and a proof can still restore the trust.
        var awaitsProof: Bool { trustedIdleTime == 0 && !isProven && repetitions < CloseHistory.habit }
    }

    /// The largest number of peers; beyond it, the peer that would be forgotten first is removed.
    static var capacity: Int { 256 }
    /// The idle time below which a close counts as immediate, in nanoseconds like the times below.
    private static var atOnce: Int64 { 100_000_000 }
    /// The idle time below which a close counts as immediate if the time of the close is unknown. It is longer, because
    /// idle connections are inspected only once a second, so the pool may notice the close about a second late.
    private static var immediateUnseen: Int64 { 2_000_000_000 }
    /// The shortest and the longest time for which a peer is remembered after a close.
    private static var shortest: Int64 { 10_000_000_000 }
    private static var longest: Int64 { 600_000_000_000 }
    /// The pause after a close, and after each trial, in which no request is risked.
    private static var trialPause: Int64 { 250_000_000 }
    /// The number of repetitions after which the trials stop.
    private static var habit: Int { 2 }

    private var entries: [Peer: Entry] = [:]
    /// True if ``survived(_:lastUse:now:)`` can change anything.
    private(set) var isAwaitingProof = false

    init() {}

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Records that the peer has closed a connection.
    ///
    /// - Parameters:
    ///   - made: The time at which the connection was made.
    ///   - lastUse: The time at which the connection was last released; `made` if it was never released.
    ///   - end: The time of the close as seen by the poller; nil if only the present inspection revealed it.
    mutating func closed(
        _ peer: Peer, made: MonotonicTime, lastUse: MonotonicTime, end: MonotonicTime?, now: MonotonicTime
    ) {
        let close = MonotonicTime.earlier(end ?? now, now)
        let idle = max(0, close.nanoseconds - lastUse.nanoseconds)
        let trusted = idle < (end == nil ? Self.immediateUnseen : Self.atOnce) ? 0 : idle / 2
        defer { isAwaitingProof = entries.values.contains(where: \.awaitsProof) }
        guard var entry = entries[peer], now < entry.end else {
            if entries[peer] == nil { makeRoom(now) }
            entries[peer] = Entry(
                first: now, end: now.advanced(byNanoseconds: Self.shortest), trustedIdleTime: trusted, lastClose: close,
                nextTrial: close.advanced(byNanoseconds: Self.trialPause))
            return
        }
        // This connection was closed before the proof; the close is only noticed now.
        if entry.isProven, close <= entry.proof { return }
        if made >= entry.lastClose { entry.repetitions += 1 }
        // After a proof the trusted time of earlier closes no longer counts.
        entry.trustedIdleTime = entry.isProven ? trusted : min(entry.trustedIdleTime, trusted)
        entry.lastClose = max(entry.lastClose, close)
        entry.nextTrial = max(entry.nextTrial, close.advanced(byNanoseconds: Self.trialPause))
        let memory = Self.shortest + (now.nanoseconds - entry.first.nanoseconds)
        entry.end = now.advanced(byNanoseconds: min(Self.longest, memory))
        entries[peer] = entry
    }

    /// Records that a connection of the peer, released at `lastUse`, has since brought another answer.
    mutating func survived(_ peer: Peer, lastUse: MonotonicTime, now: MonotonicTime) {
        guard let entry = entries[peer], entry.awaitsProof, lastUse >= entry.lastClose else { return }
        entries[peer]?.proof = now
        isAwaitingProof = entries.values.contains(where: \.awaitsProof)
    }

    /// Returns a limit for requests that cannot be repeated: they may use only idle connections that were last used at
    /// this time or later. `zero` allows every connection, `distantFuture` no connection. If the result permits a
    /// trial, the next trial is permitted a quarter of a second later at the earliest.
    mutating func earliestUse(of peer: Peer, now: MonotonicTime) -> MonotonicTime {
        guard let entry = entries[peer], now < entry.end, !entry.isProven else { return .zero }
        if entry.trustedIdleTime > 0 { return now.advanced(byNanoseconds: -entry.trustedIdleTime) }
        guard entry.awaitsProof, entry.nextTrial <= now else { return .distantFuture }
        entries[peer]?.nextTrial = now.advanced(byNanoseconds: Self.trialPause)
        return entry.lastClose
    }

    /// Forgets the peers that were remembered long enough.
    mutating func tick(now: MonotonicTime) {
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
