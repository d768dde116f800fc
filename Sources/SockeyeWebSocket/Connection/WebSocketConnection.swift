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
/// It lives as long as the closure that it is given to, and is closed behind that in any case. One task may receive while
/// others send; messages of several senders go out one after the other, whole. Nothing is read ahead of the receiver and
/// nothing is queued for the peer, so that either side slows the other down.
///
/// **Pings** of the peer are answered while a task receives, with each message that is sent, and every few seconds by the
/// keep-alive (``Options/keepAlive``), but never past a message that nobody receives.
public final class WebSocketConnection: Sendable {
    /// Text or binary.
    public typealias Kind = WebSocketProtocol.Kind
    /// Why a connection is closed.
    public typealias CloseCode = WebSocketProtocol.CloseCode
    /// What a Close frame says.
    public typealias CloseStatus = WebSocketProtocol.CloseStatus

    /// The answer to the opening handshake, with the status 101. Nil in the server's role.
    public let response: IncomingResponse?
    /// The subprotocol that the server chose; nil for none.
    public let subprotocol: String?
    /// Whether messages may be compressed (permessage-deflate).
    public var isCompressed: Bool { agreement.compression != nil }

    /// What was agreed on in the opening handshake.
    package let agreement: OpeningHandshake.Agreement
    let options: Options
    let role: Role
    let stream: any ByteStream
    let poller: any Poller
    /// The longest time without the peer taking a byte of what is sent.
    let stall: Duration?
    let receiving: Mutex<ReceivingHalf>
    let sending: Mutex<SendingHalf>
    let status = Mutex(Status())
    /// Keeps the stream.
    private let owner: any Sendable

    /// - Parameters:
    ///   - stream: Behind the opening handshake, and for nobody else to use.
    ///   - early: What was received behind the handshake already.
    ///   - owner: Kept for as long as the connection.
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

    /// What the peer's Close frame said; nil while there was none.
    public var closeStatus: CloseStatus? { status.withLock { $0.received } }

    // MARK: The state of the connection

    /// How far the connection is on its way to its end, and who waits for something to come.
    struct Status {
        /// What the peer's Close frame said.
        var received: CloseStatus?
        /// The first failure, which every later call repeats.
        var failure: WebSocketError?
        /// Those who wait for pongs, by the number in their ping.
        var pings: [UInt64: WaitTimer] = [:]
        var nextPing: UInt64 = 0

        /// Why nothing can be received or sent any more.
        var reason: WebSocketError? { failure ?? received.map { .closed($0) } }

        /// Everybody who waits, who are to be signalled.
        mutating func takeWaiters() -> [WaitTimer] {
            defer { pings = [:] }
            return Array(pings.values)
        }
    }

    func checkState() throws(WebSocketError) {
        if let reason = status.withLock({ $0.reason }) { throw reason }
    }

    /// Notes the first failure, tells the peer where there is something to tell, and wakes those who wait.
    @discardableResult
    func fail(_ error: WebSocketError, telling code: CloseCode? = nil) -> WebSocketError {
        let (first, waiters) = status.withLock { status in
            if status.failure == nil { status.failure = error }
            return (status.reason ?? error, status.takeWaiters())
        }
        if let code { sendClose(CloseStatus(code)) }
        for waiter in waiters { waiter.signal() }
        return first
    }

    /// Fails the connection and stops those who wait for the socket.
    func abort(_ error: WebSocketError) {
        fail(error)
        stream.abort()
    }

    /// Puts a Close frame behind what is being sent; writes it if the system takes it at once.
    func sendClose(_ close: CloseStatus) {
        sending.withLock { sending in
            sending.machine.close(close.payload ?? [])
            _ = sending.advance(stream)
        }
    }

    // MARK: What the peer sends besides messages

    /// Acts on a control frame, an end or a failure. Throws what ends the connection.
    func handle(_ step: ReceivingHalf.Step) throws(WebSocketError) {
        switch step {
        case .event(.ping(let payload)):
            sending.withLock { sending in
                sending.machine.pong(payload)
                _ = sending.advance(stream)
            }
        case .event(.pong(let payload)): receivedPong(payload)
        case .event(.close(let close)): throw receivedClose(close)
        case .event, .wait, .turnEnded: break
        case .end: throw ended(.lost)
        case .failed(let error): throw ended(WebSocketError(error, sending: false))
        case .fault(let fault): throw fail(WebSocketError(fault), telling: fault.closeCode)
        }
    }

    /// The end of the connection: a failure, unless it comes behind the peer's Close.
    private func ended(_ error: WebSocketError) -> WebSocketError {
        if let close = status.withLock({ $0.received }) { return .closed(close) }
        return fail(error)
    }

    private func receivedPong(_ payload: Bytes) {
        guard let number = PingPayload.number(payload) else { return }
        // A pong answers all pings before its own (RFC 6455 5.5.3).
        let waiters = status.withLock { status in
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

/// The payload of this library's own pings: a number of 8 bytes.
enum PingPayload {
    static func bytes(_ number: UInt64) -> Bytes {
        Bytes((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    static func number(_ payload: Bytes) -> UInt64? {
        guard payload.count == 8 else { return nil }
        return payload.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
