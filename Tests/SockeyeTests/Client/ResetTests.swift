import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Synchronization
import Testing

@Suite("Resets of a client's connections", .timeLimit(.minutes(1)))
struct ResetTests {
    private struct Counting: NameResolver {
        let asked = Recorder<String>()

        func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
            asked.append(host)
            return [EndpointAddress(literal: "127.0.0.1", port: port)].compactMap(\.self)
        }
    }

    @Test("a reset closes idle connections, clears cached addresses and lets running exchanges end")
    func connections() async throws {
        let release = TestSignal()
        let resolver = Counting()
        try await withTestServer { request in
            if request.path == "/slow" { try await release.wait() }
            return .ok("\(request.connection)")
        } run: { server in
            var configuration = HTTPClient.Configuration()
            configuration.resolver = resolver
            let client = HTTPClient(configuration: configuration)
            let url = server.url("/", host: "a.test")
            let text = try await client.get(url).text()
            #expect(text == "0")
            let text2 = try await client.get(url).text()
            #expect(text2 == "0")
            let slow = Task { try await client.get(server.url("/slow", host: "a.test")).text() }
            await eventually("the slow request") { client.pool?.statistics.leased == 1 }
            let other = try await client.get(url).text()
            #expect(other == "1" && resolver.asked.values.count == 1)
            await client.pool?.reset(only: client)
            try await server.wait { $0.openConnections == 1 }
            release.fire()
            let outcome = try await slow.value
            #expect(outcome == "0")
            try await server.wait { $0.openConnections == 0 }
            let text3 = try await client.get(url).text()
            #expect(text3 == "2")
            #expect(resolver.asked.values.count == 2)
            #expect(client.pool?.statistics.closed.onDemand == 2)
        }
    }

    @Test("a reset drops TLS sessions, and later sessions are stored again")
    func sessions() async throws {
        let authority = try TestCertificateAuthority()
        try await withTestServer(tls: TestTLS(authority)) { _ in
            .ok("x", headers: ["Connection": "close"])
        } run: { server in
            var configuration = HTTPClient.Configuration()
            configuration.tls.roots = authority.roots
            let client = HTTPClient(configuration: configuration)
            func isResumed() async throws -> Bool? {
                let response = try await client.get(server.url("/", host: "localhost"))
                _ = try await response.text()
                return response.tls?.isResumed
            }
            let wasResumed = try await isResumed()
            #expect(wasResumed == false)
            let wasResumed2 = try await isResumed()
            #expect(wasResumed2 == true)
            await client.pool?.reset(only: client)
            let wasResumed3 = try await isResumed()
            #expect(wasResumed3 == false)
            let wasResumed4 = try await isResumed()
            #expect(wasResumed4 == true)
        }
    }

    @Test("tasks continue after a reset unless they are cancelled, and new tasks can start", arguments: [false, true])
    func transfers(cancelling: Bool) async throws {
        let release = TestSignal()
        try await withTestServer { _ in
            try await release.wait()
            return .ok("done")
        } run: { server in
            let client = HTTPClient()
            let task = try client.dataTask(.get, server.url(), as: BodySerializer<String>.text)
            await eventually("the leased connection") { client.pool?.statistics.leased == 1 }
            if cancelling { await client.transfers.cancelAll() }
            await client.pool?.reset(only: client)
            release.fire()
            if cancelling {
                let error = await #expect(throws: SockeyeError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            } else {
                let outcome = try await task.value
                #expect(outcome == "done")
            }
            let outcome2 = try await client.dataTask(.get, server.url(), as: BodySerializer<String>.text).value
            #expect(outcome2 == "done")
            _ = server.takeFailures()
        }
    }

    @Test("a reset of a client of another pool or transport changes nothing")
    func strangers() async throws {
        try await withTestServer { request in
            .ok("\(request.connection)")
        } run: { server in
            let client = HTTPClient()
            _ = try await client.get(server.url()).text()
            await client.pool?.reset(only: HTTPClient())
            await client.pool?.reset(only: HTTPClient(transport: MockTransport { _ in .ok() }))
            let text = try await client.get(server.url()).text()
            #expect(text == "0")
        }
    }
}
