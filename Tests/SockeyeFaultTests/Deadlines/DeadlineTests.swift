import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

@Suite("Deadlines", .serialized, .timeLimit(.minutes(1)))
struct DeadlineTests {
    /// Makes the request, and advances the clock from when the request has reached its obstacle until it ends. No event
    /// tells when the request starts to wait there, so the clock is advanced repeatedly.
    private func ending(
        _ stuck: StuckRequest, with client: HTTPClient, _ clock: ManualClock
    ) async throws -> SockeyeError? {
        let task = Task { await failure { try await stuck.request(with: client) } }
        try await stuck.waitUntilStuck(client)
        let done = TestSignal()
        Task {
            _ = await task.value
            done.fire()
        }
        while !done.isFired {
            try? await Task.sleep(for: .milliseconds(2))
            clock.advance(by: .seconds(1))
        }
        return await task.value
    }

    private func check(
        _ error: SockeyeError?, _ phase: SockeyeError.Phase, _ limit: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == .timeout, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.phase == phase, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.limit?.name == limit, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.limit?.configured == "7.0 seconds", sourceLocation: sourceLocation)
    }

    private func timeouts(_ path: WritableKeyPath<Timeouts, Duration?>) -> Timeouts {
        var timeouts = Timeouts()
        timeouts.pool = .unlimited
        timeouts.resolve = .unlimited
        timeouts.connect = .unlimited
        timeouts.tls = .unlimited
        timeouts.head = .unlimited
        timeouts.stall = .unlimited
        timeouts[keyPath: path] = .seconds(7)
        return timeouts
    }

    @Test("each phase has its own deadline error", arguments: Obstacle.allCases.filter { $0.ownLimit != nil })
    func ofThePhase(_ obstacle: Obstacle) async throws {
        let (path, name) = try #require(obstacle.ownLimit)
        try await meet(obstacle, timeouts(path), name)
    }

    @Test("the total deadline ends every phase, and the error names the phase", arguments: Obstacle.allCases)
    func total(_ obstacle: Obstacle) async throws {
        try await meet(obstacle, timeouts(\.total), "timeouts.total")
    }

    private func meet(_ obstacle: Obstacle, _ timeouts: Timeouts, _ limit: String) async throws {
        let clock = ManualClock()
        let stuck = try await StuckRequest(at: obstacle)
        defer {
            stuck.wakePeer()
            stuck.endProducer()
        }
        let client = HTTPClient(configuration: try stuck.configuration(timeouts), clock: clock)
        try await stuck.occupyPool(of: client)
        let start = clock.now
        let error = try await ending(stuck, with: client, clock)
        #expect(start.duration(to: clock.now) >= .seconds(7), "the deadline did not pass early")
        check(error, obstacle.phase, limit)
        stuck.vacatePool()
        // A dial continues without its request, and its own limits are disabled in tests of the total deadline.
        if !obstacle.isDialling || timeouts.total == nil { await client.expectAtRest() }
    }

    @Test("every byte extends the stall deadline, but not the head deadline")
    func progress() async throws {
        let clock = ManualClock()
        var configuration = HTTPClient.Configuration()
        configuration.timeouts.stall = .seconds(10)
        configuration.timeouts.head = .seconds(7)
        let taken = (0..<20).map { _ in TestSignal() }
        let server = try FaultServer { peer in
            while let request = try await peer.connection.read(through: "\r\n\r\n") {
                let isHead = String(decoding: request, as: UTF8.self).contains("/head")
                if !isHead { try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n") }
                for index in 0..<(isHead ? 1000 : 20) {
                    clock.advance(by: .seconds(1))
                    try await peer.connection.write(isHead && index == 0 ? "HTTP/1.1 200 OK\r\nX-" : "a")
                    // The client must have read this byte before the clock advances. No event tells when the client has
                    // read a byte of the head, so a short sleep is used.
                    if isHead { try await Task.sleep(for: .milliseconds(2)) } else { try await taken[index].wait() }
                }
            }
        }
        let client = HTTPClient(configuration: configuration, clock: clock)
        var count = 0
        for try await piece in try await client.get(server.url()).body {
            for signal in taken[count..<count + piece.count] { signal.fire() }
            count += piece.count
        }
        #expect(count == 20)
        let error = await failure { _ = try await client.get(server.url("/head")) }
        check(error, .head, "timeouts.head")
    }

    @Test("the total deadline ends an endless body, however fast it arrives")
    func totalOfFastBody() async throws {
        let server = try await TestServer.start { _ in .source(length: nil) }
        let client = HTTPClient()
        let response = try await client.get(server.url(), options: .timeout(total: .seconds(2)))
        let error = await failure { for try await _ in response.body {} }
        #expect(error?.code == .timeout)
        #expect(error?.phase == .body)
        #expect(error?.limit?.name == "timeouts.total")
        await client.expectAtRest()
    }

    @Test(
        "a request whose total deadline has passed before it begins sends nothing and changes no connection",
        arguments: [Duration.zero, .seconds(-1)], [false, true])
    func alreadyPassed(total: Duration, overTLS: Bool) async throws {
        let requests = Shared(0)
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            while try await peer.connection.read(upTo: 4096) != nil {
                requests.value.withLock { $0 += 1 }
                try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let options = OutgoingRequest.Options.timeout(total: total)
        for round in 0..<2 {
            let error = await failure { _ = try await client.post(server.url(), .body("x"), options: options) }
            #expect(error?.code == .timeout && error?.phase == .prepare, "\(String(describing: error))")
            #expect(error?.limit?.name == "timeouts.total")
            // The connection is fresh in the first round and reused in the second.
            #expect(server.connections == round)
            #expect(try await client.post(server.url(), .body("x")).text() == "ok")
        }
        #expect(requests.value.withLock { $0 } == 2)
        #expect(server.connections == 1)
        await client.expectAtRest()
    }

    @Test("the total deadline includes replays")
    func totalCoversReplays() async throws {
        let clock = ManualClock()
        var configuration = HTTPClient.Configuration()
        configuration.timeouts.total = .seconds(7)
        configuration.timeouts.head = .unlimited
        let server = try FaultServer { peer in
            if peer.index == 0 {
                _ = try await peer.connection.read(through: "\r\n\r\n")
                try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                _ = try await peer.connection.read(through: "\r\n\r\n")
                clock.advance(by: .seconds(5))
                return
            }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            clock.advance(by: .seconds(3))
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient(configuration: configuration, clock: clock)
        #expect(try await client.get(server.url()).status == .ok)
        let error = await failure { _ = try await client.get(server.url()) }
        check(error, .head, "timeouts.total")
        #expect(error?.attempt == 2)
    }
}

extension Obstacle {
    /// The deadline for this obstacle and its name in errors; nil if only the total deadline applies.
    fileprivate var ownLimit: (WritableKeyPath<Timeouts, Duration?>, String)? {
        switch self {
        case .pool: (\.pool, "timeouts.pool")
        case .resolve: (\.resolve, "timeouts.resolve")
        case .connect: (\.connect, "timeouts.connect")
        case .tls: (\.tls, "timeouts.tls")
        case .send, .sendFile, .body: (\.stall, "timeouts.stall")
        case .head, .insideHead: (\.head, "timeouts.head")
        case .uncancellableProducer, .endlessBody: nil
        }
    }
}
