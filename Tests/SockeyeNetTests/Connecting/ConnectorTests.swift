import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConnectorTests {
    let poller: EventPoller
    let mark = LocalMark()

    init() throws {
        poller = try EventPoller()
    }

    private func listener(_ literal: String = "127.0.0.1", backlog: Int = 256) throws -> Listener {
        try Listener(address: address(literal, 0), backlog: backlog, poller: poller)
    }

    /// A port of 127.0.0.1 without a listener.
    private func refusedAddress() throws -> EndpointAddress {
        let listener = try listener()
        defer { listener.close() }
        return try #require(listener.address)
    }

    private var inTenSeconds: MonotonicTime { poller.time.now.advanced(by: .seconds(10)) }

    /// Connects from the local address that only this test uses.
    private func connect(
        to addresses: [EndpointAddress], options: SocketOptions? = nil, policy: EndpointAddress.Policy = .any,
        attemptDelay: Duration = .milliseconds(250), until deadline: MonotonicTime? = nil
    ) async -> Result<SocketStream, ConnectError> {
        do throws(ConnectError) {
            let stream = try await Connector.connect(
                to: addresses, options: options ?? mark.options, policy: policy, attemptDelay: attemptDelay,
                poller: poller, until: deadline ?? inTenSeconds)
            return .success(stream)
        } catch {
            return .failure(error)
        }
    }

    private func error(of result: Result<SocketStream, ConnectError>) throws -> ConnectError {
        guard case .failure(let error) = result else { throw TransportError.closed }
        return error
    }

    @Test("the connector connects to a single address")
    func single() async throws {
        let listener = try listener()
        let stream = try await connect(to: [listener.address!]).get()
        #expect(stream.peerAddress == listener.address)
        #expect(mark.openSockets == 1)
        stream.close()
        #expect(mark.openSockets == 0)
    }

    @Test("the error of a refusal names the address and the cause")
    func refused() async throws {
        let address = try refusedAddress()
        let error = try error(of: await connect(to: [address]))
        let cause = ConnectError.Failure.transport(.system(call: .connect, error: .connectionRefused))
        #expect(error.reason == .allFailed)
        #expect(error.attempts == [.init(address: address, failure: cause)])
        #expect("\(error)" == "cannot connect (\(address): connect: Connection refused (111))")
        #expect(mark.openSockets == 0)
    }

    @Test("the error lists every address if all fail")
    func allRefused() async throws {
        let addresses = [try refusedAddress(), try refusedAddress(), try refusedAddress()]
        let error = try error(of: await connect(to: addresses))
        #expect(error.reason == .allFailed)
        #expect(error.attempts.map(\.address) == addresses)
        for address in addresses { #expect("\(error)".contains("\(address)")) }
        #expect(mark.openSockets == 0)
    }

    @Test("the next address is tried at once after a refusal")
    func second() async throws {
        let listener = try listener()
        // With this delay only the refusal can have started the second attempt.
        let stream = try await connect(
            to: [refusedAddress(), listener.address!], attemptDelay: .seconds(1_000)
        ).get()
        #expect(stream.peerAddress == listener.address)
        #expect(mark.openSockets == 1)
        stream.close()
    }

    @Test("if the first address does not answer, the next wins after the attempt delay, and the first socket is closed")
    func overtaking() async throws {
        let hole = try await BlackHole(poller)
        let listener = try listener()
        let start = poller.time.now
        let stream = try await connect(
            to: [hole.address, listener.address!], attemptDelay: .milliseconds(20)
        ).get()
        #expect(stream.peerAddress == listener.address)
        #expect(poller.time.now.since(start) >= .milliseconds(20))
        #expect(mark.openSockets == 1)
        stream.close()
        hole.close()
    }

    @Test("the second attempt starts when the delay is over, not before")
    func delay() async throws {
        let time = ManualTime()
        let manual = try EventPoller(time: TimeSource(manual: time))
        let hole = try await BlackHole(poller)
        let listener = try listener()
        let start = time.now
        let isDone = Atomic(false)
        async let connecting = {
            defer { isDone.store(true, ordering: .releasing) }
            return try await Connector.connect(
                to: [hole.address, listener.address!], options: mark.options, poller: manual, until: .distantFuture)
        }()
        // The clock may move only after the first attempt has begun, that is, when its socket exists.
        while mark.openSockets < 1 { await Task.yield() }
        while !isDone.load(ordering: .acquiring) {
            time.advance(by: .milliseconds(10))
            await Task.yield()
        }
        #expect(time.now.since(start) >= .milliseconds(250))
        let stream = try await connecting
        #expect(stream.peerAddress == listener.address)
        stream.close()
        hole.close()
    }

    @Test("the last of many addresses wins although attempts before it are given up, and all their sockets are closed")
    func manyAddresses() async throws {
        let hole = try await BlackHole(poller)
        let listener = try listener()
        let stream = try await connect(
            to: Array(repeating: hole.address, count: 9) + [listener.address!], attemptDelay: .milliseconds(5)
        ).get()
        #expect(stream.peerAddress == listener.address)
        #expect(mark.openSockets == 1)
        stream.close()
        hole.close()
    }

    @Test("at the deadline all attempts end, and the error lists them", arguments: [1, 3, 9])
    func deadline(count: Int) async throws {
        let hole = try await BlackHole(poller)
        let addresses = Array(repeating: hole.address, count: count)
        let result = await connect(
            to: addresses, attemptDelay: .milliseconds(5),
            until: poller.time.now.advanced(by: .milliseconds(200)))
        let error = try error(of: result)
        #expect(error.reason == .timedOut)
        // On a busy machine the deadline may pass before the last attempt begins.
        #expect((1...count).contains(error.attempts.count))
        #expect(error.attempts.allSatisfy { $0 == .init(address: hole.address, failure: .transport(.timedOut)) })
        #expect(mark.openSockets == 0)
        hole.close()
    }

    @Test("connecting with a deadline that has already passed times out and leaves no socket open", arguments: [1, 2])
    func passedDeadline(count: Int) async throws {
        let hole = try await BlackHole(poller)
        let result = await connect(to: Array(repeating: hole.address, count: count), until: poller.time.now)
        #expect(try error(of: result).reason == .timedOut)
        #expect(mark.openSockets == 0)
        hole.close()
    }

    @Test("cancellation closes every socket and tries no further address", arguments: [1, 2, 3])
    func cancellation(count: Int) async throws {
        let hole = try await BlackHole(poller)
        let listener = try listener()
        let addresses = Array(repeating: hole.address, count: count) + (count > 1 ? [listener.address!] : [])
        let task = Task { await connect(to: addresses, attemptDelay: .seconds(5)) }
        while mark.openSockets == 0 { await Task.yield() }
        task.cancel()
        #expect(try error(of: await task.value).reason == .cancelled)
        #expect(mark.openSockets == 0)
        hole.close()
    }

    @Test("the losing socket is closed if two attempts succeed at almost the same time")
    func twoWinners() async throws {
        let listeners = [try listener(), try listener()]
        for _ in 0..<50 {
            let stream = try await connect(to: listeners.map { $0.address! }, attemptDelay: .zero).get()
            #expect(mark.openSockets == 1)
            stream.close()
            #expect(mark.openSockets == 0)
        }
    }

    @Test("the connector falls back from IPv6 to IPv4 on the loopback")
    func families() async throws {
        let listener = try listener()
        let port = listener.address!.port!
        let stream = try await connect(
            to: [address("::1", port), address("127.0.0.1", port)], options: SocketOptions(),
            attemptDelay: .seconds(1_000)
        ).get()
        #expect(stream.peerAddress == listener.address)
    }

    @Test("the connector connects over IPv6 if the machine has it")
    func ipv6() async throws {
        // A machine without IPv6 cannot bind to its loopback.
        guard let listener = try? listener("::1") else { return }
        let port = listener.address!.port!
        let stream = try await connect(
            to: [address("::1", port), address("127.0.0.1", port)], options: SocketOptions()
        ).get()
        #expect(stream.peerAddress == listener.address)
    }

    @Test("the connector connects to a unix-domain socket in the abstract name space", .needs(.abstractNames))
    func unix() async throws {
        let path = try #require(EndpointAddress(unixPath: "\0sockeye-connector-\(UInt64.random(in: 0 ... .max))"))
        let listener = try Listener(address: path, poller: poller)
        let stream = try await connect(to: [path]).get()
        #expect(stream.peerAddress == path)
        listener.close()
    }

    @Test("connecting without addresses is an error")
    func noAddresses() async throws {
        let error = try error(of: await connect(to: []))
        #expect(error.reason == .noAddresses)
        #expect(error.error == .system(call: .connect, error: .addressNotAvailable))
    }

    @Test("an address that the policy denies is never contacted")
    func policy() async throws {
        let (denied, allowed) = (try listener(), try listener())
        let policy = EndpointAddress.Policy { $0 != denied.address }
        let stream = try await connect(to: [denied.address!, allowed.address!], policy: policy).get()
        #expect(stream.peerAddress == allowed.address)
        stream.close()
        let denial = try error(of: await connect(to: [denied.address!], policy: policy))
        #expect(denial.attempts == [.init(address: denied.address!, failure: .denied)])
        #expect(denial.isDenied)
        #expect(denial.error == .system(call: .connect, error: .accessDenied))
        // The report lists the denied addresses beside the tried ones.
        let refused = try refusedAddress()
        let mixed = try error(of: await connect(to: [refused, denied.address!], policy: policy))
        #expect(mixed.attempts.map(\.address) == [denied.address!, refused])
        #expect(!mixed.isDenied)
        #expect(mark.openSockets == 0)
        // The first connection that the denied listener sees is this one.
        let probe = try await connect(to: [denied.address!]).get()
        #expect(try await denied.accept().peerAddress == probe.localAddress)
    }

    @Test(
        "of thousands of addresses only the first 128 are tried, and the error lists eight",
        arguments: [(4000, "; 120 more addresses)"), (9, "; 1 more address)")])
    func tooManyAddresses(count: Int, ending: String) async throws {
        let many = (0..<count).map { address("192.0.2.\($0 % 250 + 1)", 1000 + $0 / 250) }
        let error = try error(of: await connect(to: many, policy: EndpointAddress.Policy { _ in false }))
        #expect(error.attempts.map(\.address) == Array(many.prefix(Connector.maximumAddresses)))
        #expect(error.description.hasSuffix(ending) && error.description.utf8.count < 1000)
    }

    @Test("the connector uses the requested local address or fails")
    func localAddress() async throws {
        let listener = try listener()
        let stream = try await connect(to: [address("::1", listener.address!.port!), listener.address!]).get()
        #expect("\(stream.localAddress!)".hasPrefix("127.77."))
        var options = SocketOptions()
        options.localAddress = address("::1", 0)
        let error = try error(of: await connect(to: [listener.address!], options: options))
        #expect(error.attempts == [.init(address: listener.address!, failure: .otherFamily)])
    }
}
