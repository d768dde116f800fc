import SockeyeCore
import SockeyeEngine
import SockeyeNet

/// The receiving half of a connection: the machine, the bytes that feed it, and the message that is being read.
struct ReceivingHalf: ~Copyable {
    /// The outcome of going on without waiting.
    enum Step {
        case event(InboundMachine.Event)
        case wait(Interest)
        case end
        case failed(TransportError)
        case fault(ProtocolFault)
    }

    /// Who uses this half; one at a time.
    enum Claim {
        case free, receiver, closer
    }

    /// How the current message is read.
    private enum Reading {
        case none
        /// Piece by piece, by the reader of that number.
        case streamed(Int)
        case whole(WebSocketConnection.Kind)
        /// Nobody wants the rest.
        case discarded
    }

    private var machine: InboundMachine
    private var buffer = ReceiveBuffer()
    private var reading = Reading.none
    private var parts = BytesAccumulator(expected: nil)
    /// A message that began while nobody received.
    private var held: InboundMachine.Event?
    private var readers = 0
    private var hasEnded = false
    private var claim = Claim.free
    /// Those who wait to close, until whoever receives stops.
    private var successors: [WaitTimer] = []
    /// How many bytes have come.
    private(set) var received: UInt64 = 0

    init(_ machine: consuming InboundMachine, early: Bytes) {
        self.machine = machine
        if !early.isEmpty {
            received = UInt64(early.count)
            self.machine.push(early)
        }
    }

    /// Whether a message waits for somebody to receive it.
    var isHeldUp: Bool { held != nil || machine.isAmidMessage }

    /// The next event of the machine.
    mutating func step(_ stream: any ByteStream) -> Step {
        if let event = held {
            held = nil
            return .event(event)
        }
        while true {
            do throws(ProtocolFault) {
                if let event = try machine.next() { return .event(event) }
            } catch {
                return .fault(error)
            }
            guard !hasEnded else { return .end }
            switch buffer.fill(from: stream) {
            case .bytes(let count):
                received += UInt64(count)
                machine.push(buffer.bytes)
                buffer.consume(buffer.count)
            case .end:
                hasEnded = true
                return .end
            case .wouldBlock(let interest): return .wait(interest)
            case .failed(let error): return .failed(error)
            }
        }
    }

    // MARK: Who reads

    /// Takes this half, or says who has it.
    mutating func take(as new: Claim) -> Claim {
        if claim == .free {
            claim = new
            return .free
        }
        return claim
    }

    /// As ``take(as:)`` for who closes; false where `waiter` is told when to try again.
    mutating func takeToClose(or waiter: WaitTimer) -> Bool {
        if take(as: .closer) == .free { return true }
        successors.append(waiter)
        return false
    }

    mutating func leave(_ waiter: WaitTimer) { successors.removeAll { $0 === waiter } }

    /// Lets go of this half; returns those who are to be signalled.
    mutating func release() -> [WaitTimer] {
        claim = .free
        guard !successors.isEmpty else { return [] }
        defer { successors = [] }
        return successors
    }

    var isClaimed: Bool { claim != .free }

    // MARK: Whole messages

    /// Goes on until a message is complete, or something else is to be done.
    mutating func collect(
        _ stream: any ByteStream, limit: Int
    ) -> (message: (WebSocketConnection.Kind, Bytes)?, step: Step?) {
        machine.messageLimit = limit
        if case .streamed = reading { reading = .discarded }
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

    // MARK: Piece by piece

    /// Goes on until a message begins. What is left of the last one is thrown away.
    mutating func begin(
        _ stream: any ByteStream, limit: Int
    ) -> (message: (kind: WebSocketConnection.Kind, reader: Int)?, step: Step?) {
        machine.messageLimit = limit
        if case .whole(let kind) = reading {
            // A call for whole messages was cancelled amid this one.
            let start = parts.finish()
            if !start.isEmpty { held = .piece(start) }
            return ((kind, nextReader()), nil)
        }
        if case .streamed = reading { reading = .discarded }
        while true {
            switch step(stream) {
            case .event(.message(let kind)): return ((kind, nextReader()), nil)
            case .event(.piece): break
            case .event(.end): reading = .none
            case let other: return (nil, other)
            }
        }
    }

    private mutating func nextReader() -> Int {
        readers += 1
        reading = .streamed(readers)
        return readers
    }

    /// Whether the message of a reader is still the current one.
    func isCurrent(_ reader: Int) -> Bool {
        if case .streamed(reader) = reading { true } else { false }
    }

    /// The message of the current reader ended.
    mutating func endMessage() { reading = .none }

    // MARK: While nobody receives

    /// Takes in what has come, up to the next message, which is kept, and returns what is to be answered.
    mutating func pump(_ stream: any ByteStream) -> [Step] {
        var steps: [Step] = []
        while held == nil, !machine.isAmidMessage, steps.count < 64 {
            let step = step(stream)
            switch step {
            case .event(.message), .event(.piece), .event(.end):
                if case .event(let event) = step { held = event }
                return steps
            case .wait: return steps
            case .event: steps.append(step)
            case .end, .failed, .fault:
                steps.append(step)
                return steps
            }
        }
        return steps
    }

    /// Throws away what has come, for who only waits for the end.
    mutating func drain(_ stream: any ByteStream) -> Transfer {
        buffer.consume(buffer.count)
        return buffer.fill(from: stream)
    }
}
