import Foundation
import Sockeye
import SockeyeTransfers
import Testing

@Suite(
    "httpbin: responses", .enabled(if: HTTPBinServer.isInstalled, "\(HTTPBinServer.missing)"), .timeLimit(.minutes(1)),
    .recordedAndReplayed)
struct HTTPBinResponseTests {
    let httpbin: HTTPBinServer
    let client = HTTPBinRun.client()

    init() throws {
        httpbin = try HTTPBinServer.shared.get()
    }

    @Test(
        "the client delivers every status",
        arguments: [200, 201, 202, 204, 226, 300, 304, 400, 401, 403, 404, 406, 410, 418, 429, 500, 502, 503, 599])
    func deliversStatus(code: Int) async throws {
        let response = try await client.get(httpbin.url("/status/\(code)"))
        #expect(response.status.code == code)
        _ = try await response.bytes()
        #expect(try await client.get(httpbin.url("/bytes/3")).bytes().count == 3)
    }

    @Test("the client decodes gzip and deflate", arguments: [("/gzip", "gzipped"), ("/deflate", "deflated")])
    func decodes(path: String, flag: String) async throws {
        let response = try await client.get(httpbin.url(path))
        #expect(response[.contentEncoding] == nil)
        let object = try JSONSerialization.jsonObject(with: Data(try await response.bytes())) as? [String: Any]
        #expect(object?[flag] as? Bool == true)
    }

    @Test("the client decodes brotli", .enabled(if: ContentCoding.brotli.isLinked, "libbrotli is not linked"))
    func decodesBrotli() async throws {
        let object = try await client.get(httpbin.url("/brotli"), as: JSONValue.self)
        #expect(object["brotli"] == true)
    }

