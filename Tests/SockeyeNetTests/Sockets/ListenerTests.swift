import SockeyeCore
import Testing

@testable import SockeyeNet

@Suite("A listening socket", .timeLimit(.minutes(1)))
struct ListenerTests {
    private func listener(_ poller: EventPoller) throws -> Listener {
        try Listener(address: #require(EndpointAddress(literal: "127.0.0.1", port: 0)), poller: poller)
    }

    /// Returns the error that ends accepting.
    private func end(of listener: Listener) async -> TransportError {
        while true {
            do throws(TransportError) { _ = try await listener.accept() } catch { return error }
        }
    }

    @Test("closing a listener while connections arrive does not affect the next owner of its descriptor's number")
    func closedWhileAccepting() async throws {
        let poller = try EventPoller()
        for _ in 0..<500 {
            let first = try listener(poller)
            async let ended = end(of: first)
            _ = try await SocketStream.connect(
                to: #require(first.address), poller: poller, until: .distantFuture)
            first.close()
            // Usually the second listener gets the descriptor number that was just freed.
            let second = try listener(poller)
            let client = try await SocketStream.connect(
                to: #require(second.address), poller: poller, until: .distantFuture)
            let accepted = try await second.accept()
            #expect(accepted.peerAddress == client.localAddress)
            #expect(await ended == .closed)
        }
    }

    @Test("a closed listener has no address and accepts nothing")
    func closed() async throws {
        let listener = try listener(try EventPoller())
        #expect(listener.address?.port != 0)
        listener.close()
        listener.close()
        #expect(listener.address == nil)
        #expect(await end(of: listener) == .closed)
    }
}
