import SockeyeCore
import SockeyeNet
import SockeyeTesting

/// A server that answers each request with the behaviour that its path names, or whose connections fail before the
/// first request.
final class ChaosServer: Sendable {
    /// The treatment of a connection before its first request.
    enum ConnectionStart: Sendable, Equatable {
        case plain
        case tls
        /// The server never sends anything.
        case silent
        /// The server cuts the handshake after it has read some of the client's bytes.
        case cut
        /// The server answers with bytes that are not TLS.
        case noise
    }

    let address: EndpointAddress
    private let connections: OpenConnections
    private let listener: Listener
    private let task: Task<Void, Never>

    /// - Parameter tls: The certificate of a server with TLS; nil for plain TCP.
    init(_ start: ConnectionStart, tls: TLSServerContext? = nil) throws {
        // A separate poller, so that a busy server does not delay the client.
        let poller = try EventPoller()
        guard let wanted = EndpointAddress(literal: "127.0.0.1", port: 0) else { throw UnmetCondition("an address") }
        listener = try Listener(address: wanted, poller: poller)
        address = listener.address ?? wanted
        let connections = OpenConnections()
        self.connections = connections
        task = Task(executorPreference: poller) { [listener] in
            await withDiscardingTaskGroup { group in
                while let socket = try? await listener.accept() {
                    group.addTask { await Self.serve(socket, start, tls, connections) }
                }
                group.cancelAll()
            }
        }
    }

    deinit { stop() }

    /// Stops accepting and ends all connections.
    func stop() {
        listener.close()
        task.cancel()
    }

    /// Closes idle connections, and ends the others after their answers.
    func reload() { connections.reload() }

    private static func serve(
        _ socket: SocketStream, _ start: ConnectionStart, _ tls: TLSServerContext?, _ connections: OpenConnections
    ) async {
        var stream: any ByteStream = socket
        if start == .tls, let tls {
            guard let secure = try? await TLSStream.accept(over: socket, context: tls, until: .distantFuture) else {
                return socket.close()
            }
            stream = secure
        }
        let connection = TestConnection(index: 0, socket: socket, stream: stream)
        try? await serve(ChaosPeer(connection: connection, socket: socket), start, connections)
        connection.close()
    }

    private static func serve(
        _ peer: ChaosPeer, _ start: ConnectionStart, _ connections: OpenConnections
    ) async throws {
        switch start {
        case .plain, .tls:
            let id = connections.add(peer.socket)
            defer { connections.remove(id) }
            while let request = try await peer.readHead() {
                guard let behaviour = Behaviours.named[request.behaviour], connections.begin(id) else { return }
                guard try await behaviour.answer(request, peer), connections.end(id) else { return }
            }
        case .silent: try await peer.connection.discardToEnd()
        case .cut: _ = try await peer.connection.read(upTo: 20)
        case .noise:
            _ = try await peer.connection.read()
            try await peer.write("HTTP/1.1 400 This is not TLS\r\n\r\n")
            try await peer.connection.closeWrite()
            try await peer.connection.discardToEnd()
        }
    }
}
