import Sockeye
import SockeyeCore
import SockeyeTesting
import SockeyeTransfers
import Testing

@Suite("Extreme numbers in the answers to a download", .serialized, .timeLimit(.minutes(5)))
struct ResumeNumberTests {
    /// Returns pairs of answers: the first one breaks off after ten bytes, and the second one lies about the rest.
    private static func answers(_ number: String) -> [[RawAnswer]] {
        let fields = "ETag: \"a\"\r\nAccept-Ranges: bytes\r\n"
        let start = RawAnswer(text: "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 20\r\n\r\n0123456789")
        let ranges = [
            "bytes 10-\(number)/20", "bytes 10-19/\(number)", "bytes \(number)-19/20", "bytes 10-\(number)/*",
            "bytes \(number)-\(number)/\(number)",
        ]
        let parts = ranges.flatMap { range in
            ["10", number].map { length in
                "HTTP/1.1 206 Partial Content\r\n\(fields)Content-Range: \(range)\r\nContent-Length: \(length)\r\n\r\n"
            }
        }
        let others = [
            "HTTP/1.1 416 Range Not Satisfiable\r\n\(fields)Content-Range: bytes */\(number)\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(number)\r\n\r\n",
        ]
        let second = (parts + others).map { [start, RawAnswer(text: $0 + "abcdefghij")] }
        // Finally, a first answer with a false length.
        let first = RawAnswer(text: "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(number)\r\n\r\n0123456789")
        return second + [[first, RawAnswer(text: parts[0] + "abcdefghij")]]
    }

    @Test(
        "a resumed download ends with the bytes of one version or with an error", arguments: ExtremeNumber.decimal)
    func resumes(number: String) async throws {
        let scene = try NumberScene(Self.answers(number))
        let client = NumberScene.client()
        await scene.run(number) { index in
            let download = try DownloadScene(client: client)
            _ = try await download.run(scene.url(index)) { $0.options.maximumResumes = 1 }
            // Twenty bytes, unless the server announced fewer from the start.
            let count = download.content?.count ?? 0
            #expect(count == 20 || index == scene.count - 1, "\(number), answer \(index): \(count) bytes")
        }
    }

    @Test(
        "a download in parts of an extreme length ends with an error", arguments: [1 << 31, 1 << 53, 1 << 62, Int.max])
    func parts(total: Int) async throws {
        let fields = "ETag: \"a\"\r\nAccept-Ranges: bytes\r\n"
        let scene = try NumberScene([
            [RawAnswer(text: "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(total)\r\n\r\n0123456789")]
        ])
        let client = NumberScene.client()
        await scene.run("\(total)") { index in
            let download = try DownloadScene(client: client)
            _ = try await download.run(scene.url(index)) { settings in
                settings.options.parallelParts = 16
                settings.options.maximumResumes = 1
            }
            Issue.record("a download of \(total) bytes succeeded with ten")
        }
    }
}
