import SockeyeCore

/// The read low-water mark of a body (`SO_RCVLOWAT`, ``ByteStream/setReadLowWaterMark(_:)``): decides before each wait whether
/// to wait for any bytes or for ``mark`` of them. Pure.
///
/// Without it a gigabyte over loopback wakes its reader thousands of times, each time for a part of what is there a moment
/// later. So that a slow peer's bytes do not lie unread, the mark is set only
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

    /// The mark in bytes: so few that one read takes them all (``ReceiveBuffer/largest``), with room for what comes
    /// meanwhile. More would save more only with still faster peers.
    static let mark = 192 << 10
    /// The longest wait for the mark, and so the longest delay of a peer that was fast until now.
    static let limit = Duration.milliseconds(8)
    /// The bytes from one wait to the next that count as bulk: nearly the largest packet, of 64 KiB.
    static let bulk = 48 << 10
    /// How often in a row a body has to come in bulk: before the first wait for the mark, and at most after some that ended at
    /// the limit.
    static let proofs = 2...64
    /// The slowest pace of bulk: ``mark`` within ``limit``, some 25 MB a second.
    private static let nanosecondsPerByte = limit.clampedNanoseconds / Int64(mark)

    private(set) var isGathering = false
    /// What had been received before the last wait, and when that began.
    private var received: Int
    private var asked = MonotonicTime.zero
    private var proven = 0
    private var needed = Self.proofs.lowerBound
    /// Whether the last wait for the mark brought little. Allowed once, since something may have come before it was set.
    private var hasLapsed = false

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
        note(received - self.received, in: now.since(asked))
        self.received = received
        asked = now
        // Twice the mark, for a layer below may have taken part of that already.
        if proven >= needed, certain > 2 * Self.mark {
            isGathering = true
            return .forMark
        }
        guard isGathering else { return .forAny }
        isGathering = false
        return .afterReading
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