    @Test(
        "an unlinked coding is neither requested nor decoded, and the JSON error says so",
        .enabled(if: !ContentCoding.brotli.isLinked, "libbrotli is linked"))
    func leavesBrotli() async throws {
        let echo = try await client.get(httpbin.url("/get"), as: Echo.self)
        #expect(echo.headers["Accept-Encoding"]?.contains("br") == false)
        // httpbin sends br although an Accept-Encoding without it forbids that (RFC 9110 12.5.3).
        let response = try await client.get(httpbin.url("/brotli"))
        #expect(response[.contentEncoding] == "br")
        #expect(try await !response.bytes().isEmpty)
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await client.get(httpbin.url("/brotli")).json([String: String].self)
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.message == "the body has a content coding that was not decoded")
    }

    @Test(
        "the client reads plain text",
        arguments: [("/deny", "YOU SHOULDN'T BE HERE"), ("/robots.txt", "Disallow: /deny")])
    func readsPlainText(path: String, text: String) async throws {
        let response = try await client.get(httpbin.url(path))
        #expect(response.contentType?.essence == "text/plain")
        #expect(try await response.text().contains(text))
    }

    @Test("the client reads a chunked body of JSON lines")
    func readsLines() async throws {
        let response = try await client.get(httpbin.url("/stream/20"))
        #expect(response[.transferEncoding] == "chunked")
        let lines = try await response.text().split(separator: "\n")
        #expect(lines.count == 20)
        for (number, line) in lines.enumerated() {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["id"] as? Int == number)
        }
    }

    @Test("the client reads bodies of every length", arguments: [0, 1, 1023, 65_536, 102_400])
    func readsBytes(count: Int) async throws {
        #expect(try await client.get(httpbin.url("/bytes/\(count)?seed=1")).bytes().count == count)
        let streamed = try await client.get(httpbin.url("/stream-bytes/\(count)?seed=1&chunk_size=777"))
        #expect(streamed[.transferEncoding] == "chunked")
        #expect(try await streamed.bytes().count == count)
    }

    @Test("the client reads a range that arrives slowly")
    func readsRange() async throws {
        let response = try await client.get(
            httpbin.url("/range/1024?chunk_size=100&duration=1"), headers: [.range: "bytes=10-300"])
        #expect(response.status == .partialContent)
        #expect(response[.contentRange] == "bytes 10-300/1024")
        #expect(try await response.text().hasPrefix("klmnop"))
    }

    /// For a range of the whole content httpbin answers 200 with Content-Range, where that field has no meaning (RFC
    /// 9110 14.4).
    @Test(
        "the client reads the ranges that it requests",
        arguments: [
            ("bytes=0-0", 206, "bytes 0-0/26", "a"), ("bytes=-3", 206, "bytes 23-25/26", "xyz"),
            ("bytes=24-", 206, "bytes 24-25/26", "yz"),
            ("bytes=0-25", 200, "bytes 0-25/26", "abcdefghijklmnopqrstuvwxyz"),
            ("bytes=26-", 416, "bytes */26", ""), ("bytes=5-3", 416, "bytes */26", ""),
        ])
    func readsRanges(range: String, status: Int, contentRange: String, text: String) async throws {
        let response = try await client.get(httpbin.url("/range/26"), headers: [.range: range])
        #expect(response.status.code == status && response[.contentRange] == contentRange)
        #expect(try await response.text() == text)
    }

    /// httpbin's entity tag has no quotes, which RFC 9110 8.8.3 requires, so downloads cannot be resumed with it.
    @Test("the client downloads a resource that supports ranges")
    func downloads() async throws {
        let folder = try Scratch.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try await client.download(httpbin.url("/range/102400?chunk_size=999"), to: .file(folder + "/file"))
            .value
        #expect(file.count == 102_400 && file.interruptions == 0)
        let content = try Data(contentsOf: URL(filePath: folder + "/file"))
        #expect(content.enumerated().allSatisfy { Int($1) == 97 + $0 % 26 })
    }

    @Test("the client delivers a dripping body piece by piece")
    func drips() async throws {
        // A machine that is busy for the whole dripping receives all pieces at once; then the test is repeated.
        for _ in 0..<5 {
            let response = try await client.get(httpbin.url("/drip?duration=1&numbytes=5&delay=0"))
            var pieces = 0
            for try await _ in response.body { pieces += 1 }
            if pieces > 1 { return }
        }
        Issue.record("the body always arrived in one piece")
    }

    @Test("the client delivers a dripping body whatever its status", arguments: [202, 404, 500])
    func drips(status: Int) async throws {
        let response = try await client.get(httpbin.url("/drip?duration=0.2&numbytes=5&delay=0.1&code=\(status)"))
        #expect(response.status.code == status && response.body.expectedLength == 5)
        #expect(try await response.text() == "*****")
    }

    @Test("the client ends a request whose answer takes longer than the head deadline")
    func timesOut() async throws {
        var timeouts = Timeouts()
        timeouts.head = .milliseconds(200)
        let client = HTTPBinRun.client(.init(timeouts: timeouts))
        let url = httpbin.url("/delay/3")
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .timeout)
        #expect(error?.phase == .head)
        if HTTPBinRun.isDirect { #expect(client.pool?.statistics.leased == 0) }
    }

    @Test("the client reads text in UTF-8")
    func readsText() async throws {
        let text = try await client.get(httpbin.url("/encoding/utf8")).text()
        let bytes = try await client.get(httpbin.url("/encoding/utf8")).bytes()
        #expect(String(validating: bytes, as: UTF8.self) == text)
        #expect(text.contains("\u{222E} E\u{22C5}da = Q"))
    }

    @Test(
        "the client reads images",
        arguments: [("png", [0x89, 0x50]), ("jpeg", [0xFF, 0xD8]), ("webp", [0x52, 0x49])])
    func readsImages(kind: String, signature: [UInt8]) async throws {
        let response = try await client.get(httpbin.url("/image/\(kind)"))
        #expect(response.contentType?.essence == "image/\(kind)")
        #expect(try await response.bytes().starts(with: signature))
    }

    @Test("the client keeps repeated fields apart")
    func keepsDuplicates() async throws {
        let response = try await client.get(httpbin.url("/response-headers?X-Twice=one&X-Twice=two&X-Once=1"))
        let values = response.headers.filter { $0.name.lowercased == "x-twice" }.map(\.value)
        #expect(values == ["one", "two"])
        #expect(response["X-Once"] == "1")
    }

    @Test("the client sends conditional requests")
    func validates() async throws {
        let fresh = try await client.get(httpbin.url("/etag/abc"))
        #expect(fresh["ETag"] == "abc" || fresh["ETag"] == "\"abc\"")
        let matched = try await client.get(httpbin.url("/etag/abc"), headers: [.ifNoneMatch: "\"abc\""])
        #expect(matched.status == .notModified)
        let failed = try await client.get(httpbin.url("/etag/abc"), headers: ["If-Match": "\"other\""])
        #expect(failed.status == .preconditionFailed)
        let cached = try await client.get(
            httpbin.url("/cache"), headers: ["If-Modified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"])
        #expect(cached.status == .notModified)
        let stated = try await client.get(httpbin.url("/cache/60"))
        #expect(stated["Cache-Control"] == "public, max-age=60")
    }

    @Test("the client reads pages of HTML and XML", arguments: [("/html", "text/html"), ("/xml", "application/xml")])
    func readsPages(path: String, type: String) async throws {
        let response = try await client.get(httpbin.url(path))
        #expect(response.contentType?.essence == type)
        #expect(try await !response.text().isEmpty)
    }
}
