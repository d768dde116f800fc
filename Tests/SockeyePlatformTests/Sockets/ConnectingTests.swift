import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("Connecting and listening", .timeLimit(.minutes(1)))
struct ConnectingTests {
    private func open(_ address: SystemAddress) throws -> Int32 {
        let socket = SystemSocket.open(for: address)
        return try #require(socket >= 0 ? socket : nil)
    }

    /// Connects, and waits for the outcome.
    private func connect(to address: SystemAddress) throws -> SystemError? {
        let socket = try open(address)
        defer { SystemSocket.close(socket) }
        let error = SystemSocket.connect(socket, to: address)
        guard error == .inProgress else { return error }
        try Readiness.await(socket, \.isWritable)
        return SystemSocket.takeError(socket)
    }

    @Test("both ends know each other's address", arguments: Family.all)
    func addresses(family: Family) throws {
        let connection = try Connection(family)
        let peerOfClient = try #require(SystemSocket.peerAddress(connection.client))
        #expect(peerOfClient == SystemSocket.localAddress(connection.server))
        let peerOfServer = try #require(SystemSocket.peerAddress(connection.server))
        #expect(peerOfServer == SystemSocket.localAddress(connection.client))
    }

    @Test("a socket that is not connected has no peer", arguments: Family.all)
    func noPeer(family: Family) throws {
        let listening = try Listening(family)
        #expect(SystemSocket.peerAddress(listening.number) == nil)
        #expect(SystemSocket.localAddress(listening.number) == listening.address)
    }

    @Test("the system chooses a port if none is given", arguments: Family.tcp)
    func port(family: Family) throws {
        switch try Listening(family).address {
        case .ipv4(let bits, let port): #expect(bits == UInt32(0x7F00_0001).bigEndian && port > 0)
        case .ipv6(let high, let low, let port, let scope):
            #expect(high == 0 && low == UInt64(1).bigEndian && port > 0 && scope == 0)
        case .unix: Issue.record("another family")
        }
    }

    @Test("a connection to a port without listener is refused", arguments: Family.tcp)
    func refused(family: Family) throws {
        let address = try Listening(family).address
        #expect(try connect(to: address) == .connectionRefused)
    }

    @Test("a pending error is reported once", arguments: Family.tcp)
    func pendingError(family: Family) throws {
        let address = try Listening(family).address
        let socket = try open(address)
        defer { SystemSocket.close(socket) }
        #expect(SystemSocket.takeError(socket) == nil)
        guard SystemSocket.connect(socket, to: address) == .inProgress else { return }
        try Readiness.await(socket, \.hasEnded)
        #expect(SystemSocket.takeError(socket) == .connectionRefused)
        #expect(SystemSocket.takeError(socket) == nil)
    }

    @Test("a connection to a missing path fails, and one to a path without listener is refused")
    func paths() throws {
        let folder = try TemporaryFolder()
        #expect(try connect(to: .unix(folder("missing"))) == .notFound)
        let socket = try open(.unix(""))
        #expect(SystemSocket.bind(socket, to: .unix(folder("left"))) == nil)
        SystemSocket.close(socket)
        #expect(try connect(to: .unix(folder("left"))) == .connectionRefused)
    }

    @Test("an address in use is refused to a second listener", arguments: Family.all)
    func inUse(family: Family) throws {
        let listening = try Listening(family)
        let socket = try open(listening.address)
        defer { SystemSocket.close(socket) }
        #expect(SystemSocket.bind(socket, to: listening.address) == .addressInUse)
    }

    @Test("an address of another machine cannot be bound")
    func foreign() throws {
        let address = SystemAddress.ipv4(UInt32(0xC000_0201).bigEndian, port: 0)
        let socket = try open(address)
        defer { SystemSocket.close(socket) }
        #expect(SystemSocket.bind(socket, to: address) == .addressNotAvailable)
    }

    @Test("accepting would block if no connection waits", arguments: Family.all)
    func nothingToAccept(family: Family) throws {
        let listening = try Listening(family)
        #expect(SystemSocket.accept(listening.number) < 0 && SystemError.last == .wouldBlock)
    }

    @Test("connections wait for the listener in their order", arguments: Family.tcp)
    func backlog(family: Family) throws {
        let listening = try Listening(family)
        let clients = try (0..<3).map { _ in
            let client = try open(listening.address)
            let error = SystemSocket.connect(client, to: listening.address)
            #expect(error == nil || error == .inProgress)
            try Readiness.await(client, \.isWritable)
            return client
        }
        defer { for client in clients { SystemSocket.close(client) } }
        for client in clients {
            let server = try listening.accept()
            #expect(SystemSocket.peerAddress(server) == SystemSocket.localAddress(client))
            SystemSocket.close(server)
        }
    }

    @Test("a socket of one family refuses the address of another")
    func otherFamily() throws {
        let socket = try open(.unix("/x"))
        defer { SystemSocket.close(socket) }
        #expect(SystemSocket.connect(socket, to: .ipv4(UInt32(0x7F00_0001).bigEndian, port: 1)) != nil)
    }

    @Test("sockets are distinguished from other descriptors")
    func kinds() throws {
        let connection = try Connection(.unix)
        let file = try SystemFile.open("/", for: .folder)
        defer { SystemFile.close(file) }
        #expect(SystemSocket.isSocket(connection.client) && !SystemSocket.isSocket(file))
        #expect(!SystemSocket.isSocket(-1))
    }

    @Test("a low descriptor number is outside the process's reserve of descriptors, and the highest number inside")
    func reserve() throws {
        let socket = try open(.unix(""))
        defer { SystemSocket.close(socket) }
        #expect(!SystemSocket.isInReserve(0) && SystemSocket.isInReserve(.max))
        #expect(!SystemSocket.isInReserve(socket))
    }

    @Test("the reserve is empty if the limit of descriptors is unknown, and at most a quarter of a known limit")
    func reserveOfLimit() {
        let unknown = DescriptorReserve.firstRefused(ofLimit: -1)
        #expect(unknown.socket == .max && unknown.file == .max)
        let low = DescriptorReserve.firstRefused(ofLimit: 64)
        #expect(low.socket == 48 && low.file == 56)
        let usual = DescriptorReserve.firstRefused(ofLimit: 1024)
        #expect(usual.socket == 992 && usual.file == 1008)
    }
}
