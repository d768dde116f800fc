import SockeyeCore
import SockeyeNet
import SockeyePlatform

/// Accepts connections on its own poller (an event loop with its own thread), and serves each connection in a child
/// task. Everything runs on that poller's thread, so serving a small request takes no switch of threads.
final class Acceptor: Sendable {
    let address: EndpointAddress
    let activity: ConditionVariable<TestServerActivity>
    private let poller: EventPoller
    private let listener: Listener
    private let tls: TLSServerContext?
    private let serve: @Sendable (TestConnection) async -> Void

    init(
        on address: ListenAddress, tls: TestTLS?, activity: ConditionVariable<TestServerActivity>,
        serve: @escaping @Sendable (TestConnection) async -> Void
    ) throws {
        guard let wanted = address.socketAddress else {
            throw TestServerError(.cannotStart, "cannot listen on \(address.name): it is not a valid address")
        }
        self.tls = try tls?.makeContext()
        do throws(TransportError) {
            poller = try EventPoller()
            listener = try Listener(address: wanted, poller: poller)
        } catch {
            throw TestServerError(.cannotStart, "cannot listen on \(address.name): \(error)")
        }
        self.address = listener.address ?? wanted
        self.activity = activity
        self.serve = serve
    }

    /// Starts accepting. Cancelling the returned task stops accepting, cancels every connection's task, and closes all
    /// connections.
    func start() -> Task<Void, Never> {
        Task(executorPreference: poller) { await self.run() }
    }

    /// Returns the URL of a path on this server.
    func url(_ path: String, host: String?) -> String {
        let authority =
            switch (address.port, host) {
            case (let port?, let host?): "\(host):\(port)"
            case (_?, nil): address.description
            case (nil, _): host ?? "localhost"
            }
        return "\(tls == nil ? "http" : "https")://\(authority)\(path.hasPrefix("/") ? "" : "/")\(path)"
    }

    private func run() async {
        await withDiscardingTaskGroup { group in
            var index = 0
            while let socket = await next() {
                let number = index
                index += 1
                activity.update {
                    $0.connections += 1
                    $0.openConnections += 1
                }
                group.addTask {
                    await self.handle(socket, index: number)
                    self.activity.update { $0.openConnections -= 1 }
                }
            }
            // The listener closes before the handlers have ended, so that no client can connect to a stopping server.
            listener.close()
            if let path = address.unixPath { SystemFile.remove(path) }
            group.cancelAll()
        }
    }

    /// Returns the next connection; nil if the server should stop. If `accept` fails, for instance for lack of
    /// descriptors, it is retried after 5 ms.
    private func next() async -> SocketStream? {
        while !Task.isCancelled {
            do throws(TransportError) {
                return try await listener.accept()
            } catch .cancelled {
                return nil
            } catch .closed {
                return nil
            } catch {
                try? await poller.sleep(until: poller.time.now.advanced(by: .milliseconds(5)))
            }
        }
        return nil
    }

    private func handle(_ socket: SocketStream, index: Int) async {
        guard let stream = await secure(socket) else {
            activity.update { $0.failedHandshakes += 1 }
            return socket.close()
        }
        let connection = TestConnection(index: index, socket: socket, stream: stream)
        await serve(connection)
        connection.close()
    }

    private static let handshakeTime = Duration.seconds(30)

    /// Returns the stream for HTTP; nil if the TLS handshake fails or takes longer than ``handshakeTime``.
    private func secure(_ socket: SocketStream) async -> (any ByteStream)? {
        guard let tls else { return socket }
        let deadline = poller.time.now.advanced(by: Self.handshakeTime)
        return try? await TLSStream.accept(over: socket, context: tls, until: deadline)
    }
}

extension EndpointAddress {
    /// The path of a unix-domain socket in the file system; nil for an IP address, or for a name in Linux's abstract
    /// name space.
    var unixPath: String? {
        guard case .unix(let path) = system, path.utf8.first != 0 else { return nil }
        return path
    }
}
