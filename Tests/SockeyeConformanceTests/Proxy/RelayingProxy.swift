import SockeyeCore
import SockeyeNet
import SockeyeTesting

/// A proxy whose tunnels all lead to one port of this machine, whatever their target.
enum RelayingProxy {
    /// - Parameters:
    ///   - tls: The TLS of the proxy itself; by default none.
    ///   - answer: The answer to CONNECT.
    static func start(
        to port: Int, tls: TestTLS? = nil, answer: String = "HTTP/1.1 200 Connection established\r\n\r\n"
    ) async throws -> RawServer {
        try await RawServer.start(
            tls: tls,
            script: [
                .readRequestHead, .send(answer), .run { try await relay($0, to: port) },
            ])
    }

    /// Connects to a port of this machine and relays both directions until both have ended.
    static func relay(_ connection: TestConnection, to port: Int) async throws {
        guard let address = EndpointAddress(literal: "127.0.0.1", port: port) else { return }
        let poller = try EventPoller.shared()
        let socket = try await SocketStream.connect(
            to: address, poller: poller, until: poller.time.now.advanced(by: .seconds(10)))
        let origin = TestConnection(index: 0, socket: socket, stream: socket)
        async let up: Void = pump(from: connection, to: origin)
        async let down: Void = pump(from: origin, to: connection)
        _ = try await (up, down)
    }

    private static func pump(from source: TestConnection, to destination: TestConnection) async throws {
        while let bytes = try await source.read() { try await destination.write(bytes) }
        try await destination.closeWrite()
    }
}
