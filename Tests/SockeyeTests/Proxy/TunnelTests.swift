import Foundation
import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@Suite("Tunnels and connections of proxies")
struct TunnelTests {
    private func configuration(_ proxy: Proxy.Selection, connect: Duration = .seconds(10)) -> ClientConfiguration {
        .init(proxy: proxy, timeouts: Timeouts(connect: connect))
    }

    @Test("the wait for a proxy that does not answer ends at the connect timeout", .timeLimit(.minutes(1)))
    func silence() async throws {
        let proxy = try await RawServer.start(script: [.readRequestHead, .hang])
        let limited = configuration(.http(proxy.url()), connect: .milliseconds(50))
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient(configuration: limited).get("https://nowhere.test/")
        }
        #expect(error?.code == .timeout && error?.phase == .connect)
        #expect(error?.limit?.name == "timeouts.connect")
        await proxy.stop()
    }

    @Test("a request can be cancelled while its tunnel is being opened", .timeLimit(.minutes(1)))
    func cancellation() async throws {
        let proxy = try await RawServer.start(script: [.readRequestHead, .hang])
        let client = HTTPClient(configuration: configuration(.http(proxy.url())))
        let request = Task { try await client.get("https://nowhere.test/") }
        try await proxy.waitForBytes(30)
        request.cancel()
        let error = await #expect(throws: SockeyeError.self) { _ = try await request.value }
        #expect(error?.code == .cancelled && error?.phase == .connect)
        await proxy.stop()
    }

    @Test(
        "a connection through one proxy serves no request through another proxy or without one",
        .timeLimit(.minutes(1)))
    func pool() async throws {
        let origin = try await TestServer.start { _ in .ok("origin") }
        let first = try await TestServer.start { _ in .ok("first") }
        let second = try await TestServer.start { _ in .ok("second") }
        let proxies = [try Proxy(first.url()), try Proxy(second.url())]
        let choosing = Proxy.Selection.choosing { url in url.query.flatMap { Int($0) }.map { proxies[$0] } }
        let client = HTTPClient(configuration: configuration(choosing))
        for _ in 0..<2 {
            #expect(try await client.get(origin.url("/")).text() == "origin")
            #expect(try await client.get(origin.url("/?0")).text() == "first")
            #expect(try await client.get(origin.url("/?1")).text() == "second")
        }
        for server in [origin, first, second] {
            #expect(server.activity.connections == 1 && server.activity.requests == 2)
            await server.stop()
        }
    }

    @Test(
        "a tunnelling proxy gets CONNECT even for http, and its tunnels carry no forwarded requests",
        .timeLimit(.minutes(1)))
    func tunneling() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let server = try await RawServer.start(scripts: [
            [.readRequestHead, .send("HTTP/1.1 200 Open\r\n\r\n"), .readRequestHead, .send(answer)],
            [.readRequestHead, .send(answer)],
        ])
        let forwarding = try Proxy("http://me:s3cret@127.0.0.1:\(server.port)")
        #expect(forwarding != forwarding.tunneling)
        let choosing = Proxy.Selection.choosing { $0.path == "/in" ? forwarding.tunneling : forwarding }
        let client = HTTPClient(configuration: configuration(choosing))
        #expect(try await client.get("http://nowhere.test/in").text() == "ok")
        #expect(try await client.get("http://nowhere.test/out").text() == "ok")
        let tunnel = server.receivedText(0).components(separatedBy: "\r\n\r\n")
        #expect(tunnel[0].hasPrefix("CONNECT nowhere.test:80 HTTP/1.1\r\n") && tunnel[0].contains("Basic"))
        #expect(tunnel[1].hasPrefix("GET /in HTTP/1.1\r\n") && !tunnel[1].contains("Basic"))
        #expect(server.receivedText(1).hasPrefix("GET http://nowhere.test/out HTTP/1.1\r\n"))
        await server.stop()
    }

    @Test("a request over a unix-domain socket uses no proxy", .timeLimit(.minutes(1)))
    func unixSocket() async throws {
        let server = try await TestServer.start(on: .temporaryUnixSocket) { _ in .ok("direct") }
        var options = OutgoingRequest.Options()
        options.unixSocketPath = String(server.address.description.dropFirst("unix:".count))
        let client = HTTPClient(configuration: configuration(.http("ftp://nonsense")))
        #expect(try await client.get("http://nowhere.test/", options: options).text() == "direct")
        await server.stop()
    }

    @Test("a proxy with a closed port fails the call with `connectFailed`", .timeLimit(.minutes(1)))
    func closedPort() async throws {
        let port = try ClosedPort()
        let client = HTTPClient(configuration: configuration(.http("127.0.0.1:\(port.port)")))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://nowhere.test/") }
        #expect(error?.code == .connectFailed)
        // The error also names the server. The proxy must come first.
        #expect(error?.message.hasPrefix("the proxy http://") == true, "\(error?.message ?? "")")
    }
}
