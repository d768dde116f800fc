import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("TLS over sockets", .timeLimit(.minutes(1)))
struct TLSOverSocketTests {
    @Test("TLS over loopback TCP shakes hands, moves large bodies both ways and ends properly")
    func loopback() async throws {
        let poller = try EventPoller()
        let listener = try Listener(address: #require(EndpointAddress(literal: "127.0.0.1", port: 0)), poller: poller)
        let address = try #require(listener.address)
        let (client, server) = (try TLSContext(Authority.trusting()), try TLSServerContext(Authority.serving()))
        async let served = Self.echo(listener, server)
        let socket = try await SocketStream.connect(to: address, poller: poller, until: .distantFuture)
        let stream = try await TLSStream.connect(
            over: socket, serverName: "127.0.0.1", context: client, sessions: nil, sessionKey: "", until: .distantFuture
        )
        let bytes = Array(Bytes(repeating: Array(0..<251), count: 3_000_000))
        async let sent: Void = Self.send(bytes, over: stream)
        #expect(try await stream.receiveToEnd() == bytes)
        try await sent
        stream.close()
        #expect(try await served == bytes.count)
        listener.close()
    }

    @Test("TLS works inside TLS")
    func nested() async throws {
        let (outerClient, outerServer) = try await HandshakePair().connect()
        let (client, server) = (try TLSContext(Authority.trusting()), try TLSServerContext(Authority.serving()))
        async let accepted = TLSStream.accept(over: outerServer, context: server, until: .distantFuture)
        let inner = try await TLSStream.connect(
            over: outerClient, serverName: "localhost", context: client, sessions: nil, sessionKey: "",
            until: .distantFuture)
        let innerServer = try await accepted
        let bytes = [UInt8](repeating: 9, count: 500_000)
        async let sent: Void = Self.send(bytes, over: inner)
        #expect(try await innerServer.receiveToEnd() == bytes)
        try await sent
    }

    private static func send(_ bytes: [UInt8], over stream: TLSStream) async throws {
        try await stream.sendAll(bytes)
        try await stream.finishWriting()
    }

    private static func echo(_ listener: Listener, _ context: TLSServerContext) async throws -> Int {
        let socket = try await listener.accept()
        let stream = try await TLSStream.accept(over: socket, context: context, until: .distantFuture)
        var total = 0
        while true {
            let piece = try await stream.receive(100_000)
            if piece.isEmpty { break }
            total += piece.count
            try await stream.sendAll(piece)
        }
        stream.close()
        return total
    }
}
