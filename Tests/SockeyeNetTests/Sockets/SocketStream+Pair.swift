import SockeyeCore
import SockeyeNet
import Testing

extension SocketStream {
    /// Returns both ends of a connection over the loopback interface, or at the given address.
    static func pair(
        at address: EndpointAddress? = EndpointAddress(literal: "127.0.0.1", port: 0), poller: any Poller
    ) async throws -> (SocketStream, SocketStream) {
        let listener = try Listener(address: #require(address), poller: poller)
        defer { listener.close() }
        async let accepted = listener.accept()
        let stream = try await connect(to: #require(listener.address), poller: poller, until: .distantFuture)
        return (stream, try await accepted)
    }
}
