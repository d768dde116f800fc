import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite(
    "nginx: connections", .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"), .timeLimit(.minutes(1)))
struct NginxConnectionTests {
    let nginx: NginxServer
    let client: HTTPClient

    init() throws {
        nginx = try NginxServer.shared.get()
        client = nginx.client()
    }

    @Test("a stopped server no longer accepts connections")
    func cleansUp() async throws {
        let nginx = try NginxServer()
        _ = try await client.get(nginx.url("/small")).bytes()
        #expect(isListening(nginx))
        nginx.stop()
        #expect(!isListening(nginx))
        #expect(!FileManager.default.fileExists(atPath: nginx.folder))
    }

    /// Returns true if a process listens on the port of this server.
    private func isListening(_ nginx: NginxServer) -> Bool {
        !FreePorts.isFree(nginx.port("HTTP"))
    }

    @Test("the client asks the server to close after a response", arguments: NginxServer.Scheme.allCases)
    func closes(scheme: NginxServer.Scheme) async throws {
        var options = OutgoingRequest.Options()
        options.closesConnection = true
        for _ in 0..<3 {
            let response = try await client.get(nginx.url("/small", over: scheme), options: options)
            #expect(response[.connection] == "close")
            #expect(response["X-Number"] == "1")
            #expect(try await response.text() == "small")
        }
        #expect(client.pool?.statistics.created == 3)
    }

    @Test("the client does not reuse connections that the server closes after each response")
    func isClosedAfterOne() async throws {
        for _ in 0..<3 { #expect(try await client.get(nginx.url("/once")).text() == "once") }
        #expect(client.pool?.statistics.created == 3)
    }

    @Test("the client opens a new connection if the server limits the requests per connection")
    func isLimited() async throws {
        var numbers: [String?] = []
        for _ in 0..<9 {
            let response = try await client.get(nginx.url("/thrice"))
            numbers.append(response["X-Number"])
            #expect(try await response.text() == "thrice")
        }
        #expect(numbers == ["1", "2", "3", "1", "2", "3", "1", "2", "3"])
        #expect(client.pool?.statistics.created == 3)
    }

    @Test(
        "the client loses no request to a server that closes idle connections after a millisecond", arguments: [1, 8])
    func racesWithClosing(tasks: Int) async throws {
        let url = nginx.url("/hasty")
        let client = client
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    for round in 0..<200 {
                        let text = try await client.get(url).text()
                        #expect(text == "hasty")
                        // The delays range from zero to twice the time after which the server closes.
                        try await Task.sleep(for: .microseconds(round * 70 % 2000))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(client.pool?.statistics.leased == 0)
    }

    @Test("a POST that cannot be repeated succeeds or fails with connectionClosed")
    func posts() async throws {
        for _ in 0..<200 {
            let body = OutgoingRequest.Body.stream(Pieces([Bytes("x")]), length: 1)
            do throws(SockeyeError) {
                _ = try await client.post(nginx.url("/hasty"), .body(body)).bytes()
            } catch {
                #expect(error.code == .connectionClosed)
            }
        }
    }

    @Test("the client continues after a restart of the server", arguments: NginxServer.Scheme.allCases)
    func survivesRestart(scheme: NginxServer.Scheme) async throws {
        let first = try NginxServer()
        let client = HTTPClient(
            configuration: .init(tls: TLSOptions(roots: .systemAnd(first.authority.roots), verification: .none)))
        let url = first.url("/small", over: scheme)
        for _ in 0..<4 { #expect(try await client.get(url).text() == "small") }
        first.stop()
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .connectFailed)
        let second = try first.restarted()
        defer { second.stop() }
        #expect(try await client.get(url).text() == "small")
        #expect(try await client.post(url, .body("x")).text() == "small")
    }

    @Test("after a restart of the server, requests succeed although the idle connections have ended")
    func repeatsAfterRestart() async throws {
        let first = try NginxServer()
        let client = first.client()
        let url = first.url("/small")
        _ = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await client.get(url).text() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        first.stop()
        let second = try first.restarted()
        defer { second.stop() }
        for _ in 0..<16 { #expect(try await client.get(url).text() == "small") }
    }

    @Test("the client works over a unix-domain socket")
    func usesUnixSocket() async throws {
        let client = client.scoped(unixSocketPath: nginx.unixSocket)
        for _ in 0..<3 {
            let response = try await client.get("http://example.invalid/pattern.bin")
            #expect(response["X-Host"] == "example.invalid")
            #expect(TestPattern.matches(try await response.bytes(), at: 0))
        }
        #expect(client.pool?.statistics.created == 1)
    }

    @Test("the client works over IPv6", .enabled(if: FreePorts.hasIPv6, "there is no ::1 here"))
    func usesIPv6() async throws {
        let response = try await client.get("http://[::1]:\(nginx.port("HTTP"))/small")
        #expect(response["X-Host"] == "[::1]:\(nginx.port("HTTP"))")
        #expect(try await response.text() == "small")
    }

    @Test("the client reports a server that closes without an answer", arguments: NginxServer.Scheme.allCases)
    func isDropped(scheme: NginxServer.Scheme) async throws {
        let client = client
        for warmUp in [false, true] {
            if warmUp { _ = try await client.get(nginx.url("/small", over: scheme)).bytes() }
            let url = nginx.url("/drop", over: scheme)
            let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
            #expect(error?.code == .connectionClosed)
            #expect(error?.phase == .head)
        }
    }

    @Test("the client reads the server's refusal of plain HTTP on its port for TLS")
    func speaksPlainToTLS() async throws {
        let response = try await client.get("http://127.0.0.1:\(nginx.port("HTTPS"))/")
        #expect(response.status == .badRequest)
        #expect(try await response.text().contains("HTTPS port"))
    }

    @Test("the client reports a TLS handshake with a port for plain HTTP")
    func speaksTLSToPlain() async throws {
        let url = "https://127.0.0.1:\(nginx.port("HTTP"))/"
        let client = client
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .tlsFailed)
        #expect(error?.phase == .tls)
    }
}
