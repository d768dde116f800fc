import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import Testing

@testable import Sockeye
@testable import SockeyeCache

@Suite("The buffer of a body with several readers", .timeLimit(.minutes(1))) struct SharedPiecesTests {
    private static let piece = Bytes([UInt8](repeating: 1, count: SharedPieces.limit / 2))
    private static let start = MonotonicTime(nanoseconds: 1)

    /// A full buffer of two pieces; reader 0 has consumed both, and each other reader as many as `consumed` says.
    private func full(consumed: [Int]) -> SharedPieces {
        var pieces = SharedPieces(readers: consumed.count + 1)
        for _ in 0..<2 { pieces.append(Self.piece) }
        for (index, count) in consumed.enumerated() {
            for _ in 0..<count { _ = pieces.next(for: index + 1) }
        }
        for _ in 0..<2 { _ = pieces.next(for: 0) }
        return pieces
    }

    private func isEvicted(_ reader: Int, _ pieces: inout SharedPieces) -> Bool {
        if case .evicted = pieces.next(for: reader) { true } else { false }
    }

    @Test("pieces go to every reader, and are discarded when all have consumed them")
    func consuming() {
        var pieces = full(consumed: [0])
        #expect(pieces.isFull)
        guard case .piece(_, let makesRoom) = pieces.next(for: 1) else {
            Issue.record("no piece")
            return
        }
        #expect(makesRoom && !pieces.isFull)
        guard case .piece = pieces.next(for: 1), case .upToDate = pieces.next(for: 1) else {
            Issue.record("no second piece")
            return
        }
    }

    @Test(
        "a reader that does not read is evicted after the stall deadline, and earlier if it has read nothing",
        arguments: [
            (consumed: 0, stall: Duration.seconds(60), after: Duration.seconds(2)), (1, .seconds(60), .seconds(60)),
            (0, .seconds(1), .seconds(1)), (0, nil, .seconds(2)),
        ] as [(consumed: Int, stall: Duration?, after: Duration)])
    func eviction(consumed: Int, stall: Duration?, after: Duration) {
        var pieces = full(consumed: [consumed])
        pieces.append(Self.piece)
        _ = pieces.next(for: 0)
        let time = pieces.evictionTime(stall: stall, now: Self.start)
        #expect(time == Self.start.advanced(by: after))
        let isEarly = pieces.evict(stall: stall, now: time.advanced(by: .nanoseconds(-1)))
        let isDue = pieces.evict(stall: stall, now: time)
        #expect(!isEarly && isDue && !pieces.isFull && pieces.hasReaders)
        #expect(isEvicted(1, &pieces))
    }

    @Test("without a stall deadline a reader that has read something is never evicted")
    func noStall() {
        var pieces = full(consumed: [1])
        pieces.append(Self.piece)
        let time = pieces.evictionTime(stall: nil, now: Self.start)
        #expect(time == .distantFuture)
        let makesRoom = pieces.evict(stall: nil, now: MonotonicTime(nanoseconds: .max - 1))
        #expect(!makesRoom)
        #expect(!isEvicted(1, &pieces))
    }

    @Test("a reader that reads slowly is not evicted: each piece renews the deadline")
    func progress() {
        var pieces = full(consumed: [0])
        let first = pieces.evictionTime(stall: .seconds(1), now: Self.start)
        _ = pieces.next(for: 1)
        pieces.append(Self.piece)
        _ = pieces.next(for: 0)
        let later = first.advanced(by: .milliseconds(500))
        let second = pieces.evictionTime(stall: .seconds(1), now: later)
        let makesRoom = pieces.evict(stall: .seconds(1), now: later)
        #expect(second == later.advanced(by: .seconds(1)) && !makesRoom)
        #expect(!isEvicted(1, &pieces))
    }

    @Test("all readers with unread pieces are evicted together, and readers that have read all pieces are not")
    func several() {
        var pieces = full(consumed: [0, 0, 1, 2])
        let time = pieces.evictionTime(stall: .seconds(1), now: Self.start)
        let makesRoom = pieces.evict(stall: .seconds(1), now: time)
        #expect(makesRoom)
        for reader in 1...3 { #expect(isEvicted(reader, &pieces)) }
        for reader in [0, 4] { #expect(!isEvicted(reader, &pieces)) }
    }

    /// Pieces of a quarter of the limit, so that four of them fill the buffer. Their bytes tell them apart.
    private static let quarters = (0..<7).map {
        Bytes([UInt8](repeating: UInt8($0), count: SharedPieces.limit / 4))
    }

    /// A buffer of ``quarters`` that compares the positions of all readers at each step.
    private struct Model {
        var count = 0
        var positions: [Int: Int]

        var isFull: Bool { count - (positions.values.min() ?? count) >= 4 }

        /// Returns true if a change makes room in the full buffer.
        mutating func makesRoom(_ change: (inout Model) -> Void) -> Bool {
            let wasFull = isFull
            change(&self)
            return wasFull && !isFull
        }
    }

    /// Takes the next piece for a reader, and compares it with that of the model.
    private func step(_ reader: Int, _ pieces: inout SharedPieces, _ model: inout Model) {
        let (position, count) = (model.positions[reader], model.count)
        switch pieces.next(for: reader) {
        case .evicted: #expect(position == nil)
        case .upToDate: #expect(position == count)
        case .piece(let piece, let makesRoom):
            guard let position, position < count else {
                Issue.record("a piece for a reader that has consumed all pieces")
                return
            }
            let expected = model.makesRoom { $0.positions[reader] = position + 1 }
            #expect(piece.first == UInt8(position % Self.quarters.count) && makesRoom == expected)
        }
    }

    @Test("in any order of steps, readers get the pieces and the room that a simple model says", arguments: 0..<20)
    func randomSteps(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let readers = Int.random(in: 1...6, using: &random)
        var pieces = SharedPieces(readers: readers)
        var model = Model(positions: Dictionary(uniqueKeysWithValues: (0..<readers).map { ($0, 0) }))
        for _ in 0..<400 where pieces.hasReaders {
            let reader = Int.random(in: 0..<readers, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<25 where !model.isFull:
                pieces.append(Self.quarters[model.count % Self.quarters.count])
                model.count += 1
            case 97 where model.isFull:
                // All readers with unread pieces are evicted, because none reads between these calls.
                let time = pieces.evictionTime(stall: .zero, now: Self.start)
                let makesRoom = pieces.evict(stall: .zero, now: time)
                let expected = model.makesRoom { model in
                    let count = model.count
                    model.positions = model.positions.filter { $0.value == count }
                }
                #expect(makesRoom == expected)
            case 98:
                let makesRoom = pieces.remove(reader)
                let expected = model.makesRoom { $0.positions[reader] = nil }
                #expect(makesRoom == expected)
            default: step(reader, &pieces, &model)
            }
            #expect(pieces.isFull == model.isFull && pieces.hasReaders == !model.positions.isEmpty)
        }
    }

    @Test("50,000 readers of a piece take time in proportion to their number")
    func manyReaders() {
        let readers = 50_000
        var pieces = SharedPieces(readers: readers)
        for _ in 0..<2 { pieces.append(Self.piece) }
        var rooms = 0
        for reader in 0..<readers {
            if case .piece(_, makesRoom: true) = pieces.next(for: reader) { rooms += 1 }
        }
        #expect(rooms == 1 && !pieces.isFull)
    }
}

@Suite("Content that continues a shared response") struct ContentIdentityTests {
    private static func identity(_ change: (inout ContentIdentity) -> Void = { _ in }) -> ContentIdentity {
        var identity = ContentIdentity()
        identity.length = 100
        identity.contentType = ["text/plain"]
        change(&identity)
        return identity
    }

    private static let strong = identity { $0.eTags = ["\"1\""] }
    private static let weak = identity { $0.eTags = ["W/\"1\""] }

    @Test(
        "a response continues another in the middle only with an equal strong validator, else only from the start",
        arguments: [
            (strong, strong, true, true), (strong, identity { $0.eTags = ["\"2\""] }, false, false),
            (weak, weak, true, false), (strong, identity(), false, false), (identity(), identity(), true, false),
            (identity(), identity { $0.length = 101 }, false, false),
            (identity(), identity { $0.length = nil }, true, false),
            (strong, identity { ($0.eTags, $0.status) = (["\"1\""], 404) }, false, false),
            (strong, identity { ($0.eTags, $0.isDecoded) = (["\"1\""], true) }, false, false),
            (identity(), identity { $0.contentType = ["text/html"] }, false, false),
        ])
    func continuing(one: ContentIdentity, other: ContentIdentity, fromStart: Bool, fromMiddle: Bool) {
        #expect(one.isContinued(by: other, at: 0) == fromStart)
        #expect(one.isContinued(by: other, at: 50) == fromMiddle)
    }
}
