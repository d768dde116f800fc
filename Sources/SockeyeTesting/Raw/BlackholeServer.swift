import SockeyeCore
public import SockeyeNet

/// A port of 127.0.0.1 where connecting never completes, as behind a firewall that drops packets. For tests of connect
/// timeouts without a network.
///
/// It listens, accepts no connection, and fills its own backlog, so that the kernel drops further connection requests.
public final class BlackholeServer: Sendable {
    private let listener: Listener
    /// The connections that fill the backlog.
    private let queued: [SocketStream]
    /// The address where connecting never completes.
    public let address: EndpointAddress
    /// The port where connecting never completes.
    public var port: Int { address.port ?? 0 }

    private init(_ listener: Listener, _ address: EndpointAddress, _ queued: [SocketStream]) {
        self.listener = listener
        self.address = address
        self.queued = queued
    }

    deinit {
        listener.close()
    }

    /// Takes a port that the kernel chooses, and fills its backlog.
    ///
    /// - Throws: ``TestServerError`` with the code `cannotStart`, or `CancellationError`.
    public static func start() async throws -> BlackholeServer {
        let wanted = EndpointAddress(literal: "127.0.0.1", port: 0)
        do throws(TransportError) {
            let poller = try EventPoller.shared()
            guard let wanted else { throw .closed }
            let listener = try Listener(address: wanted, backlog: 0, poller: poller)
            guard let address = listener.address else { throw .closed }
            return BlackholeServer(listener, address, try await fill(address, poller))
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw TestServerError(.cannotStart, "cannot make a black hole: \(error)")
        }
    }

    /// Connects until the kernel stops answering. A handshake on loopback takes microseconds, so two consecutive
    /// attempts that take over 40 ms each mean that the kernel drops them.
    private static func fill(
        _ address: EndpointAddress, _ poller: EventPoller
    ) async throws(TransportError) -> [SocketStream] {
        var streams: [SocketStream] = []
        var silent = 0
        while silent < 2, streams.count < 64 {
            do throws(TransportError) {
                let deadline = poller.time.now.advanced(by: .milliseconds(40))
                streams.append(try await SocketStream.connect(to: address, poller: poller, until: deadline))
                silent = 0
            } catch .timedOut {
                silent += 1
            }
        }
        return streams
    }

    /// The URL of a path at this port.
    public func url(_ path: String = "/") -> String { "http://\(address)\(path)" }
}
