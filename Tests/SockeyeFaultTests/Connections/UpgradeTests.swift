import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Upgraded connections", .timeLimit(.minutes(1)))
struct UpgradeTests {
    private func server(tls: Bool = false, then script: @escaping FaultServer.Script) throws -> FaultServer {
        try FaultServer(tls: tls ? try Credentials.server() : nil) { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
            try await script(peer)
        }
    }

    private func upgrade(_ client: HTTPClient, _ server: FaultServer) async throws -> UpgradedConnection {
        let url = try HTTPURL(checking: server.url())
        return try await client.upgrade(OutgoingRequest(method: .get, url: url), to: "echo").connection
    }

    @Test("a second concurrent reader gets an error and does not end the process")
    func secondReader() async throws {
        let server = try server { try await $0.connection.discardToEnd() }
        let client = HTTPClient()
        let connection = try await upgrade(client, server)
        let errors = await withTaskGroup(of: SockeyeError?.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    do throws(SockeyeError) {
                        _ = try await connection.read()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var errors: [SockeyeError?] = []
            for await error in group {
                errors.append(error)
                // The one reader that was accepted waits for bytes that never come.
                if errors.count == 3 { group.cancelAll() }
            }
            return errors.compactMap { $0 }
        }
        #expect(errors.map(\.code).filter { $0 == .invalidRequest }.count == 3)
        #expect(errors.map(\.code).filter { $0 == .cancelled }.count == 1)
    }

    @Test("dropping the connection frees its place in the pool, and the server sees the end", arguments: [false, true])
    func dropped(overTLS: Bool) async throws {
        let server = try server(tls: overTLS) { try await $0.connection.discardToEnd() }
        let client = HTTPClient(configuration: try Credentials.configuration())
        var connection: UpgradedConnection? = try await upgrade(client, server)
        try await connection?.write(Bytes("hello"))
        connection = nil
        withExtendedLifetime(connection) {}
        await client.expectAtRest()
        await eventually("a closed connection") { server.open == 0 }
    }

    @Test(
        "closing the connection frees its place in the pool, even if a task is reading and the caller keeps it",
        arguments: [false, true], [false, true])
    func closed(overTLS: Bool, isReading: Bool) async throws {
        let server = try server(tls: overTLS) { try await $0.connection.discardToEnd() }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let connection = try await upgrade(client, server)
        let begun = TestSignal()
        let reading = Task {
            guard isReading else { return begun.fire() }
            begun.fire()
            _ = try? await connection.read()
        }
        try await begun.wait()
        connection.close()
        connection.close()
        await reading.value
        await client.expectAtRest()
        await eventually("a closed connection") { server.open == 0 }
        let error = await failure { _ = try await connection.read() }
        #expect(error?.code == .connectionClosed && error?.blame == .caller)
        withExtendedLifetime(connection) {}
    }

    @Test("a reset is reported as an error of the peer")
    func reset() async throws {
        let server = try server { $0.connection.reset() }
        let client = HTTPClient()
        let connection = try await upgrade(client, server)
        let error = await failure { while try await connection.read() != nil {} }
        #expect(error?.code == .connectionClosed)
        #expect(error?.blame == .peer)
    }

    enum LocalEnd: CaseIterable, Sendable { case close, shutDown }

    @Test(
        "if the caller closes the connection or shuts the client down, reads and writes fail without blaming the peer",
        arguments: LocalEnd.allCases, [false, true])
    func localEnd(_ end: LocalEnd, overTLS: Bool) async throws {
        let server = try server(tls: overTLS) { try await $0.connection.discardToEnd() }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let connection = try await upgrade(client, server)
        let begun = TestSignal()
        let reading = Task {
            begun.fire()
            return await failure { while try await connection.read() != nil {} }
        }
        try await begun.wait()
        switch end {
        case .close: connection.close()
        case .shutDown: await client.shutDown(graceful: false)
        }
        let errors = [
            await reading.value, await failure { _ = try await connection.read() },
            await failure { try await connection.write(Bytes("hello")) },
        ]
        for error in errors {
            #expect(error?.code == (end == .close ? .connectionClosed : .shutDown))
            #expect(error?.blame == .caller, "\(String(describing: error))")
        }
    }

    @Test("the peer's orderly end is not an error", arguments: [false, true])
    func peerEnd(overTLS: Bool) async throws {
        let server = try server(tls: overTLS) { _ in }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let connection = try await upgrade(client, server)
        #expect(try await connection.read() == nil)
    }
}
