import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

/// A connection to a server of this machine whose bytes a ``RawServer`` passes to and fro.
enum Tunnel {
    /// - Parameter holds: Which bytes of the server's, given those before that were held and how often the client has written,
    ///   are not passed on yet.
    static func relay(
        _ client: TestConnection, to port: Int, holding holds: ([UInt8], Int) -> Bool = { _, _ in false }
    ) async throws {
        let address = try #require(EndpointAddress(literal: "127.0.0.1", port: port))
        let poller = try EpollPoller.shared()
        let socket = try await SocketStream.connect(to: address, poller: poller, until: .distantFuture)
        let server = TestConnection(index: 0, socket: socket, stream: socket)
        let flights = Shared(0)
        async let up: Void = {
            while let bytes = try await client.read() {
                flights.value.withLock { $0 += 1 }
                try await server.write(bytes)
            }
            try await server.closeWrite()
        }()
        var held: [UInt8] = []
        while let bytes = try await server.read() {
            held += bytes
            if holds(held, flights.value.withLock { $0 }) { continue }
            try await client.write(Bytes(held))
            held.removeAll()
        }
        try await client.closeWrite()
        try await up
    }
}
