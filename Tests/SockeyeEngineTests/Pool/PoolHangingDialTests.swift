import SockeyeCore
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("Pool: dials that hang", .timeLimit(.minutes(1))) struct PoolHangingDialTests {
    private typealias Script = ScriptedServer.Script

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private let dials = HeldDials()
    private let time = ManualTime()
    private let transport: SocketTransport
    /// A transport with at most one connection to an origin.
    private let narrow: SocketTransport

    init() {
        transport = dials.transport(time: time)
        var configuration = EngineConfiguration()
        configuration.pool.connectionsPerOrigin = 1
        narrow = dials.transport(configuration, time: time)
    }

    private func request(
        _ timeouts: Timeouts = Timeouts(), path: String = "/", over transport: SocketTransport? = nil
    ) throws -> Task<String, any Error> {
        var request = try OutgoingRequest(url: "http://a.test\(path)")
        request.options.timeouts = timeouts
        return Task { [request, transport = transport ?? self.transport] in
            String(decoding: try await transport.send(request).body.collect(upTo: 100), as: UTF8.self)
        }
    }

    @Test("a request that is repeated after a time-out gets a dial of its own while the first dial hangs")
    func repeated() async throws {
        let first = try request(Timeouts(total: .seconds(2)))
        await eventually("a dial") { dials.limits.count == 1 }
        time.advance(by: .seconds(2))
        let error = await #expect(throws: SockeyeError.self) { try await first.value }
        #expect(error?.code == .timeout)
        let second = try request(Timeouts(total: .seconds(2)))
        await eventually("another dial") { dials.limits.count == 2 }
        dials.end(1, with: Script(Self.ok))
        #expect(try await second.value == "ok")
        dials.end(0, with: nil)
    }

    @Test("a proxy whose dial fails after its request has timed out is tried last by the next request")
    func absentProxy() async throws {
        let (absent, present) = (try Proxy("http://absent.test:3128"), try Proxy("http://present.test:3128"))
        var configuration = EngineConfiguration()
        configuration.proxy = .inOrder([absent, present])
        let routed = dials.transport(configuration, time: time)
        let first = try request(Timeouts(total: .seconds(2)), over: routed)
        await eventually("a dial") { dials.limits.count == 1 }
        time.advance(by: .seconds(2))
        let error = await #expect(throws: SockeyeError.self) { try await first.value }
        #expect(error?.code == .timeout)
        dials.end(0, with: nil)
        await eventually("the dial has failed") { routed.pool.statistics.dialling == 0 }
        let second = try request(over: routed)
        await eventually("another dial") { dials.limits.count == 2 }
        #expect(dials.proxies == [absent, present])
        dials.end(1, with: Script(Self.ok))
        #expect(try await second.value == "ok")
    }

    @Test("a request fails at its own connect deadline while an earlier request without a deadline waits for its dial")
    func ownDeadline() async throws {
        let patient = try request(Timeouts(connect: .unlimited))
        await eventually("a dial") { dials.limits.count == 1 }
        let hasty = try request(Timeouts(connect: .seconds(1)))
        await eventually("another dial") { dials.limits.count == 2 }
        #expect(dials.limits.map(\.connect) == [.seconds(600), .seconds(1)])
        dials.end(1, with: nil)
        let error = await #expect(throws: SockeyeError.self) { try await hasty.value }
        #expect(error?.code == .timeout && error?.phase == .connect)
        #expect(transport.pool.statistics.waiting == 1)
        dials.end(0, with: Script(Self.ok))
        #expect(try await patient.value == "ok")
    }

    @Test("a request whose dial served an older request waits for another connection until its pool deadline")
    func poolDeadline() async throws {
        let older = try request(Timeouts(head: .unlimited))
        await eventually("a dial") { dials.limits.count == 1 }
        let younger = try request(Timeouts(pool: .seconds(5)))
        await eventually("another dial") { dials.limits.count == 2 }
        dials.end(1, with: Script(""))
        await eventually("a connection in use") { transport.pool.statistics.leased == 1 }
        time.advance(by: .seconds(5))
        let error = await #expect(throws: SockeyeError.self) { try await younger.value }
        #expect(error?.code == .timeout && error?.phase == .pool)
        older.cancel()
        await #expect(throws: SockeyeError.self) { try await older.value }
        dials.end(0, with: nil)
    }

    @Test(
        "a request keeps its place in the queue and its deadline if it gets a connection that the server has closed",
        arguments: [true, false])
    func place(isServed: Bool) async throws {
        let running = try request(over: narrow)
        await eventually("a dial") { dials.limits.count == 1 }
        dials.end(0, with: Script(Self.ok, then: .end, writes: [.block, .block]))
        await eventually("the request is being sent") { dials.stream(0)?.isWriteScriptOver == true }
        let timeouts = Timeouts(pool: .seconds(2))
        let second = try request(timeouts, path: "/second", over: narrow)
        await eventually("a waiter") { narrow.pool.statistics.waiting == 1 }
        let third = try request(timeouts, path: "/third", over: narrow)
        await eventually("two waiters") { narrow.pool.statistics.waiting == 2 }
        time.advance(by: .seconds(1))
        dials.stream(0)?.becomeWritable()
        #expect(try await running.value == "ok")
        await eventually("both wait for another dial") {
            dials.limits.count == 2 && narrow.pool.statistics.waiting == 2
        }
        guard isServed else {
            time.advance(by: .seconds(1))
            for task in [second, third] {
                let error = await #expect(throws: SockeyeError.self) { try await task.value }
                #expect(error?.code == .timeout && error?.phase == .pool)
            }
            return dials.end(1, with: nil)
        }
        dials.end(1, with: Script(Self.ok, then: .answer(Self.ok, then: .silence)))
        #expect(try await second.value == "ok")
        #expect(try await third.value == "ok")
        let sent = String(decoding: dials.stream(1)?.written ?? [], as: UTF8.self)
        #expect(sent.hasPrefix("GET /second "))
    }
}
