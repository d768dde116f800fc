import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@Suite("Extreme numbers in the framing of responses", .serialized, .timeLimit(.minutes(5)))
struct FramingNumberTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let resumable = "ETag: \"a\"\r\nAccept-Ranges: bytes\r\n"

    /// Each field that states a length, with each number, with and without content.
    static let answers: [String: [RawAnswer]] = [
        "Content-Length": ExtremeNumber.decimal.flatMap {
            RawAnswer.both(ok + resumable + "Content-Length: \($0)")
        },
        "a list of lengths": ExtremeNumber.decimal.flatMap { RawAnswer.both(ok + "Content-Length: \($0), \($0)") },
        "a coded length": ExtremeNumber.decimal.flatMap {
            RawAnswer.both(ok + "Content-Encoding: gzip\r\nContent-Length: \($0)")
        },
        "a chunk": ExtremeNumber.hexadecimal.flatMap {
            RawAnswer.both(
                ok + "Transfer-Encoding: chunked", content: "\($0)\r\n\(String(repeating: "x", count: 70))")
        },
        "a coded chunk": ExtremeNumber.hexadecimal.flatMap {
            RawAnswer.both(
                ok + "Content-Encoding: deflate\r\nTransfer-Encoding: chunked",
                content: "2\r\nab\r\n\($0)\r\n\(String(repeating: "x", count: 70))")
        },
        "Content-Range": ExtremeNumber.decimal.flatMap { number in
            ["\(number)-\(number)/\(number)", "0-\(number)/\(number)", "0-9/\(number)", "0-\(number)/*"].flatMap {
                RawAnswer.both(
                    "HTTP/1.1 206 Partial Content\r\n\(resumable)Content-Range: bytes \($0)\r\nContent-Length: 70")
            }
        },
        "an interim response": ExtremeNumber.decimal.flatMap {
            RawAnswer.both("HTTP/1.1 103 Early Hints\r\nContent-Length: \($0)\r\n\r\n\(ok)Content-Length: \($0)")
        },
        "a refusal": ExtremeNumber.decimal.flatMap {
            RawAnswer.both(
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: \($0)")
        },
        "a redirect": ExtremeNumber.decimal.flatMap {
            RawAnswer.both("HTTP/1.1 302 Found\r\nLocation: /none\r\nContent-Length: \($0)")
        },
        "a response without content": ExtremeNumber.decimal.flatMap {
            RawAnswer.both("HTTP/1.1 204 No Content\r\nContent-Length: \($0)", content: "")
        },
    ]

    @Test(
        "a response ends with its content or an error, however it is read",
        arguments: answers.keys.sorted(), ResponseReading.allCases)
    func survives(field: String, reading: ResponseReading) async throws {
        let scene = try NumberScene((Self.answers[field] ?? []).map { [$0] })
        let client = NumberScene.client()
        await scene.run("\(field), \(reading)") { try await reading.read($0, of: scene, by: client) }
        await client.expectAtRest()
    }

    @Test("a length above 2^62 is an error that names the field, and 2^62 is accepted")
    func bound() async throws {
        let numbers = [1 << 62, 1 << 62 + 1, Int.max - 64, Int.max]
        let heads =
            numbers.map { "Content-Length: \($0)\r\n\r\nx" }
            + numbers.map { "Transfer-Encoding: chunked\r\n\r\n\(String($0, radix: 16))\r\nx" }
        let scene = try NumberScene(heads.map { [RawAnswer(text: Self.ok + $0)] })
        let client = NumberScene.client()
        for index in 0..<scene.count {
            let error = await failure { _ = try await client.get(scene.url(index)).bytes() }
            let isTooLong = index % numbers.count > 0
            #expect((error?.code == .malformedResponse) == isTooLong, "\(index): \(error as Any)")
        }
    }

    @Test("a response over TLS with an extreme Content-Length ends with its content or an error")
    func overTLS() async throws {
        let server = try await RawServer.start(tls: TestTLS(Credentials.authority.get().issue())) { index in
            [
                .readRequestHead,
                .send(
                    "\(Self.ok)Content-Length: \(ExtremeNumber.decimal[index % ExtremeNumber.decimal.count])\r\n\r\nx"),
                .close,
            ]
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        for _ in ExtremeNumber.decimal {
            do { _ = try await client.get(server.url()).bytes() } catch {
                #expect(error.code != .timeout, "\(error)")
            }
        }
        await server.stop()
    }
}
