import SockeyePlatform
import Testing

@Suite("Options of sockets", .timeLimit(.minutes(1)))
struct OptionTests {
    @Test("the protocol number of a TCP socket is 6, or nil if the system does not report it")
    func protocolNumber() throws {
        let connection = try Connection()
        #expect(SystemSocket.protocolNumber(connection.client) == (SystemFeature.socketProtocol.isSupported ? 6 : nil))
    }

    @Test("switches and times of TCP can be set and read")
    func values() throws {
        let connection = try Connection()
        for (option, value) in [
            (.noDelay, 1), (.keepsAlive, 1), (.keepAliveIdle, 61), (.keepAliveInterval, 7), (.keepAliveCount, 3),
            (.reusesAddress, 1),
        ] as [(SystemSocketOption, Int)] {
            #expect(SystemSocket.set(connection.client, option, to: value) == nil)
            let set = try #require(SystemSocket.value(connection.client, of: option))
            // Some systems report an option that is switched on as its own bit instead of 1.
            #expect(value == 1 ? set != 0 : Int(set) == value)
        }
    }

    @Test("a larger buffer is granted at least in part", arguments: Family.all)
    func buffers(family: Family) throws {
        let connection = try Connection(family)
        for option in [SystemSocketOption.sendBufferSize, .receiveBufferSize] {
            #expect(SystemSocket.set(connection.client, option, to: 100_000) == nil)
            #expect(try #require(SystemSocket.value(connection.client, of: option)) >= 50_000)
        }
    }

    @Test("a value beyond 32 bits is clamped to the largest 32-bit value")
    func clamped() throws {
        let connection = try Connection()
        #expect(SystemSocket.set(connection.client, .noDelay, to: .max) == nil)
        #expect(SystemSocket.value(connection.client, of: .noDelay) != 0)
    }

    @Test("the time for unacknowledged data is set in ms, or not supported")
    func userTimeout() throws {
        let connection = try Connection()
        guard SystemFeature.userTimeout.isSupported else {
            #expect(SystemSocket.set(connection.client, .userTimeout, to: 9000) == .notSupported)
            #expect(SystemSocket.value(connection.client, of: .userTimeout) == nil)
            return
        }
        #expect(SystemSocket.set(connection.client, .userTimeout, to: 9000) == nil)
        #expect(SystemSocket.value(connection.client, of: .userTimeout) == 9000)
    }

    @Test("bytes below the low-water mark are not reported, or the mark is not supported")
    func lowWaterMark() throws {
        let connection = try Connection()
        guard SystemFeature.lowWaterMark.isSupported else {
            #expect(SystemSocket.set(connection.server, .readLowWaterMark, to: 100) == .notSupported)
            return
        }
        #expect(SystemSocket.set(connection.server, .readLowWaterMark, to: 100) == nil)
        let readiness = try Readiness()
        try readiness.watch(connection.server, token: 3)
        _ = readiness.edges()
        #expect(send(connection.client, [UInt8](repeating: 1, count: 60)) == .success(60))
        #expect(!readiness.edges(milliseconds: 20).contains { $0.isReadable })
        #expect(send(connection.client, [UInt8](repeating: 1, count: 60)) == .success(60))
        #expect(readiness.until(3) { $0.isReadable })
        #expect(try receiveSoon(connection.server, 200).count == 120)
    }

    @Test("setting TCP Fast Open fails with notSupported on systems without it")
    func fastOpen() throws {
        let socket = SystemSocket.open(for: .ipv4(0, port: 0))
        defer { SystemSocket.close(socket) }
        // An administrator may have disabled it.
        let error = SystemSocket.set(socket, .fastOpenConnect, to: 1)
        if !SystemFeature.fastOpen.isSupported { #expect(error == .notSupported) }
    }

    @Test("an MPTCP socket is opened, or not supported")
    func multipath() throws {
        switch SystemSocket.openMultipath(for: .ipv4(0, port: 0)) {
        case .success(let socket):
            #expect(SystemFeature.multipath.isSupported && SystemSocket.isSocket(socket))
            SystemSocket.close(socket)
        case .failure(let error): #expect(error == .notSupported)
        }
    }

    @Test("a unix-domain socket refuses the options of TCP")
    func refusal() throws {
        let connection = try Connection(.unix)
        let error = try #require(SystemSocket.set(connection.client, .noDelay, to: 1))
        #expect(error.isRefusalOfOption)
        #expect(SystemSocket.value(connection.client, of: .noDelay) == nil)
    }

    @Test(
        "an interface that does not exist cannot be bound to",
        arguments: ["", "an-interface-with-a-long-name", "lo\0x", "no-such-if"])
    func interface(name: String) throws {
        let connection = try Connection()
        #expect(SystemSocket.bind(connection.client, toInterface: name) != nil)
        if !SystemFeature.interfaceBinding.isSupported, !name.utf8.contains(0) {
            #expect(SystemSocket.bind(connection.client, toInterface: name) == .notSupported)
        }
    }

    @Test("a connection whose bytes were received has no unacknowledged bytes", arguments: Family.all)
    func acknowledged(family: Family) throws {
        let connection = try Connection(family)
        #expect(send(connection.client, [1]) == .success(1))
        #expect(try receiveSoon(connection.server) == [1])
        #expect(!SystemSocket.isUnacknowledged(connection.client))
    }
}
