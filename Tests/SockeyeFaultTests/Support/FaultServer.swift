import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

/// A server with connections that follow a closure, plain or over TLS. The closure can also end the socket below the
/// TLS session.
final class FaultServer: Sendable {
    /// The server's end of a connection.
    struct Peer: Sendable {
        let index: Int
        let connection: TestConnection
        let socket: SocketStream
        /// The transport of the connection: the socket, or TLS over it.
        let stream: any ByteStream

        /// Ends the connection below TLS, without close_notify. Over plain TCP it ends both directions in order.
        func cut() {
            socket.abort()
        }
    }

    typealias Script = @Sendable (Peer) async throws -> Void

    let address: EndpointAddress
    private let isTLS: Bool
    private let listener: Listener
    private let task: Task<Void, Never>
    private let accepted = Atomic(0)
    private let most = Mutex((now: 0, most: 0))

    init(tls: TLSServerContext? = nil, script: @escaping Script) throws {
        // A separate poller thread, so that a busy script does not delay the client.
        let poller = try EventPoller()
        let wanted = try #require(EndpointAddress(literal: "127.0.0.1", port: 0))
        listener = try Listener(address: wanted, poller: poller)
        address = listener.address ?? wanted
        isTLS = tls != nil
        let box = Box()
        task = Task(executorPreference: poller) { [listener] in
            await withDiscardingTaskGroup { group in
                var index = 0
                while let socket = try? await listener.accept() {
                    let number = index
                    index += 1
                    group.addTask { await Self.serve(socket, number, tls, script, box) }
                }
                group.cancelAll()
            }
        }
        box.server.withLock { $0 = WeakServer(self) }
    }

    deinit {
        listener.close()
        task.cancel()
    }

    private struct WeakServer {
        weak var server: FaultServer?
        init(_ server: FaultServer) { self.server = server }
    }

    private final class Box: Sendable {
        let server = Mutex<WeakServer?>(nil)

        func count(_ change: Int) {
            guard let server = server.withLock({ $0?.server }) else { return }
            if change > 0 { server.accepted.wrappingAdd(1, ordering: .relaxed) }
            server.most.withLock { most in
                most.now += change
                most.most = max(most.most, most.now)
            }
        }
    }

    private static func serve(
        _ socket: SocketStream, _ index: Int, _ tls: TLSServerContext?, _ script: Script, _ box: Box
    ) async {
        box.count(1)
        defer { box.count(-1) }
        var stream: any ByteStream = socket
        if let tls {
            guard let secure = try? await TLSStream.accept(over: socket, context: tls, until: .distantFuture) else {
                return socket.close()
            }
            stream = secure
        }
        let connection = TestConnection(index: index, socket: socket, stream: stream)
        try? await script(Peer(index: index, connection: connection, socket: socket, stream: stream))
        connection.close()
    }

    var connections: Int { accepted.load(ordering: .relaxed) }
    var open: Int { most.withLock { $0.now } }
    var mostAtOnce: Int { most.withLock { $0.most } }

    func url(_ path: String = "/") -> String {
        "\(isTLS ? "https" : "http")://\(address)\(path)"
    }
}
