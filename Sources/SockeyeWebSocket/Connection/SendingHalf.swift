import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The sending half of a connection: the machine, and whose turn it is to send a message.
struct SendingHalf: ~Copyable {
    enum Step {
        /// All that was given is with the system.
        case done
        case wait(Interest)
        /// Another message is being sent.
        case busy
        /// No more can be sent: Close is out or on its way.
        case closed
        case failed(TransportError)
        case unencodable(CodecError)
    }

    var machine: OutboundMachine
    /// Whether a task has the turn.
    private var isTaken = false
    /// Those who wait for it, in their order.
    private(set) var waiters: [WaitTimer] = []
    private var failure: TransportError?

    init(_ machine: consuming OutboundMachine) {
        self.machine = machine
    }

    /// Writes until all is out or the system takes no more.
    mutating func advance(_ stream: any ByteStream) -> Step {
        if let failure { return .failed(failure) }
        while true {
            do throws(CodecError) { try machine.fill() } catch { return .unencodable(error) }
            guard !machine.output.isEmpty else { return .done }
            switch unsafe machine.output.withUnsafeBytes({ unsafe stream.write($0) }) {
            case .bytes(let count): machine.output.consume(count)
            case .wouldBlock(let interest): return .wait(interest)
            case .end: return fail(.closed)
            case .failed(let error): return fail(error)
            }
        }
    }

    private mutating func fail(_ error: TransportError) -> Step {
        failure = error
        return .failed(error)
    }

    /// Sends a whole message if nobody has the turn; ``Step/wait(_:)`` leaves that with the caller.
    mutating func send(
        _ kind: WebSocketConnection.Kind, _ bytes: Bytes, compressing: Bool, to stream: any ByteStream
    ) -> Step {
        guard !machine.isClosing else { return .closed }
        guard !isTaken, machine.isDrained, !machine.isAmidMessage else { return .busy }
        machine.begin(kind, compressing: compressing)
        machine.append(bytes, isLast: true)
        let step = advance(stream)
        if case .wait = step { isTaken = true }
        return step
    }

    /// Begins a message, with its only piece or without any yet. The turn has to be the caller's, and all else out.
    mutating func begin(
        _ kind: WebSocketConnection.Kind, _ whole: Bytes?, compressing: Bool, to stream: any ByteStream
    ) -> Step {
        guard !machine.isClosing else { return .closed }
        guard machine.isDrained, !machine.isAmidMessage else { return .busy }
        machine.begin(kind, compressing: compressing)
        guard let whole else { return .done }
        machine.append(whole, isLast: true)
        return advance(stream)
    }

    /// Goes on with the message.
    mutating func append(_ piece: Bytes, isLast: Bool, to stream: any ByteStream) -> Step {
        guard !machine.isClosing, machine.isAmidMessage, machine.wantsPiece else { return .closed }
        machine.append(piece, isLast: isLast)
        return advance(stream)
    }

    // MARK: The turn

    /// Takes the turn; false where `waiter` is in the line for it now.
    mutating func takeTurn(or waiter: @autoclosure () throws(TransportError) -> WaitTimer) throws(TransportError)
        -> WaitTimer?
    {
        guard isTaken else {
            isTaken = true
            return nil
        }
        let waiter = try waiter()
        waiters.append(waiter)
        return waiter
    }

    /// Leaves the line; false for who has been given the turn meanwhile.
    mutating func leave(_ waiter: WaitTimer) -> Bool {
        guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Gives the turn to the next in the line, who is to be signalled.
    mutating func releaseTurn() -> WaitTimer? {
        guard !waiters.isEmpty else {
            isTaken = false
            return nil
        }
        return waiters.removeFirst()
    }
}
