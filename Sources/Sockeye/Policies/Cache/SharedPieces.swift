import SockeyeCore

/// The buffer of a body with several readers: the pieces that at least one reader has not consumed. A value without I/O.
///
/// The fastest reader has to wait while ``limit`` bytes are held for the slowest one. If nothing is consumed meanwhile, the
/// readers that hold up the others are evicted: after the stall deadline of the waiting reader, and after ``grace`` if they have
/// consumed nothing at all. A task that reads two shared bodies one after the other would wait for itself otherwise.
struct SharedPieces {
    enum Step {
        /// The next piece, and whether consuming it made room.
        case piece(Bytes, makesRoom: Bool)
        /// The reader has consumed everything that is here.
        case upToDate
        /// The reader was evicted.
        case evicted
    }

    /// The bytes that are held for the slowest reader: 1 MiB.
    static let limit = 1 << 20
    /// How long a reader that has consumed nothing may hold up the others.
    static let grace = Duration.seconds(2)

    private var pieces: [Bytes] = []
    /// The number of pieces that every reader has consumed.
    private var dropped = 0
    /// The bytes of ``pieces``.
    private var held = 0
    /// The number of pieces that each reader has consumed.
    private var positions: [Int: Int]
    /// The first wait for room since the slowest reader consumed something, and the positions at that time.
    private var full: (since: MonotonicTime, positions: [Int: Int])?

    /// - Parameter readers: Their number; they are counted from 0.
    init(readers: Int) {
        positions = Dictionary(uniqueKeysWithValues: (0..<readers).map { ($0, 0) })
    }

    var isFull: Bool { held >= Self.limit }
    var hasReaders: Bool { !positions.isEmpty }

    mutating func append(_ piece: Bytes) {
        pieces.append(piece)
        held = held.addingSaturated(piece.count)
    }

    mutating func next(for reader: Int) -> Step {
        guard let position = positions[reader] else { return .evicted }
        let index = position - dropped
        guard index < pieces.count else { return .upToDate }
        let piece = pieces[index]
        positions[reader] = position + 1
        return .piece(piece, makesRoom: trim())
    }

    /// - Returns: Whether that made room.
    mutating func remove(_ reader: Int) -> Bool {
        guard positions.removeValue(forKey: reader) != nil else { return false }
        return trim()
    }

    /// Discards the pieces that every reader has consumed. Returns whether there is room again.
    private mutating func trim() -> Bool {
        let wasFull = isFull
        let slowest = positions.values.min() ?? dropped + pieces.count
        let count = slowest - dropped
        guard count > 0 else { return false }
        held -= pieces[..<count].reduce(0) { $0 + $1.count }
        pieces.removeFirst(count)
        dropped = slowest
        full = nil
        return wasFull && !isFull
    }

    // MARK: Readers that hold up others

    /// When a reader that waits for room may evict others.
    ///
    /// - Parameter stall: The stall deadline of the reader that waits; nil for none.
    mutating func evictionTime(stall: Duration?, now: MonotonicTime) -> MonotonicTime {
        let full = full ?? (now, positions)
        self.full = full
        // The slowest reader has consumed as many pieces as were dropped.
        return full.since.deadline(after: dropped > 0 ? stall : Self.grace(stall))
    }

    /// Evicts the readers that have consumed nothing for as long as ``evictionTime(stall:now:)`` says.
    ///
    /// - Returns: Whether that made room.
    mutating func evict(stall: Duration?, now: MonotonicTime) -> Bool {
        guard let full else { return false }
        let end = dropped + pieces.count
        for (reader, position) in positions where position < end && position == full.positions[reader] {
            let limit = position == 0 ? Self.grace(stall) : stall
            if full.since.deadline(after: limit) <= now { positions[reader] = nil }
        }
        return trim()
    }

    private static func grace(_ stall: Duration?) -> Duration { min(grace, stall ?? grace) }
}
