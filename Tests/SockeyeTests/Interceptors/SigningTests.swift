import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Request signing", .timeLimit(.minutes(1)))
struct SigningTests {
    private struct NoKey: Error {}

    private let url = "http://a.example/"

    /// Signs with the length and a checksum of the content.
    private static let signing: SigningInterceptor = .signing { request, content in
        let sum = try await content.reduce(into: (0, 0)) { sum, piece in
            for byte in piece { sum = (sum.0 + 1, sum.1 &* 31 &+ Int(byte)) }
        }
        request.headers["X-Signature"] = "\(sum.0) \(sum.1) \(content.bytes.map { "\($0.count)" } ?? "-")"
    }

    private static func signature(_ bytes: [UInt8], inMemory: Bool = true) -> String {
        let sum = bytes.reduce(0) { $0 &* 31 &+ Int($1) }
        return "\(bytes.count) \(sum) \(inMemory ? "\(bytes.count)" : "-")"
    }

    @Test("a signer sees content in memory, and empty content without a body")
    func memory() async throws {
        let mock = MockTransport { request in .ok(request["X-Signature"] ?? "none") }
        let client = HTTPClient(transport: mock).adding(Self.signing)
        #expect(try await client.put(url, .bytes([1, 2, 3])).text() == Self.signature([1, 2, 3]))
        #expect(try await client.get(url).text() == Self.signature([]))
    }

    @Test("a signer reads files and replayable streams, and they are still sent whole")
    func produced() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "signed-\(UUID())").path()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(content).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await withTestServer { request in
            let body = try await request.body.collect()
            return .ok("\(request["X-Signature"] ?? "none"), \(Self.signature(Array(body)))")
        } run: { server in
            let client = HTTPClient().adding(Self.signing)
            let expected = Self.signature(content, inMemory: false) + ", " + Self.signature(content)
            let file = try await client.put(server.url(), .file(path)).text()
            #expect(file == expected)
            let stream = OutgoingRequest.Body.stream(makingEach: { Elements([content]) })
            let streamed = try await client.put(server.url(), .body(stream)).text()
            #expect(streamed == expected)
        }
    }

    @Test("a signer cannot read a one-shot stream, but can leave it unread")
    func oneShot() async throws {
        let mock = MockTransport { request in .ok("\(request.body.count)") }
        let body = OutgoingRequest.Body.stream(Elements([[1, 2] as [UInt8]]))
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient(transport: mock).adding(Self.signing).put(url, .body(body))
        }
        #expect(error?.code == .invalidRequest)
        #expect(mock.requests.isEmpty)
        let modest: SigningInterceptor = .signing { request, content in
            request.headers["X-Signature"] = content.isReadable ? "whole" : "UNSIGNED-PAYLOAD"
        }
        #expect(try await HTTPClient(transport: mock).adding(modest).put(url, .body(body)).text() == "2")
        #expect(mock.requests.map { $0["X-Signature"] } == ["UNSIGNED-PAYLOAD"])
    }

    @Test("a signer runs again for every attempt, on the final fields")
    func attempts() async throws {
        let mock = MockTransport()
        mock.enqueue(.status(503), .redirect(to: "/next"), .ok())
        let counter = Recorder<Int>()
        let client = HTTPClient(transport: mock).adding(.retry(.plain())).adding(
            .signing { request, _ in
                counter.append(1)
                request.headers["X-Signature"] = "\(counter.values.count) \(request.headers["X-Tenant"] ?? "")"
            }
        ).adding(.setting("X-Tenant", to: "a"))
        _ = try await client.get(url)
        #expect(mock.requests.map { $0["X-Signature"] } == ["1 a", "2 a", "3 a"])
    }

    @Test("an error of a signer fails the call")
    func throwing() async throws {
        let client = HTTPClient(transport: MockTransport()).adding(.signing { _, _ in throw NoKey() })
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .interceptorFailed)
        #expect(error?.underlying is NoKey)
    }

    @Test("no byte of a signature reaches another origin unless allowed", arguments: [false, true])
    func origins(crossing: Bool) async throws {
        let second = try await TestServer.start { request in .ok(String(decoding: request.headBytes, as: UTF8.self)) }
        let tries = Recorder<Int>()
        let first = try await TestServer.start { request in
            tries.append(1)
            return tries.values.count == 1 ? .status(503) : .redirect(to: second.url("/there"))
        }
        let client = HTTPClient().adding(.retry(.plain())).adding(
            .signing(crossingOrigins: crossing) { request, _ in request.headers["X-Signature"] = "s1gned" })
        let seen = try await client.get(first.url()).text()
        #expect(seen.contains("s1gned") == crossing, "\(seen)")
        #expect(seen.hasPrefix("GET /there "))
        await first.stop()
        await second.stop()
    }
}
