import SockeyeCore

/// Decides whether the next wait for a body may be one for much at once (``ByteStream/setReadLowWaterMark(_:)``).
///
/// A fast peer's body is otherwise read as it trickles in: a gigabyte over loopback wakes its reader thousands of times
/// just to find part of what is there a moment later. A slow peer's bytes are not kept waiting: a body is waited for in this
/// way only after it came in bulk several times in a row, so fast that it meets the mark within the limit if it goes on like
/// that, and with more than enough still to come; and one that stops all the same has its bytes read when the limit has
/// passed, and to prove itself for longer than before.
struct BulkMachine: Sendable {
    /// How the next wait is to be.
    enum Plan: Equatable, Sendable {
        /// Until there are any bytes.
        case forAny
        /// Until there are ``BulkMachine/mark`` bytes, for ``BulkMachine/limit`` at most.
        case forMuch
        /// Not at all before another read: there may be bytes that the mark has kept quiet.
        case afterReading
    }

    /// How many bytes a wait for much is for: so few that one read takes them all (``ReceiveBuffer/largest``), with room for
    /// what comes meanwhile. More would save more, but only with peers that are still faster, and would lie in the kernel.
    static let mark = 192 << 10
    /// For how long such a wait lasts at most, and so may hold up the bytes of a peer that was fast until now.
    static let limit = Duration.milliseconds(8)
    /// What has to come from one wait to the next to be bulk: nearly as much as the largest packet, of 64 KiB.
    static let bulk = 48 << 10
    /// How many times in a row it has to before the first wait for much, and at most after some that ended at the limit.
    static let proofs = 2...64
    /// The slowest pace of bulk: ``mark`` within ``limit``, some 25 MB a second.
    private static let nanosecondsPerByte = limit.clampedNanoseconds / Int64(mark)

    private(set) var isGathering = false
    /// What had been received before the last wait, and when that began.
    private var received: Int
    private var asked = MonotonicTime.zero
    private var proven = 0
    private var needed = Self.proofs.lowerBound
    /// Whether the last wait for much brought little. Once it may: when something had come before the mark was set.
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
            return .forMuch
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

    /// A wait for much has ended at its limit.
    mutating func limitPassed() {
        isGathering = false
        proven = 0
        needed = min(Self.proofs.upperBound, needed * 2)
    }
}
