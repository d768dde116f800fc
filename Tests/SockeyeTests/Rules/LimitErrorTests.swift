import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeTesting
import Testing

/// The error of an exceeded limit names the limit, its configured value and the value seen.
@Suite("Errors of limits", .timeLimit(.minutes(1)))
struct LimitErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let limit: String
        let answer: String
        let seen: ClosedRange<Int>

        init(_ limit: String, _ answer: String, seen: ClosedRange<Int>) {
            self.limit = limit
            self.answer = answer
            self.seen = seen
        }

        var testDescription: String { limit }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let long = String(repeating: "y", count: 20_000)

    static let cases = [
        Case("headBytes: 300 bytes", ok + "A: \(long)", seen: 301...20_020),
        Case("fieldCount: 3", ok + String(repeating: "A: b\r\n", count: 10), seen: 4...4),
        Case("interimBytes: 300 bytes", String(repeating: "HTTP/1.1 102 P\r\n\r\n", count: 40), seen: 301...720),
        Case("chunk framing: 4096 bytes", chunked + "5;\(long)", seen: 4097...4097),
        Case("trailers: 16384 bytes", chunked + "0\r\nA: \(long)", seen: 16_385...16_385),
        Case("trailers: 100", chunked + "0\r\n" + String(repeating: "A: b\r\n", count: 200), seen: 101...101),
        Case("bodyBytes: 100000 bytes", ok + "Content-Length: 100001\r\n\r\n", seen: 100_001...100_001),
        Case("bodyBytes: 100000 bytes", chunked + "186a1\r\n" + Bomb.text(100_001), seen: 100_001...200_000),
    ]

    @Test("the error names the limit, its value and the value that exceeded it", arguments: cases)
    func limits(_ wanted: Case) async throws {
        let server = try await RawServer.start(script: [.readRequest, .send(wanted.answer)])
        var configuration = HTTPClient.Configuration()
        configuration.limits.headBytes = 300
        configuration.limits.fieldCount = 3
        configuration.limits.interimBytes = 300
        configuration.limits.bodyBytes = 100_000
        let client = HTTPClient(configuration: configuration)
        let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()).bytes() }
        try check(error, wanted.limit, seen: wanted.seen)
        // The limits are the client's own: another client has other limits for the same server.
        if wanted.limit.hasPrefix("fieldCount") {
            let other = await #expect(throws: SockeyeError.self) { try await HTTPClient().get(server.url()) }
            #expect(other?.code == .connectionClosed)
        }
    }

    @Test("the error of a decoding limit has the decoded size or ratio")
    func decoding() async throws {
        let bomb = try Bomb.gzip(200_000)
        try await withTestServer { _ in
            .bytes(Bytes(bomb), headers: [.contentEncoding: "gzip"])
        } run: { server in
            var configuration = HTTPClient.Configuration()
            configuration.limits.decodedBytes = 100_000
            let large = await #expect(throws: SockeyeError.self) {
                try await HTTPClient(configuration: configuration).get(server.url()).bytes()
            }
            try check(large, "decodedBytes: 100000 bytes", seen: 100_001...200_000)
            configuration.limits.decodedBytes = 1 << 20
            configuration.limits.decodedRatioFloor = 1000
            configuration.limits.decodedRatio = 20
            let steep = await #expect(throws: SockeyeError.self) {
                try await HTTPClient(configuration: configuration).get(server.url()).bytes()
            }
            try check(steep, "decodedRatio: 20", seen: 21...200_000)
        }
    }

    @Test("the error of too many waiters has their number")
    func waiters() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            var configuration = HTTPClient.Configuration()
            configuration.pool.connectionsPerOrigin = 1
            configuration.pool.waiters = 0
            let client = HTTPClient(configuration: configuration)
            let first = Task { try await client.get(server.url()) }
            try await server.wait { $0.requests == 1 }
            let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
            #expect(error?.limit?.description == "limit waiters: 0, seen 1")
            first.cancel()
            _ = try? await first.value
        }
    }

    /// async-http-client confused the pool phase with the connect phase in its issue 674.
    @Test("a timeout while waiting for the pool has the pool phase, not the connect phase")
    func poolDeadline() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            var configuration = HTTPClient.Configuration()
            configuration.pool.connectionsPerOrigin = 1
            configuration.timeouts.pool = .milliseconds(20)
            let client = HTTPClient(configuration: configuration)
            let first = Task { try await client.get(server.url()) }
            try await server.wait { $0.requests == 1 }
            let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
            #expect(error?.code == .timeout && error?.phase == .pool && error?.blame == .policy)
            #expect(error?.limit?.description == "limit timeouts.pool: 0.02 seconds")
            first.cancel()
            _ = try? await first.value
        }
    }

    private func check(_ error: SockeyeError?, _ limit: String, seen: ClosedRange<Int>) throws {
        #expect(error?.code == .limitExceeded && error?.blame == .policy, "\(String(describing: error))")
        let found = try #require(error?.limit)
        #expect("\(found.name): \(found.configured)" == limit)
        let number = try #require(found.seen?.split(separator: " ").first.flatMap { Int($0) })
        #expect(seen.contains(number), "\(found)")
        #expect(found.configured.hasSuffix(" bytes") == found.seen?.hasSuffix(" bytes"))
    }
}

/// Bodies that exceed limits when decoded or counted.
private enum Bomb {
    static func text(_ count: Int) -> String { String(repeating: "y", count: count) }

    static func gzip(_ count: Int) throws -> [UInt8] {
        let encoder = try ContentEncoder(.gzip)
        encoder.push(Bytes(text(count)))
        encoder.finish()
        var bytes: [UInt8] = []
        while let piece = try encoder.next() { bytes += piece }
        return bytes
    }
}
