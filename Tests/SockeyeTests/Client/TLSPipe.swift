import SockeyeCore
import SockeyeEngine
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// A TLS connection over a pipe in memory, as the first connection of a transport.
struct TLSPipe {
    /// The client's end of the pipe below TLS.
    let pipe: PipeStream
    /// The server's end of the connection.
    let server: TLSStream
    /// The transport, whose first connection is the TLS connection. Its further connections are plain, and a script
    /// answers the request on each of them with ``laterAnswer``.
    let transport: SocketTransport

    static let laterAnswer = "answer on another connection"

    /// Makes the connection.
    ///
    /// - Parameter manner: The behavior of the client's end of the pipe.
    init(_ manner: PipeStream.Manner = PipeStream.Manner()) async throws {
        let authority = try TestCertificateAuthority()
        // The clock of the pool stands still, so that the pool does not check its idle connections.
        let pollers = PollerSet(time: TimeSource(manual: ManualTime()))
        let (near, far) = try PipeStream.pair(
            manner, second: PipeStream.Manner(capacity: 1 << 20), poller: try pollers.first())
        let context = try TLSServerContext(.init(identity: try authority.issue().identity))
        async let accepted = TLSStream.accept(over: far, context: context, until: .distantFuture)
        let client = try await TLSStream.connect(
            over: near, serverName: "localhost", context: TLSContext(TLSOptions(roots: authority.roots)), sessions: nil,
            sessionKey: "", until: .distantFuture)
        server = try await accepted
        pipe = near
        transport = Self.transport(beginningWith: client, pollers)
    }

    private static func transport(beginningWith client: TLSStream, _ pollers: PollerSet) -> SocketTransport {
        let first = Mutex<TLSStream?>(client)
        let pool = ConnectionPool(configuration: PoolOptions(), pollers: pollers)
        return SocketTransport(configuration: EngineConfiguration(), pool: pool) { _, poller throws(SockeyeError) in
            if let stream = first.withLock({ $0.take() }) { return stream }
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(laterAnswer.utf8.count)\r\n\r\n\(laterAnswer)"
            do throws(TransportError) {
                return try ScriptedStream(answer, then: .silence, poller: poller)
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
    }

    /// Reads as the server until the end of the stream, or until `isEnough` is true of all bytes read by this call.
    func receive(until isEnough: ([UInt8]) -> Bool = { _ in false }) async throws -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while !isEnough(received) {
            switch unsafe buffer.withUnsafeMutableBytes({ unsafe server.read(into: $0) }) {
            case .bytes(let count): received += buffer[..<count]
            case .end: return received
            case .wouldBlock(let interest): try await server.wait(for: interest, as: .reader, until: .distantFuture)
            case .failed(let error): throw error
            }
        }
        return received
    }

    /// Reads the head of a request as the server.
    func receiveHead() async throws -> String {
        let end = Array("\r\n\r\n".utf8)
        return String(decoding: try await receive { $0.suffix(4).elementsEqual(end) }, as: UTF8.self)
    }

    /// Sends a request as the client and returns the content of the answer.
    func content(_ request: OutgoingRequest) async throws -> Bytes {
        try await transport.send(request).body.collect(upTo: 1 << 20)
    }

    /// Sends a request that asks for another protocol, answers it with 101, and returns the client's connection.
    func upgrade() async throws -> UpgradedConnection {
        var request = try OutgoingRequest(url: "http://a.test/")
        request.options.upgrade = "x"
        let task = Task { [request] in try await transport.send(request) }
        _ = try await receiveHead()
        try await send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
        return try #require(try await task.value.takeConnection())
    }

    /// Sends bytes as the server.
    func send(_ text: String) async throws { try await server.writeAll(Array(text.utf8), until: .distantFuture) }
}
