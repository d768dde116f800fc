import SockeyeCore

/// The read low-water mark of a body (`SO_RCVLOWAT`, ``ByteStream/setReadLowWaterMark(_:)``). Decides for each wait if
/// it ends as soon as any bytes are available, or only when ``mark`` bytes are. Makes no system calls itself.
///
/// Without the mark, a gigabyte over loopback wakes its reader thousands of times, because each wait ends with the
/// first few bytes. A reader that is as fast as its peer always finds a few bytes: it never waits, but makes equally
/// many small reads.
///
/// A slow peer's bytes must not stay unread, so the reader waits for the mark only if both conditions hold:
/// - The body came in bulk several times in a row (``proofs``). Bulk means that the reader received at least ``bulk``
///   bytes before it had drained the socket, at a pace of at least ``mark`` bytes per ``limit``.
/// - More than twice the mark is still to come.
struct ReadLowWaterMark: Sendable {
    /// The kind of the next wait.
    enum Plan: Equatable, Sendable {
        /// Until any bytes are available.
        case forAny
        /// Until ``ReadLowWaterMark/mark`` bytes are available, for at most ``ReadLowWaterMark/limit``.
        case forMark
        /// No wait until the reader has read once more: because of the mark, the kernel may not have reported bytes
        /// that are available.
        case afterReading
    }

    /// The mark in bytes. The buffer of a read (``ReceiveBuffer/largestExpected``) is larger, so that one read also
    /// takes packets that arrive after the wait has ended. With a mark of 384 KiB, downloads took a tenth longer and
    /// no less CPU time, because the peer had to wait for the reader.
    static let mark = 256 << 10
    /// The longest wait for the mark.
    static let limit = Duration.milliseconds(8)
    /// The least number of bytes that counts as bulk: three quarters of the largest packet (64 KiB).
    static let bulk = 48 << 10
    /// The bounds of ``needed``, which begins at the lower bound. Each wait for the mark that ends at its limit doubles
    /// ``needed``, and each wait for the mark that brings bulk lowers ``needed`` by one.
    static let proofs = 2...64
    /// The slowest pace of bulk: ``mark`` within ``limit``, some 33 MB a second.
    private static let nanosecondsPerByte = limit.clampedNanoseconds / Int64(mark)

    /// True while the stream has the mark.
    private(set) var isGathering = false
    /// The number of bytes that had been received at the last judgement (bulk or not).
    private var received: Int
    /// The time of the last judgement. It is usually the start of a wait.
    private var waitStart = MonotonicTime.zero
    /// The number of times in a row that the body came in bulk.
    private var proven = 0
    /// The number of times in a row that bulk must come before a wait for the mark; within ``proofs``.
    private var needed = Self.proofs.lowerBound
    /// True if the bytes judged last were not bulk. While the mark is set, only two such judgements in a row reset
    /// `proven`. A single one proves nothing: even with a fast peer, the first wait for the mark may end early, because
    /// the stream may still report bytes that arrived before the mark was set.
    private var wasScant = false
    /// True if bytes were judged since the last call of ``plan(received:certain:at:)``. The next call then judges only
    /// newer bytes, or nothing if there are no newer bytes.
    private var isJudged = false

    /// - Parameter received: The number of bytes received before the first wait.
    init(received: Int) {
        self.received = received
    }

    /// Plans the next wait. Called when there is nothing to read.
    ///
    /// - Parameters:
    ///   - received: The number of bytes received so far.
    ///   - certain: The number of announced bytes still to come: of the current chunk if the body is chunked, otherwise
    ///     of the body.
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

    /// To be called after a read that drained the socket. While the mark is not set, judges the bytes received since
    /// the last judgement if they are at least ``bulk``.
    ///
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

    /// Returns true if bulk came often enough and more than twice the mark is still to come.
    ///
    /// If less than the mark is left for the kernel to report, a wait lasts the whole ``limit`` although all bytes have
    /// arrived. The second mark allows for bytes to come that the kernel no longer counts, because a layer between the
    /// socket and this reader, such as TLS, has read them already.
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
