import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite(
    "nginx: exchanges", .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"), .timeLimit(.minutes(1)))
struct NginxExchangeTests {
    let nginx: NginxServer
    let client: HTTPClient

    init() throws {
        nginx = try NginxServer.shared.get()
        client = nginx.client()
    }

    @Test(
        "the client sends a thousand requests one after the other over one connection",
        arguments: NginxServer.Scheme.allCases)
    func keepsAlive(scheme: NginxServer.Scheme) async throws {
        var connections: Set<String> = []
        for number in 1...1000 {
            let response = try await client.get(nginx.url("/small", over: scheme))
            connections.insert(response["X-Connection"] ?? "none")
            #expect(response["X-Number"] == String(number))
            #expect(try await response.text() == "small")
        }
        #expect(connections.count == 1)
        let statistics = client.pool?.statistics
        #expect(statistics?.created == 1)
        #expect(statistics?.reused == 999)
    }

    @Test("the client reads bodies of every framing on one connection", arguments: NginxServer.Scheme.allCases)
    func mixesFramings(scheme: NginxServer.Scheme) async throws {
        for _ in 0..<20 {
            for path in ["/small", "/empty", "/numbers.json", "/chunked/hello.txt", "/not-found", "/pattern.bin"] {
                _ = try await client.get(nginx.url(path, over: scheme)).bytes()
                _ = try await client.head(nginx.url(path, over: scheme)).bytes()
            }
        }
        #expect(client.pool?.statistics.created == 1)
    }

    @Test(
        "the client sends many requests at once over no more connections than are allowed",
        arguments: NginxServer.Scheme.allCases)
    func sendsConcurrently(scheme: NginxServer.Scheme) async throws {
        let url = nginx.url("/small", over: scheme)
        let client = nginx.client { $0.pool.connectionsPerOrigin = 8 }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<400 { group.addTask { try await client.get(url).text() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "small", count: 400))
        let statistics = client.pool?.statistics
        #expect((statistics?.created ?? 0) <= 8)
        #expect(statistics?.leased == 0)
    }

    @Test(
        "the client delivers every status with its body",
        arguments: [
            ("/small", 200, "small"), ("/empty", 204, ""), ("/not-found", 404, "nothing here"),
            ("/broken", 500, "sorry"),
            ("/teapot", 418, "short and stout"),
        ])
    func deliversStatuses(path: String, status: Int, body: String) async throws {
        let response = try await client.get(nginx.url(path))
        #expect(response.status.code == status)
        #expect(try await response.text() == body)
        #expect(client.pool?.statistics.idle == 1)
    }

    @Test("the client waits for no body after HEAD, 204 and 304")
    func readsNoBody() async throws {
        let head = try await client.head(nginx.url("/pattern.bin"))
        #expect(head[.contentLength] == String(NginxFiles.patternSize))
        #expect(try await head.bytes().isEmpty)
        let full = try await client.get(nginx.url("/hello.txt"))
        let tag = try #require(full["ETag"])
        #expect(try await full.text() == "hello")
        let unchanged = try await client.get(nginx.url("/hello.txt"), headers: [.ifNoneMatch: tag])
        #expect(unchanged.status == .notModified)
        #expect(try await unchanged.bytes().isEmpty)
        #expect(try await client.get(nginx.url("/empty")).status == .noContent)
        #expect(client.pool?.statistics.created == 1)
    }

    @Test("the client reads ranges of a file", arguments: [(0, 9), (250_990, 251_010), (2_999_999, 2_999_999)])
    func asksForRanges(first: Int, last: Int) async throws {
        let response = try await client.get(nginx.url("/pattern.bin"), headers: [.range: "bytes=\(first)-\(last)"])
        #expect(response.status == .partialContent)
        #expect(response[.contentRange] == "bytes \(first)-\(last)/\(NginxFiles.patternSize)")
        let bytes = try await response.bytes()
        #expect(bytes.count == last - first + 1)
        #expect(TestPattern.matches(bytes, at: first))
    }

    @Test("the client returns the 416 for a range that does not exist")
    func refusesRange() async throws {
        let response = try await client.get(nginx.url("/hello.txt"), headers: [.range: "bytes=100-"])
        #expect(response.status == .rangeNotSatisfiable)
        #expect(response[.contentRange] == "bytes */5")
    }

    @Test("the client reads several ranges as multipart")
    func readsMultipleRanges() async throws {
        let response = try await client.get(nginx.url("/pattern.bin"), headers: [.range: "bytes=0-1,500-502"])
        #expect(response.contentType?.essence == "multipart/byteranges")
        let text = try await response.bytes()
        #expect(text.count > 100)
        #expect(client.pool?.statistics.idle == 1)
    }

    @Test("the client sends the target and the fields unchanged")
    func sendsTarget() async throws {
        let response = try await client.get(
            nginx.url("/echo?a=%2F&b=%C3%BC"), query: ["c d": "e+f"], headers: ["X-Echo": "sch\u{F6}n"])
        #expect(try await response.text() == "GET /echo?a=%2F&b=%C3%BC&c%20d=e%2Bf sch\u{F6}n")
        #expect(response["X-Host"] == "127.0.0.1:\(nginx.port("HTTP"))")
    }

    @Test("the client turns userinfo of the URL into Basic credentials")
    func sendsUserinfo() async throws {
        let url = "http://ada:love%20lace@127.0.0.1:\(nginx.port("HTTP"))/secret"
        let response = try await client.get(url)
        #expect(response.status == .ok)
        #expect(try await response.text() == "for those with a password")
        #expect(try await client.get(nginx.url("/secret")).status == .unauthorized)
    }

    @Test("the client does not treat a redirect as an error")
    func seesRedirect() async throws {
        let response = try await client.get(nginx.url("/moved"))
        #expect([200, 302].contains(response.status.code))
    }
}
