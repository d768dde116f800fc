import Glibc
import SockeyeCore
import SockeyeNet
import Testing

/// A loopback listener that answers no connection: its backlog is full, so the kernel drops each SYN.
struct BlackHole: Sendable {
    private let listener: Listener
    private let fillers: [SocketStream]
    let address: EndpointAddress

    init(_ poller: EventPoller) async throws {
        listener = try Listener(address: EndpointAddress(literal: "127.0.0.1", port: 0)!, backlog: 0, poller: poller)
        address = try #require(listener.address)
        var fillers: [SocketStream] = []
        while let filler = try await Self.connect(to: address, poller, isFirst: fillers.isEmpty) {
            fillers.append(filler)
            try #require(fillers.count < 64, "the backlog does not fill up here")
        }
        self.fillers = fillers
    }

    /// Connects to the listener; nil if it no longer answers.
    private static func connect(
        to address: EndpointAddress, _ poller: EventPoller, isFirst: Bool
    ) async throws -> SocketStream? {
        let deadline = poller.time.now.advanced(by: isFirst ? .seconds(10) : .milliseconds(50))
        do throws(TransportError) {
            return try await SocketStream.connect(to: address, poller: poller, until: deadline)
        } catch {
            guard error == .timedOut else { throw error }
            return nil
        }
    }

    /// Closes the sockets. The call also keeps the value alive until then.
    func close() {
        for filler in fillers { filler.close() }
        listener.close()
    }
}
