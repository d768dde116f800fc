import SockeyeCore
import SockeyeEngine
import SockeyeNet

/// The receiving half of a connection: the protocol's state machine, its input bytes, and the message that is being
/// read.
struct ReceivingHalf: ~Copyable {
    /// The result of a reading step: an event, or the reason why there is no event. A step never waits.
    enum Step {
        case event(InboundMachine.Event)
        case wait(Interest)
        /// The turn is over: the task has used up its `TurnBudget` of bytes and frames. The caller checks cancellation
        /// and its deadline, and lets other tasks run.
        case turnEnded
        case end
        case failed(TransportError)
        case fault(ProtocolFault)
    }

    /// The way in which the current message is read.
    private enum Reading {
        case none
        /// Piece by piece, by the reader with this number.
        case streamed(Int)
        case whole(WebSocketConnection.Kind)
        /// The rest is to be discarded: the receiver asked for the next message, or this side discarded a part of the
        /// message while it was closing.
        case discarded
    }

    private var machine: InboundMachine
    private var buffer = ReceiveBuffer()
    private var reading = Reading.none
    private var parts = BytesAccumulator(expected: nil)
    /// An event that the next step returns. It is the first event of a message that began while no task received, or
    /// the bytes of the current message that a call had collected when it was cancelled.
    private var heldEvent: InboundMachine.Event?
    /// The number of messages that were read piece by piece so far.
    private var readers = 0
    private var hasEnded = false
    private var turn = TurnBudget()
    /// True if the turn ended with the latest event. The next step reports the end of the turn.
    private var hasTurnEnded = false
    private let discardLimit: Int
    /// The number of bytes of the current message that were discarded.
    private var discarded = 0
    /// The current holder of this half and the tasks that wait for it.
    var claims = ReceivingClaims()
    /// The number of bytes received.
    private(set) var received: UInt64 = 0
    /// The number of bytes that were received and parsed.
    var parsed: UInt64 { received - UInt64(machine.pendingCount) }
    /// The time at which the last bytes were read.
    private(set) var lastByte: MonotonicTime?
    /// The value of `received` at the last change of `lastByte`.
    private var timed: UInt64 = 0

    /// - Parameter discardLimit: The maximum number of bytes to discard when a task asks for the next message before
    ///   the current one has been read to its end.
    init(_ machine: consuming InboundMachine, early: Bytes, discardLimit: Int) {
        self.machine = machine
        self.discardLimit = discardLimit
        if !early.isEmpty {
            received = UInt64(early.count)
            self.machine.push(early)
        }
    }

    var hasUnreceivedMessage: Bool { heldEvent != nil || machine.isAmidMessage }

    /// Sets ``lastByte`` to `now` if bytes were received since the last call.
    mutating func noteLastByte(at now: MonotonicTime) {
        guard timed != received else { return }
        timed = received
        lastByte = now
    }

    /// Ends this half, which then no longer uses the stream.
    mutating func end() { hasEnded = true }

    /// Returns the machine's next event, and reads from the stream as needed. If there is no event, returns the reason.
    mutating func step(_ stream: any ByteStream) -> Step {
        if let event = takeHeldEvent() { return .event(event) }
        if hasTurnEnded {
            hasTurnEnded = false
            return .turnEnded
        }
        while true {
            do throws(ProtocolFault) {
                let event = try machine.next()
                let endsTurn = countParsed(event)
                if let event {
                    hasTurnEnded = endsTurn
                    return .event(event)
                }
                if endsTurn { return .turnEnded }
            } catch {
                return .fault(error)
            }
            guard !hasEnded else { return .end }
            switch buffer.fill(from: stream) {
            case .bytes(let count):
                received += UInt64(count)
                machine.push(buffer.bytes)
                buffer.consume(buffer.count)
                if turn.spend(count) { return .turnEnded }
            case .end:
                hasEnded = true
                return .end
            case .wouldBlock(let interest):
                turn.restart()
                return .wait(interest)
            case .failed(let error): return .failed(error)
            }
        }
    }

    /// Counts the parsed frames and the decompressed bytes toward the turn, because a few received bytes may contain
    /// many of both. The received bytes themselves are counted when they are read from the stream.
    ///
    /// - Returns: True if the turn is over.
    private mutating func countParsed(_ event: InboundMachine.Event?) -> Bool {
        let frames = machine.takeFrameCount()
        if case .piece(let piece)? = event, machine.isAmidCompressedMessage {
            return turn.spend(piece.count, units: max(1, frames))
        }
        return frames > 0 && turn.spend(0, units: frames)
    }

    /// The maximum number of bytes of a held event that one step returns. It is also the limit that
    /// ``WebSocketConnection/IncomingMessage/Element`` promises.
    private static let pieceLimit = 256 << 10

