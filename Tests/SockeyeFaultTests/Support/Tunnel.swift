import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

/// The relay of a proxy: a ``RawServer`` that has accepted a client passes its bytes on to a local server, and the
/// server's bytes to the client.
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
