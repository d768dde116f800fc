import Foundation
import Sockeye
import Testing

@Suite(
    "httpbin: responses", .enabled(if: HTTPBinServer.isInstalled, "\(HTTPBinServer.missing)"), .timeLimit(.minutes(1)))
struct HTTPBinResponseTests {
    let httpbin: HTTPBinServer
    let client = HTTPClient()

    init() throws {
        httpbin = try HTTPBinServer.shared.get()
    }

    @Test(
        "delivers every status",
        arguments: [200, 201, 202, 204, 226, 300, 304, 400, 401, 403, 404, 406, 410, 418, 429, 500, 502, 503, 599])
    func deliversStatus(code: Int) async throws {
        let response = try await client.get(httpbin.url("/status/\(code)"))
        #expect(response.status.code == code)
        _ = try await response.bytes()
        #expect(try await client.get(httpbin.url("/bytes/3")).bytes().count == 3)
    }

    @Test("undoes gzip and deflate", arguments: [("/gzip", "gzipped"), ("/deflate", "deflated")])
    func decodes(path: String, flag: String) async throws {
        let response = try await client.get(httpbin.url(path))
        #expect(response[.contentEncoding] == nil)
        let object = try JSONSerialization.jsonObject(with: Data(try await response.bytes())) as? [String: Any]
        #expect(object?[flag] as? Bool == true)
    }

    @Test("hands out a coding that it did not ask for as it is")
    func leavesBrotli() async throws {
        let response = try await client.get(httpbin.url("/brotli"))
        #expect(response[.contentEncoding] == "br")
        #expect(try await !response.bytes().isEmpty)
    }

    @Test("reads JSON lines as they come")
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

    @Test("reads bodies of every length", arguments: [0, 1, 1023, 65_536, 102_400])
    func readsBytes(count: Int) async throws {
        #expect(try await client.get(httpbin.url("/bytes/\(count)?seed=1")).bytes().count == count)
        let streamed = try await client.get(httpbin.url("/stream-bytes/\(count)?seed=1&chunk_size=777"))
        #expect(try await streamed.bytes().count == count)
    }

    @Test("reads a range that comes slowly")
    func readsRange() async throws {
        let response = try await client.get(
            httpbin.url("/range/1024?chunk_size=100&duration=1"), headers: [.range: "bytes=10-300"])
        #expect(response.status == .partialContent)
        #expect(response[.contentRange] == "bytes 10-300/1024")
        #expect(try await response.text().hasPrefix("klmnop"))
    }

    @Test("delivers a dripping body piece by piece")
    func drips() async throws {
        let response = try await client.get(httpbin.url("/drip?duration=1&numbytes=5&delay=0"))
        var pieces = 0
        for try await _ in response.body { pieces += 1 }
        #expect(pieces > 1)
    }

    @Test("gives up an answer that takes longer than the deadline allows")
    func timesOut() async throws {
        var timeouts = Timeouts()
        timeouts.head = .milliseconds(200)
        let client = HTTPClient(configuration: .init(timeouts: timeouts))
        let url = httpbin.url("/delay/3")
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .timeout)
        #expect(error?.phase == .head)
        #expect(await client.poolStatistics()?.leased == 0)
    }

    @Test("reads text in UTF-8")
    func readsText() async throws {
        let text = try await client.get(httpbin.url("/encoding/utf8")).text()
        let bytes = try await client.get(httpbin.url("/encoding/utf8")).bytes()
        #expect(String(validating: bytes, as: UTF8.self) == text)
        #expect(text.contains("\u{222E} E\u{22C5}da = Q"))
    }

    @Test("reads images", arguments: [("png", [0x89, 0x50]), ("jpeg", [0xFF, 0xD8]), ("webp", [0x52, 0x49])])
    func readsImages(kind: String, signature: [UInt8]) async throws {
        let response = try await client.get(httpbin.url("/image/\(kind)"))
        #expect(response.contentType?.essence == "image/\(kind)")
        #expect(try await response.bytes().starts(with: signature))
    }

    @Test("keeps repeated fields apart")
    func keepsDuplicates() async throws {
        let response = try await client.get(httpbin.url("/response-headers?X-Twice=one&X-Twice=two&X-Once=1"))
        let values = response.headers.filter { $0.name.canonicalName == "x-twice" }.map(\.value)
        #expect(values == ["one", "two"])
        #expect(response["X-Once"] == "1")
    }

    @Test("asks whether what it has is still good")
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

    @Test("reads pages of HTML and XML", arguments: [("/html", "text/html"), ("/xml", "application/xml")])
    func readsPages(path: String, type: String) async throws {
        let response = try await client.get(httpbin.url(path))
        #expect(response.contentType?.essence == type)
        #expect(try await !response.text().isEmpty)
    }
}
