package import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP
package import SockeyeNet
import Synchronization

/// A WebSocket (RFC 6455): messages in both directions over one connection.
///
/// ```swift
/// try await client.webSocket("wss://example.com/chat") { socket in
///     try await socket.send(.text("hello"))
///     for try await message in socket.messages {
///         print(message)
///     }
/// }
/// ```
///
/// The connection is closed when the closure returns or throws. One task may receive while others send; messages of
/// several senders are sent one after the other. There is no read-ahead and no send queue, so that a slow receiver on
/// either side slows the sender down.
///
/// **Pings** of the peer are answered while a task receives, and after each sent message. Unless ``Options/keepAlive``
/// is nil, they are also answered every few seconds. A message that no task receives delays the answers to the pings
/// behind it.
public final class WebSocketConnection: Sendable {
    /// Text or binary.
    public typealias Kind = WebSocketProtocol.Kind
    /// The reason for closing a connection.
    public typealias CloseCode = WebSocketProtocol.CloseCode
    /// The content of a Close frame.
    public typealias CloseStatus = WebSocketProtocol.CloseStatus

    /// The response to the opening handshake, with the status 101. Nil in the server's role.
    public let response: IncomingResponse?
    /// The subprotocol that the server selected; nil if it selected none.
    public let subprotocol: String?
    /// True if messages may be compressed (permessage-deflate).
    public var isCompressed: Bool { agreement.compression != nil }

    /// The subprotocol and the compression that the opening handshake agreed on.
    package let agreement: OpeningHandshake.Agreement
    let options: Options
    let role: Role
    let stream: any ByteStream
    let poller: any Poller
    /// The time after which a send fails if the peer accepts no data; nil for no limit.
    let stall: Duration?
    let receiving: Mutex<ReceivingHalf>
    let sending: Mutex<SendingHalf>
    let status = Mutex(Status())
    /// Keeps the stream open.
    private let owner: any Sendable

    /// - Parameters:
    ///   - stream: The stream after the opening handshake, for the exclusive use of this connection.
    ///   - early: Bytes that were received after the handshake.
    ///   - owner: Retained as long as the connection.
    package init(
        over stream: any ByteStream, early: Bytes, owner: any Sendable, role: Role, options: Options,
        agreement: OpeningHandshake.Agreement, response: IncomingResponse? = nil, stall: Duration?
    ) {
        self.stream = stream
        self.owner = owner
        self.role = role
        self.options = options
        self.agreement = agreement
        self.response = response
        self.stall = stall
        subprotocol = agreement.subprotocol
        poller = stream.waitPoint(for: .read, as: .reader).poller
        let compression = agreement.compression
        let (own, peer) =
            role == .client
            ? (compression?.client, compression?.server) : (compression?.server, compression?.client)
        receiving = Mutex(
            ReceivingHalf(
                InboundMachine(
                    role: role, frameLimit: options.limits.frameBytes ?? .max,
                    messageLimit: options.limits.messageBytes, compression: peer), early: early,
                discardLimit: options.limits.discardedBytes))
        sending = Mutex(
            SendingHalf(
                OutboundMachine(
                    role: role, fragmentSize: options.fragmentSize, compression: own,
                    level: options.compression?.level ?? 6)))
    }

    var now: MonotonicTime { poller.time.now }

    /// The content of the peer's Close frame; nil before it arrives.
    public var closeStatus: CloseStatus? { status.withLock { $0.received } }

    // MARK: The state of the connection

    /// The closing state of the connection, and the waiters for pongs.
    struct Status {
        /// The content of the peer's Close frame; nil before it arrives.
        var received: CloseStatus?
        /// The first failure, which every later call repeats.
        var failure: WebSocketError?
        /// The waiters for pongs, by the number of their ping.
        var pings: [UInt64: WaitTimer] = [:]
        /// The number of the latest ping that was added to ``pings``; 0 before the first.
        var nextPing: UInt64 = 0

        /// The reason why nothing more can be received or sent; nil while the connection is open.
        var reason: WebSocketError? { failure ?? received.map { .closed($0) } }

