import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Connections over MPTCP (RFC 8684).
@Suite("Multipath TCP", .timeLimit(.minutes(1)))
struct MultipathTests {
    static let isSupported: Bool = {
        guard case .success(let socket) = SystemSocket.openMultipath(for: .ipv4(0, port: 0)) else { return false }
        SystemSocket.close(socket)
        return true
    }()

    private static let tcp: Int32 = 6
    private static let mptcp: Int32 = 262

    private func protocolNumber(_ options: SocketOptions) async throws -> Int32? {
        let poller = try EventPoller()
        let listener = try Listener(address: address("127.0.0.1", 0), poller: poller)
        defer { listener.close() }
        let stream = try await SocketStream.connect(
            to: #require(listener.address), options: options, poller: poller, until: .distantFuture)
        defer { stream.close() }
        #expect(stream.peerAddress == listener.address)
        return stream.socketDescriptor.flatMap { SystemSocket.protocolNumber($0) }
    }

    @Test(
        "a connection uses MPTCP if requested, with the other options unchanged", .needs(.multipath),
        .enabled(if: isSupported, "this kernel has no MPTCP, or net.mptcp.enabled is 0"))
    func isUsed() async throws {
        var options = SocketOptions()
        #expect(try await protocolNumber(options) == Self.tcp)
        options.multipath = true
        #expect(try await protocolNumber(options) == Self.mptcp)
    }

    @Test("a requested option that MPTCP refuses takes precedence over MPTCP and is set", .needs(.userTimeout))
    func refusal() async throws {
        var options = SocketOptions()
        options.multipath = true
        options.userTimeout = .seconds(9)
        let poller = try EventPoller()
        let listener = try Listener(address: address("127.0.0.1", 0), poller: poller)
        defer { listener.close() }
        let stream = try await SocketStream.connect(
            to: #require(listener.address), options: options, poller: poller, until: .distantFuture)
        defer { stream.close() }
        let socket = try #require(stream.socketDescriptor)
        #expect(SystemSocket.value(socket, of: .userTimeout) == 9_000)
        #expect(SystemSocket.value(socket, of: .noDelay) == 1)
        #expect(SystemSocket.value(socket, of: .keepAliveIdle) == 30)
    }

    @Test("requests with MPTCP reach a server that knows only TCP")
    func requests() async throws {
        try await withTestServer { request in
            .ok("\(try await request.body.collect().count)")
        } run: { server in
            var configuration = ClientConfiguration()
            configuration.socket.multipath = true
            let client = HTTPClient(configuration: configuration)
            for size in [0, 1, 1 << 20] {
                let text = try await client.post(server.url(), .bytes([UInt8](repeating: 7, count: size))).text()
                #expect(text == "\(size)")
            }
        }
    }

    @Test("a port without a listener refuses an MPTCP connection, too")
    func refused() async throws {
        let poller = try EventPoller()
        let listener = try Listener(address: address("127.0.0.1", 0), poller: poller)
        let place = try #require(listener.address)
        listener.close()
        var options = SocketOptions()
        options.multipath = true
        await #expect(throws: TransportError.system(call: .connect, error: .connectionRefused)) {
            _ = try await SocketStream.connect(to: place, options: options, poller: poller, until: .distantFuture)
        }
    }

    @Test("MPTCP and TCP Fast Open are off by default, and unix-domain sockets ignore both")
    func off() async throws {
        #expect(!SocketOptions().multipath && !SocketOptions().fastOpen)
        let folder = try TemporaryFolder()
        let poller = try EventPoller()
        let place = try #require(EndpointAddress(unixPath: folder.path + "/s"))
        let listener = try Listener(address: place, poller: poller)
        defer { listener.close() }
        var options = SocketOptions()
        (options.multipath, options.fastOpen) = (true, true)
        let stream = try await SocketStream.connect(to: place, options: options, poller: poller, until: .distantFuture)
        #expect(stream.deferredPeer == nil)
        stream.close()
    }
}
