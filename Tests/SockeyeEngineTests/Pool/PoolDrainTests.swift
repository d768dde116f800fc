import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("Pool: drains", .timeLimit(.minutes(1))) struct PoolDrainTests {
    @Test("a drain that waits for a dial ends when the dial fails for lack of descriptors")
    func exhausted() async throws {
        let mayFail = AsyncStream<Void>.makeStream()
        // The clock stands still, so that the limit of the drain does not end it.
        let transport = SocketTransport(
            configuration: EngineConfiguration(), time: TimeSource(manual: ManualTime())
        ) { target, poller throws(SockeyeError) in
            guard target.url.host == "open.test" else {
                for await _ in mayFail.stream {}
                throw SockeyeError(
                    .init(.outOfResources, phase: .connect, blame: .network, message: "no descriptors are left"))
            }
            do throws(TransportError) {
                return try ScriptedStream("", then: .silence, poller: poller)
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
        let pool = transport.pool
        let open = Task { try await transport.send(OutgoingRequest(url: "http://open.test/")) }
        await eventually("an open connection, without which the request would fail") { pool.statistics.leased == 1 }
        let held = Task { try await transport.send(OutgoingRequest(url: "http://held.test/")) }
        await eventually("the dial") { pool.statistics.dialling == 1 }
        let origin = try HTTPURL("http://held.test/").origin
        let drain = Task { await pool.drain(origin, within: .seconds(30)) }
        await eventually("the drain waits") { pool.isAwaitingEnd }
        mayFail.continuation.finish()
        #expect(await drain.value)
        #expect(pool.statistics.waiting == 1 && pool.statistics.dialling == 0)
        for task in [open, held] {
            task.cancel()
            _ = await task.result
        }
    }
}
