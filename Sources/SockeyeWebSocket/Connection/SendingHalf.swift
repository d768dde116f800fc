import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The sending half of a connection: the protocol's state machine, and the turn to send a message. One task has the
/// turn at a time.
struct SendingHalf: ~Copyable {
    enum Step {
        /// The stream has accepted all bytes.
        case done
        case wait(Interest)
        /// A message of another task or a control frame is being sent.
        case busy
        /// Nothing more can be sent: Close has been sent, perhaps in the middle of a message, or is about to be sent.
        case closed
        case failed(TransportError)
        /// The compressor failed.
        case unencodable(CodecError)
    }

    var machine: OutboundMachine
    /// True if a task has the turn.
    private(set) var isTaken = false
    /// The tasks that wait for the turn, in order.
    private(set) var waiters: [WaitTimer] = []
    private var failure: TransportError?
    /// The number of bytes that the stream has accepted.
    private(set) var sent: UInt64 = 0
    /// True if output waits for the stream.
    var hasUnsentOutput: Bool { !machine.isDrained || !machine.output.isEmpty }

    init(_ machine: consuming OutboundMachine) {
        self.machine = machine
    }

    /// Writes until the output is empty or the stream would block.
    mutating func advance(_ stream: any ByteStream) -> Step {
        if let failure { return .failed(failure) }
        while true {
            do throws(CodecError) { try machine.fill() } catch { return .unencodable(error) }
            guard !machine.output.isEmpty else { return machine.hasCutMessage ? .closed : .done }
            switch unsafe machine.output.withUnsafeBytes({ unsafe stream.write($0) }) {
            case .bytes(let count):
                sent += UInt64(count)
                machine.output.consume(count)
            case .wouldBlock(let interest): return .wait(interest)
            case .end: return fail(.closed)
            case .failed(let error): return fail(error)
            }
        }
    }

    /// Ends this half, which then no longer uses the stream.
    mutating func end() {
        if failure == nil { failure = .closed }
    }

    private mutating func fail(_ error: TransportError) -> Step {
        failure = error
        return .failed(error)
    }

    /// Sends a whole message, unless another task has the turn or earlier output is unsent. If it returns
    /// ``Step/wait(_:)``, the caller has the turn.
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

    /// Begins a message. `whole` is its entire content; nil if the pieces are appended later. The caller must have the
    /// turn and have flushed the previous message. Control frames that another task has requested since that flush are
    /// sent before the message.
    mutating func begin(
        _ kind: WebSocketConnection.Kind, _ whole: Bytes?, compressing: Bool, to stream: any ByteStream
    ) -> Step {
        guard !machine.isClosing else { return .closed }
        guard machine.wantsPiece, !machine.isAmidMessage else { return .busy }
        machine.begin(kind, compressing: compressing)
        guard let whole else { return .done }
        machine.append(whole, isLast: true)
        return advance(stream)
    }

    /// Appends a piece to the message.
    mutating func append(_ piece: Bytes, isLast: Bool, to stream: any ByteStream) -> Step {
        guard !machine.isClosing, machine.isAmidMessage, machine.wantsPiece else { return .closed }
        machine.append(piece, isLast: isLast)
        return advance(stream)
    }

    // MARK: The turn

    /// Takes the turn and returns nil, or enqueues `waiter` and returns it.
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

    /// Removes a waiter. Returns false if it has been given the turn meanwhile.
    mutating func leave(_ waiter: WaitTimer) -> Bool {
        guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Passes the turn to the next waiter and returns that waiter, which the caller signals. Nil without a waiter.
    mutating func releaseTurn() -> WaitTimer? {
        guard !waiters.isEmpty else {
            isTaken = false
            return nil
        }
        return waiters.removeFirst()
    }
}
