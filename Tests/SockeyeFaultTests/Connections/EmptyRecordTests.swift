import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// A peer that keeps sending TLS records without HTTP data. OpenSSL itself would read them indefinitely.
@Suite("TLS records without content", .serialized, .timeLimit(.minutes(1)))
struct EmptyRecordTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"

    /// Reads a request on the first connection, begins the answer, and leaves the rest to `then`.
    private func server(
        beginning begin: String = "", then: @escaping @Sendable (FaultServer.Peer) async throws -> Void
    ) throws -> FaultServer {
        try FaultServer(tls: try Credentials.server()) { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            if !begin.isEmpty { try await peer.connection.write(begin) }
            try await then(peer)
        }
    }

    private func timeouts(_ change: (inout Timeouts) -> Void) -> Timeouts {
        var timeouts = Timeouts()
        timeouts.head = .unlimited
        timeouts.stall = .unlimited
        change(&timeouts)
        return timeouts
    }

    @Test(
        "a flood of empty records ends the request with an error of the peer, and the next request succeeds",
        arguments: ["", head])
    func flood(begin: String) async throws {
        let server = try server(beginning: begin) { try await $0.flood() }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let error = await failure {
            _ = try await client.get(server.url(), options: .timeouts(timeouts { _ in })).text()
        }
        #expect(error?.code == .tlsFailed && error?.blame == .peer, "\(String(describing: error))")
        #expect(error?.phase == (begin.isEmpty ? .head : .body))
        #expect(error?.message.contains("of TLS records without application data") == true)
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test("empty records extend no deadline", arguments: ["head", "stall", "total"])
    func drip(limit: String) async throws {
        let clock = ManualClock()
        let server = try server(beginning: limit == "head" ? "" : Self.head + "a") { peer in
            while peer.sendKeyUpdate() {
                try await Task.sleep(for: .milliseconds(2))
                clock.advance(by: .seconds(1))
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration(), clock: clock)
        let start = clock.now
        let error = await failure {
            let options = OutgoingRequest.Options.timeouts(
                timeouts {
                    switch limit {
                    case "head": $0.head = .seconds(20)
                    case "stall": $0.stall = .seconds(20)
                    default: $0.total = .seconds(20)
                    }
                })
            _ = try await client.get(server.url(), options: options).text()
        }
        #expect(error?.code == .timeout, "\(String(describing: error))")
        #expect(error?.limit?.name == "timeouts.\(limit)")
        // The clock advances until the error has arrived, five hundred times as fast as real time.
        #expect(start.duration(to: clock.now) < .seconds(1000))
        await client.expectAtRest()
    }

    @Test("empty records do not delay the end of a cancelled request", arguments: ["", head])
    func cancellation(begin: String) async throws {
        let begun = TestSignal()
        let server = try server(beginning: begin) { peer in
            while peer.sendKeyUpdate() {
                begun.fire()
                await Task.yield()
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let options = OutgoingRequest.Options.timeouts(timeouts { _ in })
        var error: SockeyeError?
        // On a busy machine the limit on such records may be reached before the task is cancelled.
        for _ in 0..<10 where error?.code != .cancelled {
            let task = Task { await failure { _ = try await client.get(server.url(), options: options).text() } }
            try await begun.wait()
            task.cancel()
            error = await task.value
        }
        #expect(error?.code == .cancelled, "\(String(describing: error))")
        await client.expectAtRest()
        await eventually("a closed connection") { server.open == 0 }
    }

    @Test("empty records instead of a handshake end the dial and all requests that wait for it")
    func handshake() async throws {
        let block = Bytes((0..<1000).flatMap { _ in TLSStream.plainHelloRequest })
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(upTo: 1)
            while true { try await peer.connection.write(block) }
        }
        var configuration = try Credentials.configuration()
        configuration.pool.connectionsPerOrigin = 1
        let client = HTTPClient(configuration: configuration)
        // All requests use one connection; the first request started its dial.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let error = await failure { _ = try await client.get("https://\(server.address)/") }
                    #expect(error?.code == .tlsFailed && error?.phase == .tls, "\(String(describing: error))")
                    #expect(error?.blame == .peer)
                }
            }
        }
        await client.expectAtRest()
        await eventually("closed connections") { server.open == 0 }
    }

    @Test("empty records do not extend the deadline of a handshake whose request has ended")
    func abandonedHandshake() async throws {
        let clock = ManualClock()
        let begun = TestSignal()
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(upTo: 1)
            while true {
                try await peer.connection.write(Bytes(TLSStream.plainHelloRequest))
                begun.fire()
                try await Task.sleep(for: .milliseconds(2))
                clock.advance(by: .milliseconds(100))
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration(), clock: clock)
        let task = Task { await failure { _ = try await client.get("https://\(server.address)/") } }
        try await begun.wait()
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        await client.expectAtRest()
        await eventually("a closed connection") { server.open == 0 }
    }
}

extension FaultServer.Peer {
    /// Sends a KeyUpdate. Returns false if the connection is closed or accepts no more data.
    fileprivate func sendKeyUpdate() -> Bool {
        guard let secure = stream as? TLSStream, case .bytes = secure.sendKeyUpdate() else { return false }
        return true
    }

    /// Sends KeyUpdates until the connection is closed.
    fileprivate func flood() async throws {
        guard let secure = stream as? TLSStream else { return }
        while true {
            switch secure.sendKeyUpdate() {
            case .bytes, .end: continue
            case .failed: return
            case .wouldBlock(let interest): try await stream.wait(for: interest, as: .writer, until: .distantFuture)
            }
        }
    }
}
