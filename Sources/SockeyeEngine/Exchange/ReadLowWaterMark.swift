import SockeyeCore

/// The read low-water mark of a body (`SO_RCVLOWAT`, ``ByteStream/setReadLowWaterMark(_:)``): decides before each wait whether
/// to wait for any bytes or for ``mark`` of them. Pure.
///
/// Without it a gigabyte over loopback wakes its reader thousands of times, each time for a part of what is there a moment
/// later; and a reader as fast as its peer never waits, but calls as often, and has the peer's packets processed within its
/// calls. So that a slow peer's bytes do not lie unread, the mark is set only
/// - after the body came in bulk several times in a row, so fast that the mark is met within ``limit`` at that pace;
/// - while more than enough is still to come.
///
/// A wait that ends at the limit has its bytes read, and doubles the number of proofs that are needed for the next one.
struct ReadLowWaterMark: Sendable {
    /// The kind of the next wait.
    enum Plan: Equatable, Sendable {
        /// Until there are any bytes.
        case forAny
        /// Until there are ``ReadLowWaterMark/mark`` bytes, for ``ReadLowWaterMark/limit`` at most.
        case forMark
        /// Not before another read: there may be bytes that the mark has kept unreported.
        case afterReading
    }

    /// The mark in bytes: so few that one read takes them all (``ReceiveBuffer/largestExpected``), with room for what comes
    /// meanwhile. Packets over loopback are of 64 KiB, and one that finds no room costs a call of its own. More
    /// would spare CPU time, and have the peer wait.
    static let mark = 256 << 10
    /// The longest wait for the mark, and so the longest delay of a peer that was fast until now.
    static let limit = Duration.milliseconds(8)
    /// The bytes from one wait to the next that count as bulk: nearly the largest packet, of 64 KiB.
    static let bulk = 48 << 10
    /// How often in a row a body has to come in bulk: before the first wait for the mark, and at most after some that ended at
    /// the limit.
    static let proofs = 2...64
    /// The slowest pace of bulk: ``mark`` within ``limit``, some 33 MB a second.
    private static let nanosecondsPerByte = limit.clampedNanoseconds / Int64(mark)

    private(set) var isGathering = false
    /// What had been received before the last wait, and when that began.
    private var received: Int
    private var asked = MonotonicTime.zero
    private var proven = 0
    private var needed = Self.proofs.lowerBound
    /// Whether the last wait for the mark brought little. Allowed once, since something may have come before it was set.
    private var hasLapsed = false
    /// Whether what came since the last wait was judged before the next one.
    private var isJudged = false

    /// - Parameter received: How much was received before the body is waited for.
    init(received: Int) {
        self.received = received
    }

    /// To be asked when there is nothing to read.
    ///
    /// - Parameters:
    ///   - received: How much was received so far.
    ///   - certain: How much more is certain to come.
    ///   - now: When the wait begins.
    mutating func plan(received: Int, certain: Int, at now: MonotonicTime) -> Plan {
        if !isJudged || received > self.received { note(received, at: now) }
        isJudged = false
        if isProven(with: certain) {
            isGathering = true
            return .forMark
        }
        guard isGathering else { return .forAny }
        isGathering = false
        return .afterReading
    }

    /// Whether to wait for the mark at once instead of reading again, after a read that has drained the socket. If so,
    /// ``plan(received:certain:at:)`` is to be asked.
    ///
    /// - Parameter now: Evaluated only where much was received.
    mutating func comesBeforeReading(received: Int, certain: Int, at now: @autoclosure () -> MonotonicTime) -> Bool {
        if isGathering { return true }
        guard received - self.received >= Self.bulk else { return false }
        note(received, at: now())
        isJudged = true
        return isProven(with: certain)
    }

    /// Twice the mark, for a layer below may have taken part of that already.
    private func isProven(with certain: Int) -> Bool { proven >= needed && certain > 2 * Self.mark }

    private mutating func note(_ received: Int, at now: MonotonicTime) {
        note(received - self.received, in: now.since(asked))
        self.received = received
        asked = now
    }

    /// Judges what came since the wait before.
    private mutating func note(_ count: Int, in time: Duration) {
        let isBulk = count >= Self.bulk && time.clampedNanoseconds / Int64(count) <= Self.nanosecondsPerByte
        if isBulk {
            proven = min(proven + 1, Self.proofs.upperBound)
            if isGathering { needed = max(Self.proofs.lowerBound, needed - 1) }
        } else if !isGathering || hasLapsed {
            proven = 0
        }
        hasLapsed = !isBulk
    }

    /// A wait for the mark has ended at its limit.
    mutating func limitPassed() {
        isGathering = false
        proven = 0
        needed = min(Self.proofs.upperBound, needed * 2)
    }
}
