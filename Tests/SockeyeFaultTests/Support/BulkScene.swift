import Glibc
import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// A response with a body that has arrived in bulk so far. The test controls the server's end of its connection.
struct BulkScene {
    enum Framing: Sendable, Hashable {
        case length
        /// One chunk that does not end.
        case chunk
        /// Chunks of this many bytes.
        case chunks(Int)
        case untilClose
    }

    /// The number of bytes that the client waits for at once if a body arrives in bulk.
    static let block = 256 << 10
    private static let burst = 512 << 10
    private static let bursts = 24

    let client: HTTPClient
    let server: FaultServer
    let peer: FaultServer.Peer
    private var body: IncomingResponse.Body.Iterator?
    private(set) var received = 0
    /// True if the client has ever waited for more than one byte.
    private(set) var hasWaitedForBlocks = false

    /// Makes a scene.
    ///
    /// - Parameter rest: The number of bytes of the body that remain when the bulk has been sent.
    init(
        rest: Int, framing: Framing = .length, isTLS: Bool = false, client: HTTPClient? = nil
    ) async throws {
        let (peers, arrivals) = AsyncStream.makeStream(of: FaultServer.Peer.self)
        server = try FaultServer(tls: isTLS ? Credentials.server() : nil) { peer in
            arrivals.yield(peer)
            // Keeps the connection until the server stops.
            try await TestSignal().wait(timeout: .seconds(60))
        }
        let client = try client ?? HTTPClient(configuration: Credentials.configuration())
        self.client = client
        let url = server.url()
        async let answer = client.get(url)
        var arrived = peers.makeAsyncIterator()
        peer = try #require(await arrived.next())
        _ = try await peer.connection.read(through: "\r\n\r\n")
        try await peer.connection.write(Self.head(framing, rest: rest))
        body = try await answer.body.makeAsyncIterator()
        for _ in 0..<Self.bursts { try await sendAndRead(Self.burst, framing) }
    }

    /// Makes a scene in which the last wait was for a whole block. On a busy machine there may be no such wait, because
    /// all bytes have arrived already or arrive slowly, so several scenes are tried.
    static func gathering(rest: Int, isTLS: Bool = false, client: HTTPClient? = nil) async throws -> BulkScene {
        let end = ContinuousClock.now + .seconds(40)
        while ContinuousClock.now < end {
            let scene = try await BulkScene(rest: rest, isTLS: isTLS, client: client)
            if scene.lowWaterMark == block { return scene }
        }
        Issue.record("no wait was for a whole block")
        throw CancellationError()
    }

    private static func head(_ framing: Framing, rest: Int) -> String {
        let count = bursts * burst + rest
        return switch framing {
        case .length: "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
        case .chunk: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n"
        case .chunks: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        case .untilClose: "HTTP/1.1 200 OK\r\n\r\n"
        }
    }

    private static func framed(_ count: Int, _ framing: Framing) -> [Bytes] {
        guard case .chunks(let size) = framing else { return [Large.body(count)] }
        let chunk = [Bytes("\(String(size, radix: 16))\r\n"), Large.body(size), Bytes("\r\n")]
        return [[Bytes]](repeating: chunk, count: count / size).flatMap(\.self)
    }

    /// Sends `count` more bytes and reads them.
    private mutating func sendAndRead(_ count: Int, _ framing: Framing) async throws {
        let connection = peer.connection
        async let sent: Void = {
            // After these yields the client usually waits.
            for _ in 0..<10 { await Task.yield() }
            for piece in Self.framed(count, framing) { try await connection.write(piece) }
        }()
        let end = received + count
        while received < end {
            _ = try #require(try await next())
            hasWaitedForBlocks = hasWaitedForBlocks || lowWaterMark > 1
        }
        try await sent
    }

    /// Reads the next piece; nil at the end.
    mutating func next() async throws -> Bytes? {
        let piece = try await body?.next()
        received += piece?.count ?? 0
        return piece
    }

    mutating func takeRest() async throws {
        while try await next() != nil {}
    }

    /// Drops the response.
    mutating func drop() {
        body = nil
    }

    /// SO_RCVLOWAT of the client's connection. Its descriptor is private, so it is found by the port of its peer.
    var lowWaterMark: Int {
        for descriptor in Int32(0)..<4096 {
            var storage = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let found = unsafe withUnsafeMutablePointer(to: &storage) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getpeername(descriptor, $0, &size)
                }
            }
            guard found == 0, storage.sin_family == sa_family_t(AF_INET),
                Int(UInt16(bigEndian: storage.sin_port)) == server.address.port
            else { continue }
            var mark: Int32 = 0
            size = socklen_t(MemoryLayout<Int32>.size)
            return unsafe getsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &mark, &size) == 0 ? Int(mark) : 0
        }
        return 0
    }
}
