import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeTesting
import Testing

@Suite("Limits on bodies", .serialized, .timeLimit(.minutes(1)))
struct BodyLimitTests {
    /// The framing and pacing of a body of 5,000 bytes.
    enum Delivery: String, CaseIterable, Sendable {
        case onePacket, headFirst, byteByByte, headAlone, chunked, chunkedByteByByte, chunkedEndless, untilClose, gzip

        /// True if the head announces that the body is too large.
        var isAnnounced: Bool { [.onePacket, .headFirst, .byteByByte, .headAlone].contains(self) }

        static let content = String(repeating: "abcdefghij", count: 500)

        func send(_ status: String, to peer: FaultServer.Peer) async throws {
            let connection = peer.connection
            var start = "HTTP/1.1 \(status)\r\nX-Why: because\r\n"
            start += isAnnounced ? "Content-Length: 5000\r\n\r\n" : ""
            let chunks = "1388\r\n\(Self.content)\r\n0\r\n\r\n"
            let chunked = start + "Transfer-Encoding: chunked\r\n\r\n"
            switch self {
            case .onePacket: try await connection.write(start + Self.content)
            case .headFirst:
                try await connection.write(start)
                try await connection.write(Self.content)
            case .headAlone:
                try await connection.write(start)
                try await connection.discardToEnd()
            case .byteByByte: try await Self.drip(start + Self.content, over: connection)
            case .chunked: try await connection.write(chunked + chunks)
            case .chunkedByteByByte: try await Self.drip(chunked + chunks, over: connection)
            case .chunkedEndless:
                try await connection.write(chunked)
                while true { try await connection.write("1388\r\n\(Self.content)\r\n") }
            case .untilClose:
                try await connection.write(start + "\r\n" + Self.content)
                try await connection.closeWrite()
            case .gzip:
                let encoder = try ContentEncoder(.gzip)
                encoder.push(Bytes(Self.content))
                encoder.finish()
                var coded: [UInt8] = []
                while let piece = try encoder.next() { coded += piece }
                try await connection.write(start + "Content-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n")
                try await connection.write(Bytes(coded))
            }
        }

        private static func drip(_ text: String, over connection: TestConnection) async throws {
            for byte in text.utf8 { try await connection.write(Bytes([byte])) }
        }
    }

    /// Answers the first request for `/` with a status and a body in the given delivery, and every other request with
    /// `ok`.
    private static func server(_ status: String, _ delivery: Delivery) throws -> FaultServer {
        try FaultServer { peer in
            var answered = false
            while let head = try await peer.connection.read(through: "\r\n\r\n") {
                let text = String(decoding: head, as: UTF8.self)
                if text.hasPrefix("GET / "), !answered, peer.index == 0, !text.contains("Authorization") {
                    answered = true
                    try await delivery.send(status, to: peer)
                } else {
                    try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        }
    }

    private static func client(_ limit: Int?) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.limits.bodyBytes = limit
        return HTTPClient(configuration: configuration)
    }

    @Test(
        "the limit does not apply to bodies of redirects, answered challenges and repeated attempts",
        arguments: Delivery.allCases,
        ["302 Found\r\nLocation: /there", "401 No\r\nWWW-Authenticate: Basic realm=\"a\"", "503 Later"])
    func unseen(delivery: Delivery, status: String) async throws {
        let policies: [any Interceptor] = [
            .retry(max: 1, backoff: .none),
            .challengeHandler { _ in .useCredential(.user("ada", password: "secret")) },
        ]
        for (limit, options) in [(10, OutgoingRequest.Options()), (nil, .limit(body: 10))] {
            let server = try Self.server(status, delivery)
            let client = policies.reduce(Self.client(limit)) { $0.adding($1) }
            #expect(try await client.get(server.url(), options: options).text() == "ok")
            await client.expectAtRest()
        }
    }

    @Test("the error about a body over the limit has the head and the start of the body", arguments: Delivery.allCases)
    func evidence(delivery: Delivery) async throws {
        for (limit, options, name) in [
            (4000, OutgoingRequest.Options(), "bodyBytes"), (nil, .limit(body: 4000), "bodyLimit"),
            (1, .limit(body: 4000), "bodyLimit"), (nil, OutgoingRequest.Options(), "collect(upTo:)"),
        ] {
            let server = try Self.server("404 Not Found", delivery)
            let client = Self.client(limit)
            let error = await failure { _ = try await client.get(server.url(), options: options).bytes(upTo: 4000) }
            #expect(error?.code == .limitExceeded && error?.blame == .policy && error?.phase == .body)
            #expect(error?.limit?.name == name && error?.limit?.configured == "4000 bytes")
            #expect(error?.url == server.url())
            let response = try #require(error?.response)
            #expect(response.status == .notFound)
            #expect(response.headers["X-Why"] == "because")
            let start = String(decoding: response.body, as: UTF8.self)
            #expect(start.utf8.count <= 65_536 && String(repeating: Delivery.content, count: 14).hasPrefix(start))
            if !delivery.isAnnounced { #expect(!start.isEmpty, "the body was read up to the limit") }
            await client.expectAtRest()
        }
    }

    @Test(
        "the limit holds for streamed bodies, and a body that is announced too large delivers nothing",
        arguments: Delivery.allCases)
    func streams(delivery: Delivery) async throws {
        let server = try Self.server("200 OK", delivery)
        let client = Self.client(nil)
        var received = 0
        let error = await failure {
            let response = try await client.get(server.url(), options: .limit(body: 4999))
            for try await chunk in response.body { received += chunk.count }
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.response?.status == .ok && error?.response?.headers.count ?? 0 > 0)
        #expect(delivery.isAnnounced ? received == 0 : received <= 4999)
        await client.expectAtRest()
    }

    @Test("the limit of a call overrides the limit of its client, whether it is larger or smaller")
    func precedence() async throws {
        let server = try Self.server("200 OK", .onePacket)
        let client = Self.client(10)
        #expect(try await client.get(server.url(), options: .limit(body: 5000)).bytes().count == 5000)
        #expect(try await client.get(server.url("/b"), options: .limit(body: .max)).text() == "ok")
        let error = await failure { _ = try await client.get(server.url("/b"), options: .limit(body: 1)) }
        #expect(error?.limit?.description == "limit bodyLimit: 1 bytes, seen 2 bytes")
        #expect(server.connections == 1, "a refused body that has arrived completely leaves its connection reusable")
    }

    @Test("the error of the decoding limit has the head of the response")
    func decoding() async throws {
        let server = try Self.server("200 OK", .gzip)
        var configuration = HTTPClient.Configuration()
        configuration.limits.decodedBytes = 4999
        let error = await failure { _ = try await HTTPClient(configuration: configuration).get(server.url()).bytes() }
        #expect(error?.code == .limitExceeded && error?.limit?.name == "decodedBytes")
        #expect(error?.response?.headers["X-Why"] == "because")
    }

    @Test("the limit does not apply to the answer to a HEAD")
    func head() async throws {
        let server = try FaultServer { peer in
            while try await peer.connection.read(through: "\r\n\r\n") != nil {
                try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
            }
        }
        let client = Self.client(10)
        for _ in 0..<3 { #expect(try await client.head(server.url()).status == .ok) }
        #expect(server.connections == 1)
    }
}
