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
    public static func start() async throws -> BlackholeServer { try await start(backlog: 0) }

    static func start(backlog: Int) async throws -> BlackholeServer {
        let wanted = EndpointAddress(literal: "127.0.0.1", port: 0)
        let server: BlackholeServer?
        do throws(TransportError) {
            let poller = try EventPoller.shared()
            guard let wanted else { throw .closed }
            let listener = try Listener(address: wanted, backlog: backlog, poller: poller)
            guard let address = listener.address else { throw .closed }
            server = try await fill(address, poller).map { BlackholeServer(listener, address, $0) }
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw TestServerError(.cannotStart, "cannot make a black hole: \(error)")
        }
        guard let server else {
            throw TestServerError(
                .cannotStart,
                "cannot make a black hole: the kernel completed \(connectionLimit) connections that were not accepted")
        }
        return server
    }

    /// The number of completed connections after which `fill` concludes that the kernel does not drop connection
    /// requests.
    private static let connectionLimit = 64

    /// Connects until the kernel drops two consecutive attempts. An attempt counts as dropped after 40 ms, since a
    /// handshake on loopback takes microseconds. Returns nil if the kernel continues to answer.
    private static func fill(
        _ address: EndpointAddress, _ poller: EventPoller
    ) async throws(TransportError) -> [SocketStream]? {
        var streams: [SocketStream] = []
        var silent = 0
        while silent < 2 {
            guard streams.count < connectionLimit else { return nil }
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
