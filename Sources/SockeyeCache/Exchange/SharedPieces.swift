import SockeyeCore

/// The buffer of a body with several readers: the pieces that at least one reader has not consumed. Performs no I/O.
///
/// While the slowest reader is ``limit`` bytes behind, the fastest reader waits. If slower readers consume nothing
/// meanwhile, the waiting reader evicts them after its stall deadline. For readers that have not consumed anything at
/// all, it waits no longer than ``grace``. Without eviction, a task that owns two of the readers, and reads one to its
/// end before it begins with the other, could wait indefinitely.
struct SharedPieces {
    enum Step {
        /// The next piece; `makesRoom` is true if consuming it made room in a full buffer.
        case piece(Bytes, makesRoom: Bool)
        /// The reader has consumed everything in the buffer.
        case upToDate
        /// The reader was evicted.
        case evicted
    }

    /// The buffer counts as full if it holds at least this number of bytes for the slowest reader: 1 MiB.
    static let limit = 1 << 20
    /// The time for which a reader that has consumed nothing may hold up the others.
    static let grace = Duration.seconds(2)

    /// The memory in bytes that a piece takes besides its content. It counts towards ``limit``, because a peer may send
    /// a million pieces of one byte.
    private static let overhead = 64

    /// The pieces that were not discarded. The first ``vacant`` elements are empty; they are the places of discarded
    /// pieces.
    private var pieces: [Bytes] = []
    /// The number of discarded pieces that still have a place at the start of ``pieces``.
    private var vacant = 0
    /// The number of pieces that every reader has consumed.
    private var dropped = 0
    /// The size of the pieces that were not discarded, each with its ``overhead``.
    private var held = 0
    /// The number of pieces that each reader has consumed, by its id. Readers that have left or were evicted are
    /// missing.
    private var positions: [Int: Int]
    /// The number of readers that have consumed no more than the ``dropped`` pieces. Pieces can be discarded only when
    /// it is 0. Without this count, each step of a reader would have to compare the positions of all readers.
    private var slowestReaders: Int
    /// The time of the first wait for room since pieces were last discarded, and the positions at that time. Nil if no
    /// reader has waited since.
    private var full: (since: MonotonicTime, positions: [Int: Int])?

    /// - Parameter readers: The number of readers; their ids start at 0.
    init(readers: Int) {
        positions = Dictionary(uniqueKeysWithValues: (0..<readers).map { ($0, 0) })
        slowestReaders = readers
    }

    var isFull: Bool { held >= Self.limit }
    var hasReaders: Bool { !positions.isEmpty }

    mutating func append(_ piece: Bytes) {
        pieces.append(piece)
        held = held.addingSaturated(piece.count).addingSaturated(Self.overhead)
    }

    mutating func next(for reader: Int) -> Step {
        guard let position = positions[reader] else { return .evicted }
        let index = position - dropped + vacant
        guard index < pieces.count else { return .upToDate }
        let piece = pieces[index]
        positions[reader] = position + 1
        leave(position)
        return .piece(piece, makesRoom: trim())
    }

    /// - Returns: True if the full buffer has room again.
    mutating func remove(_ reader: Int) -> Bool {
        guard let position = positions.removeValue(forKey: reader) else { return false }
        leave(position)
        return trim()
    }

    /// Notes that a reader is no longer at a position. ``trim()`` must follow.
    private mutating func leave(_ position: Int) {
        if position == dropped { slowestReaders -= 1 }
    }

    /// Discards the pieces that every reader has consumed. Returns true if the full buffer has room again.
    private mutating func trim() -> Bool {
        guard slowestReaders == 0 else { return false }
        let wasFull = isFull
        let slowest = positions.values.min() ?? end
        slowestReaders = positions.values.count { $0 == slowest }
        guard slowest > dropped else { return false }
        for index in vacant..<vacant + slowest - dropped {
            held -= pieces[index].count + Self.overhead
            pieces[index] = Bytes()
        }
        vacant += slowest - dropped
        dropped = slowest
        // The pieces are moved only if more than half of the array is vacant: O(1) per piece on average.
        if vacant > pieces.count / 2 {
            pieces.removeFirst(vacant)
            vacant = 0
        }
        full = nil
        return wasFull && !isFull
    }

    /// The number of all pieces so far.
    private var end: Int { dropped + pieces.count - vacant }

    // MARK: Readers that hold up others

    /// Returns the time from which a reader that waits for room may evict others.
    ///
    /// - Parameter stall: The stall deadline of the waiting reader; nil for no limit.
    mutating func evictionTime(stall: Duration?, now: MonotonicTime) -> MonotonicTime {
        let full = full ?? (now, positions)
        self.full = full
        // `dropped` is 0 if the slowest reader has consumed nothing.
        return full.since.deadline(after: dropped > 0 ? stall : Self.grace(stall))
    }

    /// Evicts the readers that have consumed nothing since the first wait for room, if their time is up
    /// (``evictionTime(stall:now:)``).
    ///
    /// - Returns: True if the full buffer has room again.
    mutating func evict(stall: Duration?, now: MonotonicTime) -> Bool {
        guard let full else { return false }
        let end = end
        for (reader, position) in positions where position < end && position == full.positions[reader] {
            let limit = position == 0 ? Self.grace(stall) : stall
            guard full.since.deadline(after: limit) <= now else { continue }
            positions[reader] = nil
            leave(position)
        }
        return trim()
    }

    private static func grace(_ stall: Duration?) -> Duration { min(grace, stall ?? grace) }
}