        /// Removes and returns all waiters; the caller signals them.
        mutating func takeWaiters() -> [WaitTimer] {
            defer { pings = [:] }
            return Array(pings.values)
        }
    }

    func checkState() throws(WebSocketError) {
        if let reason = status.withLock({ $0.reason }) { throw reason }
    }

    /// Stores `error` if it is the first failure, sends Close if there is a code, and wakes the reader and all waiters
    /// for pongs. Returns the error that later calls throw.
    @discardableResult
    func fail(_ error: WebSocketError, telling code: CloseCode? = nil) -> WebSocketError {
        let (first, waiters) = status.withLock { status in
            if status.failure == nil { status.failure = error }
            return (status.reason ?? error, status.takeWaiters())
        }
        if let code { sendClose(CloseStatus(code)) }
        for waiter in waiters { waiter.signal() }
        // The reader may be another task, which waits for input without a deadline. It checks the state and throws.
        wakeReader()
        return first
    }

    /// Fails the connection and wakes the tasks that wait for the stream.
    func abort(_ error: WebSocketError) {
        fail(error)
        stream.abort()
    }

    /// Adds a Close frame to the output, after the current frame. Writes as much as the stream accepts at once.
    func sendClose(_ close: CloseStatus) {
        sending.withLock { $0.machine.close(close.payload ?? []) }
        writePending()
    }

    // MARK: Control frames and the end

    /// Handles a control frame, an end or a failure. Throws the error that ends the connection.
    func handle(_ step: ReceivingHalf.Step) throws(WebSocketError) {
        switch step {
        case .event(.ping(let payload)):
            sending.withLock { $0.machine.pong(payload) }
            writePending()
        case .event(.pong(let payload)): receivedPong(payload)
        case .event(.close(let close)): throw receivedClose(close)
        case .event, .wait, .turnEnded: break
        case .end: throw ended(.lost)
        case .failed(let error): throw ended(WebSocketError(error, sending: false))
        case .fault(let fault): throw fail(WebSocketError(fault), telling: fault.closeCode)
        }
    }

    /// Returns the error for the end of the stream: `closed` if the peer has sent Close before, otherwise a failure.
    private func ended(_ error: WebSocketError) -> WebSocketError {
        if let close = status.withLock({ $0.received }) { return .closed(close) }
        return fail(localEnd ?? error)
    }

    /// The failure if this side ended the stream, for example by shutting down the client; nil otherwise. The stream
    /// itself cannot tell such an end from one that the peer caused.
    var localEnd: WebSocketError? {
        guard let error = (owner as? UpgradedConnection)?.localEnd(in: .body) else { return nil }
        return WebSocketError(.connectionLost, "the connection broke: \(error.message)", underlying: error)
    }

    /// Frees the connection's place in the pool, even if the application keeps this object. Before that, both halves
    /// stop using the stream, because the pool closes it.
    func leavePool() {
        sending.withLock { $0.end() }
        receiving.withLock { $0.end() }
        (owner as? UpgradedConnection)?.close()
    }

    private func receivedPong(_ payload: Bytes) {
        guard let number = PingPayload.number(payload) else { return }
        // A pong answers all pings before its own (RFC 6455 5.5.3).
        let waiters = status.withLock { status in
            // No ping had a number above `nextPing`, so a pong with such a number is not an answer.
            guard number <= status.nextPing else { return [WaitTimer]() }
            let answered = status.pings.keys.filter { $0 <= number }
            return answered.compactMap { status.pings.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.signal() }
    }

    /// Answers Close with the same code (RFC 6455 5.5.1).
    private func receivedClose(_ close: CloseStatus) -> WebSocketError {
        let (reason, waiters) = status.withLock { status in
            if status.received == nil { status.received = close }
            return (status.reason ?? .closed(close), status.takeWaiters())
        }
        sendClose(CloseStatus(close.code))
        for waiter in waiters { waiter.signal() }
        return reason
    }
}

/// The payload of this library's own pings: an 8-byte number in network byte order.
enum PingPayload {
    static func bytes(_ number: UInt64) -> Bytes {
        Bytes((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    static func number(_ payload: Bytes) -> UInt64? {
        guard payload.count == 8 else { return nil }
        return payload.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
