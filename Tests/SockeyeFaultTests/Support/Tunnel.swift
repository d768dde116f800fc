import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

/// A connection to a local server, with bytes that a ``RawServer`` relays in both directions.
enum Tunnel {
    /// Relays bytes between the client and the server.
    ///
    /// - Parameter holds: Returns true while bytes from the server must be held back. It gets all bytes held so far and
    ///   the number of the client's writes.
    static func relay(
        _ client: TestConnection, to port: Int, holding holds: ([UInt8], Int) -> Bool = { _, _ in false }
    ) async throws {
        let address = try #require(EndpointAddress(literal: "127.0.0.1", port: port))
        let poller = try EventPoller.shared()
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
