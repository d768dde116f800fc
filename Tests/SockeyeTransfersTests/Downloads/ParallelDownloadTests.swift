import Foundation
import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Synchronization
import Testing

/// Downloads that fetch several parts at the same time.
@Suite("Downloads in parts", .timeLimit(.minutes(2)))
struct ParallelDownloadTests {
    private static let size = (4 << 20) + 3
    private static let content = Bytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) })

    /// The content as `Data`, which compares with memcmp(3). Comparing elements takes seconds in a debug build.
    private static let data = Data(content)

    /// False answers of a server to requests for parts.
    enum FalseAnswer: String, CaseIterable, Sendable {
        case whole, otherVersion, wholeOtherVersion, shifted, longer, wrongTotal, unsatisfied, missing, coded,
            noValidator, severalParts
    }

    /// Serves the content. If `answer` returns a response to a request for a part, it is sent instead.
    private func withServer(
        _ answer: @escaping @Sendable (TestRequest, Range<Int>) async throws -> TestServerResponse? = { _, _ in nil },
        _ body: (TestServer, Recorder<String>, _ folder: String) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ranges = Recorder<String>()
        try await withTestServer { request in
            ranges.append(request["Range"] ?? "-")
            if let range = Self.range(of: request), let answer = try await answer(request, range) { return answer }
            return .resource(Self.content, for: request, eTag: "\"v1\"")
        } run: { server in
            try await body(server, ranges, folder)
            // Every outcome leaves nothing but the file.
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.allSatisfy { $0 == "file" }, "\(left)")
        }
    }

    private static func range(of request: TestRequest) -> Range<Int>? {
        guard let ends = request["Range"]?.dropFirst("bytes=".count).split(separator: "-"), ends.count == 2,
            let first = Int(ends[0]), let last = Int(ends[1])
        else { return nil }
        return first..<last + 1
    }

    private static func sha256(_ bytes: Bytes) throws -> Checksum {
        let hash = try #require(IncrementalHash(.sha256))
        hash.update(bytes)
        return try #require(Checksum(.sha256, bytes: hash.finish()))
    }

    private func isComplete(_ path: String) -> Bool {
        FileManager.default.contents(atPath: path) == Self.data
    }

    @Test("each part is requested once, and progress counts all parts together", arguments: [2, 3, 4])
    func parts(count: Int) async throws {
        try await withServer { server, ranges, folder in
            var options = OutgoingRequest.Options.parallel(count)
            options.checksums = [try Self.sha256(Self.content)]
            let task = try HTTPClient().download(server.url(), to: .file(folder + "/file"), options: options)
            let file = try await task.value
            #expect(file.count == Self.size && file.interruptions == 0 && isComplete(folder + "/file"))
            #expect(ranges.values.count == count && ranges.values.filter { $0 == "-" }.count == 1)
            #expect(task.progress.current.completed == Self.size && task.progress.current.total == Self.size)
        }
    }

    @Test("the total deadline ends a download in parts that is or was paused", arguments: [false, true])
    func totalDeadline(isResumed: Bool) async throws {
        let asked = TestSignal()
        try await withServer { _, _ in
            asked.fire()
            return .never
        } _: { server, _, folder in
            let clock = ManualClock()
            let task = try HTTPClient(clock: clock).download(
                server.url(), to: .file(folder + "/file"), options: .parallel(2).timeout(total: .seconds(10)))
            try await asked.wait(timeout: .seconds(20))
            await task.pause()
            if isResumed { await task.resume() }
            clock.advance(by: .seconds(10))
            await eventually("the task ends", within: .seconds(10)) { await task.state == .ended }
            await task.cancel()
            #expect(task.error?.code == .timeout, "\(String(describing: task.error))")
            await task.error?.resumeData?.discard()
        }
    }

    @Test(
        "after a wrong answer the file is fetched in one piece instead of parts",
        arguments: FalseAnswer.allCases)
    func falseAnswers(kind: FalseAnswer) async throws {
        try await withServer { request, range in
            // The second part, which is the first one requested with a range, gets a correct answer.
            guard range.lowerBound > 2 << 20 else { return nil }
            return Self.answer(kind, range)
        } _: { server, ranges, folder in
            let task = try HTTPClient().download(server.url(), to: .file(folder + "/file"), options: .parallel(4))
            let file = try await task.value
            #expect(file.count == Self.size && isComplete(folder + "/file"))
            // After the wrong answer no part is requested again. At most one more request fetches the rest of the file.
            #expect(ranges.values.count <= 5)
        }
    }

    private static func answer(_ kind: FalseAnswer, _ range: Range<Int>) -> TestServerResponse {
        let other = Bytes([UInt8](repeating: 9, count: range.count))
        func part(
            _ place: Range<Int>? = nil, total: Int = size, eTag: String? = "\"v1\"", type: String = "a/b",
            coding: String? = nil
        ) -> TestServerResponse {
            let place = place ?? range
            var headers: Headers = ["Content-Range": "bytes \(place.lowerBound)-\(place.upperBound - 1)/\(total)"]
            if let eTag { headers["ETag"] = eTag }
            if let coding { headers["Content-Encoding"] = coding }
            return .bytes(
                other.slice(0..<min(place.count, other.count)), contentType: type, status: 206, headers: headers)
        }
        return switch kind {
        case .whole: .bytes(content, headers: ["ETag": "\"v1\"", "Accept-Ranges": "bytes"])
        case .otherVersion: part(eTag: "\"v2\"")
        case .wholeOtherVersion: .bytes(other, headers: ["ETag": "\"v2\"", "Accept-Ranges": "bytes"])
        case .shifted: part(range.lowerBound - 1..<range.upperBound - 1)
        case .longer: part(range.lowerBound..<range.upperBound + 1)
        case .wrongTotal: part(total: size + 1)
        case .unsatisfied: .status(416, headers: ["Content-Range": "bytes */\(size)"])
        case .missing: .status(404)
        case .coded: part(coding: "gzip")
        case .noValidator: part(eTag: nil)
        case .severalParts: part(type: "multipart/byteranges; boundary=x")
        }
    }

    @Test("parts that break off or get a 503 are requested again from where they stopped")
    func breakingOff() async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let seen = Mutex<Set<Int>>([])
        try await withTestServer { request, responder in
            let range = Self.range(of: request)
            let isFirst = seen.withLock { $0.insert(range?.upperBound ?? 0).inserted }
            guard isFirst else {
                return try await responder.send(.resource(Self.content, for: request, eTag: "\"v1\""))
            }
            if range?.upperBound == Self.size { return try await responder.send(.status(503)) }
            let (start, end) = (range?.lowerBound ?? 0, range?.upperBound ?? Self.size)
            var headers: Headers = ["ETag": "\"v1\"", "Accept-Ranges": "bytes"]
            if range != nil { headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(Self.size)" }
            try await responder.sendHead(range == nil ? .ok : .partialContent, headers: headers, length: end - start)
            try await responder.write(Self.content.slice(start..<start + 100_000))
            responder.close()
        } run: { server in
            let task = try HTTPClient().download(server.url(), to: .file(folder + "/file"), options: .parallel(3))
            let file = try await task.value
            #expect(file.count == Self.size && isComplete(folder + "/file") && file.interruptions == 4)
        }
    }

    @Test(
        "a first response that does not allow parts is fetched in one piece",
        arguments: ["none", "weak", "chunked", "small"])
    func unsuited(kind: String) async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withTestServer { _ in
            let content = kind == "small" ? Self.content.slice(0..<1 << 20) : Self.content
            let headers: Headers = [
                "ETag": kind == "weak" ? "W/\"1\"" : "\"1\"", "Accept-Ranges": kind == "none" ? "none" : "bytes",
            ]
            return kind == "chunked"
                ? .stream(Elements([content]), headers: headers) : .bytes(content, headers: headers)
        } run: { server in
            let file = try await HTTPClient().download(server.url(), to: .file(folder + "/file"), options: .parallel(4))
                .value
            #expect(file.count == (kind == "small" ? 1 << 20 : Self.size) && server.activity.requests == 1)
        }
    }

    @Test("the parts of a file with a wrong checksum are discarded")
    func digest() async throws {
        try await withServer { server, _, folder in
            var options = OutgoingRequest.Options.parallel(4)
            options.checksums = [try Self.sha256(Bytes("other"))]
            let task = try HTTPClient().download(server.url(), to: .file(folder + "/file"), options: options)
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .checksumMismatch && error?.resumeData == nil)
        }
    }

    /// Runs a server that holds back the rest of each part after 500,000 bytes until the signal.
    private func withHeldServer(
        _ body: (TestServer, TestSignal, String) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let release = TestSignal()
        try await withTestServer { request, responder in
            let asked = request["Range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
            let (start, end) = (asked.first ?? 0, asked.count == 2 ? asked[1] + 1 : Self.size)
            var headers: Headers = ["ETag": "\"v1\"", "Accept-Ranges": "bytes"]
            if !asked.isEmpty { headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(Self.size)" }
            try await responder.sendHead(asked.isEmpty ? .ok : .partialContent, headers: headers, length: end - start)
            let half = start + 500_000
            try await responder.write(Self.content.slice(start..<half))
            try await release.wait()
            try await responder.write(Self.content.slice(half..<end))
            try await responder.finish()
        } run: { server in
            try await body(server, release, folder + "/file")
            _ = server.takeFailures()
        }
    }

    @Test("a paused download keeps the connections of its parts and continues")
    func pausing() async throws {
        try await withHeldServer { server, release, path in
            let client = HTTPClient()
            let task = try client.download(server.url(), to: .file(path), options: .parallel(4))
            for await progress in task.progress where progress.completed >= 2_000_000 { break }
            await task.pause()
            release.fire()
            #expect(await task.state == .paused)
            #expect(client.pool?.statistics.leased == 4)
            await task.resume()
            let received = try await task.value.count
            #expect(received == Self.size && isComplete(path))
            #expect(server.activity.requests == 4)
        }
    }

    @Test("a cancelled download keeps its contiguous start, and another task resumes it")
    func cancelling() async throws {
        try await withHeldServer { server, release, path in
            let task = try HTTPClient().download(server.url(), to: .file(path), options: .parallel(4))
            for await progress in task.progress where progress.completed >= 2_000_000 { break }
            #expect(task.resumeData?.bytesWritten == 500_000)
            let data = try #require(await task.cancelProducingResumeData())
            #expect(data.bytesWritten == 500_000 && data.totalBytes == Self.size)
            let archived = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(data))
            #expect(archived == data)
            release.fire()
            let monitor = Monitor()
            let again = try HTTPClient().monitored(by: monitor).download(resuming: archived, to: .file(path))
            let received = try await again.value.count
            #expect(received == Self.size && isComplete(path))
            #expect(monitor.offsets.values == [500_000])
        }
    }

    private final class Monitor: EventMonitor {
        let offsets = Recorder<Int>()
        func handle(_ event: ClientEvent) {
            if case .downloadResumed(let resumption) = event { offsets.append(resumption.offset) }
        }
    }

    /// A server's rate limit per connection applies to each part separately, because the parts have separate
    /// connections.
    @Test("the parts are fetched at the same time", .timeLimit(.minutes(1)))
    func atTheSameTime() async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let begun = Mutex(0)
        let all = TestSignal()
        try await withTestServer { request in
            let resource = TestServerResponse.resource(Self.content, for: request, eTag: "\"v1\"")
            let range = Self.range(of: request) ?? 0..<Self.size
            // No part sends content before all four were requested.
            let pieces = AsyncThrowingStream<Bytes, any Error> { continuation in
                let task = Task {
                    try await all.wait(timeout: .seconds(30))
                    continuation.yield(Self.content.slice(range))
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
            let isLast = begun.withLock { count in
                count += 1
                return count == 4
            }
            if isLast { all.fire() }
            return .stream(pieces, length: range.count, status: resource.status.code, headers: resource.headers)
        } run: { server in
            let task = try HTTPClient().download(server.url(), to: .file(folder + "/file"), options: .parallel(4))
            #expect(try await task.value.count == Self.size)
            #expect(isComplete(folder + "/file") && begun.withLock { $0 } == 4)
            // The client stops reading the first response after the first part. The server may notice that only after
            // the end of the download.
            await server.stop()
            _ = server.takeFailures()
        }
    }
}