    /// Returns the held event. Bytes that a cancelled call had collected are returned in pieces of at most
    /// ``pieceLimit`` bytes, one for each call of this method.
    private mutating func takeHeldEvent() -> InboundMachine.Event? {
        guard case .piece(let start)? = heldEvent, start.count > Self.pieceLimit else { return heldEvent.take() }
        heldEvent = .piece(start.slice(Self.pieceLimit..<start.count))
        return .piece(start.slice(0..<Self.pieceLimit))
    }

    // MARK: Whole messages

    /// Reads until a message is complete, or until the caller has to act on another step.
    mutating func collect(
        _ stream: any ByteStream, limit: Int
    ) -> (message: (WebSocketConnection.Kind, Bytes)?, step: Step?) {
        if let step = discardRest(stream) { return (nil, step) }
        machine.messageLimit = limit
        while true {
            switch (step(stream), reading) {
            case (.event(.message(let kind)), _):
                reading = .whole(kind)
                _ = parts.finish()
            case (.event(.piece(let piece)), .whole): parts.append(piece)
            case (.event(.piece), _): break
            case (.event(.end), .whole(let kind)):
                reading = .none
                return ((kind, parts.finish()), nil)
            case (.event(.end), _): reading = .none
            case (let other, _): return (nil, other)
            }
        }
    }

    /// Discards the rest of the current message if it has been read piece by piece so far, or if a part of it has
    /// already been discarded. Returns nil when nothing is left to discard, otherwise a step for the caller to act on.
    private mutating func discardRest(_ stream: any ByteStream) -> Step? {
        switch reading {
        case .none, .whole: return nil
        case .streamed, .discarded: reading = .discarded
        }
        machine.messageLimit = .max
        while true {
            switch step(stream) {
            case .event(.piece(let piece)):
                discarded = discarded.addingSaturated(piece.count)
                guard discarded <= discardLimit else { return .fault(.discardTooLarge(limit: discardLimit)) }
            case .event(.end):
                endMessage()
                return nil
            case let other: return other
            }
        }
    }

    // MARK: Piece by piece

    /// Reads until a message begins, or until the caller has to act on another step.
    mutating func begin(
        _ stream: any ByteStream, limit: Int
    ) -> (message: (kind: WebSocketConnection.Kind, reader: Int)?, step: Step?) {
        if let step = discardRest(stream) { return (nil, step) }
        machine.messageLimit = limit
        if case .whole(let kind) = reading {
            // A call that collects whole messages was cancelled in the middle of this message.
            let start = parts.finish()
            if !start.isEmpty { heldEvent = .piece(start) }
            return ((kind, nextReader()), nil)
        }
        while true {
            switch step(stream) {
            case .event(.message(let kind)): return ((kind, nextReader()), nil)
            case .event(.piece): break
            case .event(.end): reading = .none
            case let other: return (nil, other)
            }
        }
    }

    /// The next step of the message that is read piece by piece.
    mutating func nextPiece(_ stream: any ByteStream) -> Step {
        turn.spend(0) ? .turnEnded : step(stream)
    }

    private mutating func nextReader() -> Int {
        readers += 1
        reading = .streamed(readers)
        return readers
    }

    /// Returns true if the message of a reader is still the current one.
    func isCurrent(_ reader: Int) -> Bool {
        if case .streamed(reader) = reading { true } else { false }
    }

    mutating func endMessage() {
        reading = .none
        discarded = 0
    }

    // MARK: While this side closes

    /// The next step of a task that discards everything up to Close.
    ///
    /// The caller counts the discarded bytes. If it stops in the middle of a message, a later receiver skips the rest
    /// of that message.
    mutating func discardNext(_ stream: any ByteStream) -> Step {
        let step = step(stream)
        switch step {
        case .event(.message), .event(.piece):
            reading = .discarded
            _ = parts.finish()
            machine.messageLimit = .max
        case .event(.end): endMessage()
        default: break
        }
        return step
    }

    // MARK: While no task receives

    /// Reads the available control frames up to the next message, at most 64 in one call. The first event of the
    /// message is kept for its receiver.
    ///
    /// - Returns: The steps to act on, and the readiness to wait for. The latter is nil unless all available bytes were
    ///   read.
    mutating func readControlFrames(_ stream: any ByteStream) -> (steps: [Step], interest: Interest?) {
        var steps: [Step] = []
        while heldEvent == nil, !machine.isAmidMessage, steps.count < 64 {
            let step = step(stream)
            switch step {
            case .event(.message), .event(.piece), .event(.end):
                if case .event(let event) = step { heldEvent = event }
                return (steps, nil)
            case .wait(let interest): return (steps, interest)
            case .turnEnded: return (steps, nil)
            case .event: steps.append(step)
            case .end, .failed, .fault:
                steps.append(step)
                return (steps, nil)
            }
        }
        return (steps, nil)
    }

    /// Reads bytes and discards them, for a task that waits only for the end of the stream.
    mutating func drain(_ stream: any ByteStream) -> Transfer {
        buffer.consume(buffer.count)
        return buffer.fill(from: stream)
    }
}
