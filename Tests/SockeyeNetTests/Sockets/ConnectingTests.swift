import SockeyeCore
import SockeyePlatform
import SockeyeTestSupport
import Testing

@testable import SockeyeNet

/// The behaviour of a socket between its call of `connect` and its first byte.
@Suite("A connecting socket", .timeLimit(.minutes(1)))
struct ConnectingTests {
    @Test("a connection to this machine does not wait, because the peer has accepted when the call returns")
    func loopback() async throws {
        let poller = try EventPoller(time: TimeSource(manual: ManualTime()))
        let listener = try Listener(address: #require(EndpointAddress(literal: "127.0.0.1", port: 0)), poller: poller)
        defer { listener.close() }
        // Every wait would end with the deadline, which has already passed.
        let stream = try await SocketStream.connect(
            to: #require(listener.address), poller: poller, until: poller.time.now)
        defer { stream.close() }
        #expect(stream.peerAddress == listener.address)
    }

    @Test("a socket waits for a silent peer only until its deadline")
    func silence() async throws {
        let poller = try EventPoller()
        let hole = try await BlackHole(poller)
        defer { hole.close() }
        await #expect(throws: TransportError.timedOut) {
            _ = try await SocketStream.connect(to: hole.address, poller: poller, until: poller.time.now)
        }
    }

    @Test(
        "a user time-out below 1 ms is the shortest possible one, not the kernel's own limit", .needs(.userTimeout),
        arguments: [Duration.zero, .microseconds(999), .seconds(-1), .seconds(Int64.min)])
    func shortUserTimeout(timeout: Duration) async throws {
        let poller = try EventPoller()
        let listener = try Listener(address: #require(EndpointAddress(literal: "127.0.0.1", port: 0)), poller: poller)
        defer { listener.close() }
        var options = SocketOptions()
        options.userTimeout = timeout
        let stream = try await SocketStream.connect(
            to: #require(listener.address), options: options, poller: poller, until: .distantFuture)
        defer { stream.close() }
        let socket = try #require(stream.socketDescriptor)
        let value = SystemSocket.value(socket, of: .userTimeout)
        // Some systems count in whole seconds.
        #expect(value == 1 || value == 1000)
    }

    @Test("EAGAIN from connect is an error for a TCP socket, and a time-out for a unix-domain socket")
    func again() {
        let failure = TransportError.system(call: .connect, error: .wouldBlock)
        #expect(SocketStream.connectFailure(.wouldBlock, .ipv4) == failure)
        #expect(SocketStream.connectFailure(.wouldBlock, .ipv6) == failure)
        #expect(SocketStream.connectFailure(.wouldBlock, .unix) == .timedOut)
        for pending in [nil, .inProgress, .interrupted] as [SystemError?] {
            #expect(SocketStream.connectFailure(pending, .ipv4) == nil)
        }
    }

    @Test("connecting to a port without a listener fails with connectionRefused")
    func refused() async throws {
        let poller = try EventPoller()
        let listener = try Listener(address: #require(EndpointAddress(literal: "127.0.0.1", port: 0)), poller: poller)
        let address = try #require(listener.address)
        listener.close()
        await #expect(throws: TransportError.system(call: .connect, error: .connectionRefused)) {
            _ = try await SocketStream.connect(to: address, poller: poller, until: .distantFuture)
        }
    }
}
