import SockeyeCore

/// The read low-water mark of a body (`SO_RCVLOWAT`, ``ByteStream/setReadLowWaterMark(_:)``). Decides for each wait if
/// it ends as soon as any bytes are available, or only when ``mark`` bytes are. Makes no system calls itself.
///
/// Without the mark, a gigabyte over loopback wakes its reader thousands of times, each time for a part of the bytes
/// that are available a moment later. A reader that is exactly as fast as its peer is never woken, but makes equally
/// many small reads.
///
/// A slow peer's bytes must not stay unread, so the reader waits for the mark only if both conditions hold:
/// - The body came in bulk several times in a row (``proofs``): at least ``bulk`` bytes by the time the reader had
///   drained the socket, at a pace that meets the mark within ``limit``.
/// - More than twice the mark is still to come.
struct ReadLowWaterMark: Sendable {
    /// The kind of the next wait.
    enum Plan: Equatable, Sendable {
        /// Until any bytes are available.
        case forAny
        /// Until ``ReadLowWaterMark/mark`` bytes are available, for at most ``ReadLowWaterMark/limit``.
        case forMark
        /// No wait: read again first. Because of the mark, the kernel may not have reported bytes that are available.
        case afterReading
    }

    /// The mark in bytes. The buffer of a read (``ReceiveBuffer/largestExpected``) is larger, so that one read also
    /// takes packets that arrive after the wait has ended. With a mark of 384 KiB the peer waits, so downloads take a
    /// tenth longer and no less CPU time.
    static let mark = 256 << 10
    /// The longest wait for the mark.
    static let limit = Duration.milliseconds(8)
    /// The least number of bytes that counts as bulk: three quarters of the largest packet (64 KiB).
    static let bulk = 48 << 10
    /// The number of times in a row that a body must come in bulk before a wait for the mark: at first the lower bound.
    /// Each wait that ends at the limit doubles the number, up to the upper bound. Each wait for the mark that brings
    /// bulk lowers it by one, down to the lower bound.
    static let proofs = 2...64
    /// The slowest pace of bulk: ``mark`` within ``limit``, some 33 MB a second.
    private static let nanosecondsPerByte = limit.clampedNanoseconds / Int64(mark)

    /// True while the stream has the mark.
    private(set) var isGathering = false
    /// The number of bytes received until the last judgement (bulk or not), and the time of that judgement. Usually a
    /// wait begins then.
    private var received: Int
    private var waitStart = MonotonicTime.zero
    /// The number of times in a row that the body came in bulk.
    private var proven = 0
    /// The number of times in a row that bulk must come before a wait for the mark; within ``proofs``.
    private var needed = Self.proofs.lowerBound
    /// True if the bytes judged last were not bulk. While the mark is set, `proven` is reset only if that happens twice
    /// in a row. The first wait for the mark may end early although the peer is fast, because the stream may still
    /// report bytes that arrived before the mark was set.
    private var wasScant = false
    /// True if bytes were judged since the last call of ``plan(received:certain:at:)``. The next call then judges only
    /// bytes that came after them, if there are any.
    private var isJudged = false

    /// - Parameter received: The number of bytes received before the first wait.
    init(received: Int) {
        self.received = received
    }

    /// Plans the next wait. Called when there is nothing to read.
    ///
    /// - Parameters:
    ///   - received: The number of bytes received so far.
    ///   - certain: The number of announced bytes to come: of the body or, if it is chunked, of the current chunk.
    ///   - now: The start of the wait.
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

    /// To be called after a read that drained the socket. Judges the bytes received if they are at least ``bulk``.
    /// Returns true if the caller should call ``plan(received:certain:at:)`` and wait, instead of reading again.
    ///
    /// - Parameter now: Evaluated only if at least ``bulk`` bytes were received.
    mutating func shouldWaitBeforeReading(received: Int, certain: Int, at now: @autoclosure () -> MonotonicTime) -> Bool
    {
        if isGathering { return true }
        guard received - self.received >= Self.bulk else { return false }
        note(received, at: now())
        isJudged = true
        return isProven(with: certain)
    }

    /// Requires that more than twice the mark is to come. A layer between the socket and this reader, such as TLS, may
    /// already have read some of these bytes. The kernel does not count them, so with only the mark to come, a wait
    /// could last the whole ``limit`` although all bytes have arrived.
    private func isProven(with certain: Int) -> Bool { proven >= needed && certain > 2 * Self.mark }

    private mutating func note(_ received: Int, at now: MonotonicTime) {
        note(received - self.received, in: now.since(waitStart))
        self.received = received
        waitStart = now
    }

    /// Judges if `count` bytes received in `time` are bulk.
    private mutating func note(_ count: Int, in time: Duration) {
        let isBulk = count >= Self.bulk && time.clampedNanoseconds / Int64(count) <= Self.nanosecondsPerByte
        if isBulk {
            proven = min(proven + 1, Self.proofs.upperBound)
            if isGathering { needed = max(Self.proofs.lowerBound, needed - 1) }
        } else if !isGathering || wasScant {
            proven = 0
        }
        wasScant = !isBulk
    }

    /// Records that a wait for the mark has ended at its limit.
    mutating func limitPassed() {
        isGathering = false
        proven = 0
        needed = min(Self.proofs.upperBound, needed * 2)
    }
}
