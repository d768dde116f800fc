import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("Upgraded connections to a peer in memory", .timeLimit(.minutes(1))) struct UpgradedConnectionTests {
    private static let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"

    @Test("the error of a read or write without progress names the stall time-out", arguments: [true, false])
    func stall(isReading: Bool) async throws {
        // The first write is the request.
        let server = ScriptedServer([ScriptedServer.Script(Self.switching, writes: [.take(.max), .block])])
        let time = ManualTime()
        var configuration = EngineConfiguration()
        configuration.timeouts = Timeouts(stall: .seconds(5))
        let transport = server.transport(configuration, time: TimeSource(manual: time))
        var request = try OutgoingRequest(url: "http://a.test/")
        request.options.upgrade = "x"
        guard case .upgraded(_, let connection) = try await transport.perform(request) else {
            throw CancellationError()
        }
        let stream = try #require(server.streams.first)
        let waits = stream.waitCount
        let task = Task {
            if isReading { _ = try await connection.read() } else { try await connection.write(Bytes("x")) }
        }
        await eventually("the task waits") { stream.waitCount > waits }
        time.advance(by: .seconds(5))
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.stall")
        #expect(error?.phase == (isReading ? .body : .send))
        connection.close()
    }
}
