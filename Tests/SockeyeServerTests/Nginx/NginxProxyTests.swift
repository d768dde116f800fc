import Sockeye
import SockeyeTesting
import Testing

/// nginx as a gateway, which passes on bodies as they arrive. Static files cannot test this.
@Suite(
    "nginx: gateway", .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"), .timeLimit(.minutes(1)))
struct NginxProxyTests {
    let nginx: NginxServer
    let client: HTTPClient

    init() async throws {
        nginx = try NginxServer.shared.get()
        client = nginx.client()
        try await NginxUpstream.start()
    }

    @Test("a streamed body is echoed", arguments: NginxServer.Scheme.allCases, [true, false])
    func echoes(scheme: NginxServer.Scheme, withLength: Bool) async throws {
        let content = RandomBytes.make(3_000_000)
        for _ in 0..<2 {
            let body = OutgoingRequest.Body.stream(Pieces(cutting: content), length: withLength ? content.count : nil)
            let response = try await client.post(nginx.url("/upstream/echo", over: scheme), .body(body))
            #expect(response.status == .ok)
            #expect(Digest.of(try await response.bytes()) == Digest.of(content))
        }
        #expect(client.pool?.statistics.created == 1)
    }

    @Test("all bytes of a streamed body reach the origin", arguments: NginxServer.Scheme.allCases)
    func counts(scheme: NginxServer.Scheme) async throws {
        let pieces = Array(repeating: TestPattern.bytes(at: 0, upTo: 200_000), count: 100)
        let response = try await client.post(
            nginx.url("/upstream/count", over: scheme), .stream(Pieces(pieces)))
        #expect(try await response.text() == "20000000")
    }

    @Test("the client reads chunked bodies in pieces of uneven sizes", arguments: NginxServer.Scheme.allCases)
    func readsPieces(scheme: NginxServer.Scheme) async throws {
        for _ in 0..<20 {
            let response = try await client.get(nginx.url("/upstream/pieces", over: scheme))
            #expect(response[.transferEncoding] == "chunked")
            let bytes = try await response.bytes()
            #expect(bytes.count == NginxUpstream.half)
            #expect(TestPattern.matches(bytes, at: 0))
        }
        #expect(client.pool?.statistics.created == 1)
    }

    @Test("the client can abandon an endless body", arguments: NginxServer.Scheme.allCases)
    func leavesEndless(scheme: NginxServer.Scheme) async throws {
        let client = client
        let url = nginx.url("/upstream/chunked", over: scheme)
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url).bytes(upTo: 5_000_000) }
        #expect(error?.code == .limitExceeded)
        #expect(try await client.get(nginx.url("/small", over: scheme)).text() == "small")
        // The rest of a dropped body is discarded in the background.
        while client.pool?.statistics.leased != 0 { await Task.yield() }
    }

    @Test("the client reports a body whose origin broke off", arguments: NginxServer.Scheme.allCases)
    func isCutShort(scheme: NginxServer.Scheme) async throws {
        let response = try await client.get(nginx.url("/upstream/short", over: scheme))
        var received = 0
        let error = await #expect(throws: SockeyeError.self) {
            for try await chunk in response.body { received += chunk.count }
        }
        #expect(error?.code == .connectionClosed)
        #expect(error?.phase == .body)
        #expect(received == NginxUpstream.half)
    }

    @Test("the head deadline or the total deadline ends a request to a silent server", arguments: ["head", "total"])
    func timesOut(deadline: String) async throws {
        let client = client
        var timeouts = Timeouts()
        if deadline == "head" { timeouts.head = .milliseconds(100) } else { timeouts.total = .milliseconds(100) }
        let url = nginx.url("/upstream/silent", over: .https)
        let options = OutgoingRequest.Options.timeouts(timeouts)
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url, options: options) }
        #expect(error?.code == .timeout)
        #expect(error?.limit?.name == "timeouts.\(deadline)")
    }

    @Test("reading a body that stalls fails at the stall deadline", arguments: NginxServer.Scheme.allCases)
    func stalls(scheme: NginxServer.Scheme) async throws {
        var timeouts = Timeouts()
        timeouts.stall = .milliseconds(200)
        let response = try await client.get(
            nginx.url("/upstream/stalling", over: scheme), options: .timeouts(timeouts))
        var received = 0
        let error = await #expect(throws: SockeyeError.self) {
            for try await chunk in response.body { received += chunk.count }
        }
        #expect(error?.code == .timeout)
        #expect(error?.limit?.name == "timeouts.stall")
        #expect(received == NginxUpstream.half)
    }

    @Test("the client stops waiting if its task is cancelled")
    func isCancelled() async throws {
        let client = client
        let url = nginx.url("/upstream/silent")
        let task = Task { try await client.get(url) }
        try await NginxUpstream.server.value.wait { $0.requests > 0 }
        task.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(client.pool?.statistics.leased == 0)
    }
}
