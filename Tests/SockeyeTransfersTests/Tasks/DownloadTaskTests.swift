import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

@Suite("Download tasks", .timeLimit(.minutes(1))) struct DownloadTaskTests {
    private static let size = 4 << 20
    private static let content = Bytes(repeating: Array(0..<251), count: size)
    private enum TagKey: OutgoingRequest.ContextKey { typealias Value = String }

    private struct ContextInterceptor: Interceptor {
        let seen: Recorder<String?>

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            seen.append(request.options.context[TagKey.self])
            return try await call.proceed(request)
        }
    }

    /// Runs a server of a file with a strong validator. The server sends the rest after the first megabyte only when
    /// the signal is fired.
    private func withSlowFile(
        _ body: (TestServer, TestSignal, Recorder<String>, String) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let release = TestSignal()
        let ranges = Recorder<String>()
        try await withTestServer { request in
            ranges.append(request["Range"] ?? "-")
            let start = request["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            var headers: Headers = ["ETag": "\"v1\"", "Accept-Ranges": "bytes"]
            if start > 0 { headers[.contentRange] = "bytes \(start)-\(Self.size - 1)/\(Self.size)" }
            let pieces = AsyncThrowingStream<Bytes, any Error> { continuation in
                let task = Task {
                    var offset = start
                    while offset < Self.size {
                        if offset >= 1 << 20 { try await release.wait(timeout: .seconds(20)) }
                        let count = min(64 << 10, Self.size - offset)
                        continuation.yield(Self.content.slice(offset..<offset + count))
                        offset += count
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
            return .stream(pieces, length: Self.size - start, status: start > 0 ? 206 : 200, headers: headers)
        } run: { server in
            try await body(server, release, ranges, folder + "/file.bin")
        }
    }

    private func isComplete(_ path: String) -> Bool {
        FileManager.default.contents(atPath: path) == Data(Self.content)
    }

    private func wait(for bytes: Int, _ task: DownloadTask) async {
        for await progress in task.progress where progress.completed >= bytes { return }
    }

    @Test("a download ends with a file and progress up to its last byte")
    func file() async throws {
        try await withSlowFile { server, release, _, path in
            release.fire()
            let task = try HTTPClient().download(server.url(), to: .file(path))
            var last: TransferProgress?
            for await progress in task.progress { last = progress }
            let file = try await task.value
            #expect(file.path == path && file.count == Self.size && file.interruptions == 0)
            #expect(last?.completed == Self.size && last?.total == Self.size)
            #expect(isComplete(path))
            #expect(task.kind == .download)
            #expect(task.metrics?.exchanges.count == 1)
        }
    }

    @Test("a paused download releases its connection and continues with a range")
    func pausing() async throws {
        try await withSlowFile { server, release, ranges, path in
            let seen = Recorder<String?>()
            let client = HTTPClient().adding(ContextInterceptor(seen: seen))
            let task = try client.download(server.url(), to: .file(path), options: .context(TagKey.self, "tag"))
            await wait(for: 1 << 20, task)
            await task.pause()
            #expect(await task.state == .paused)
            while client.pool?.statistics.leased != 0 { await Task.yield() }
            release.fire()
            await task.resume()
            _ = try await task.value
            #expect(isComplete(path))
            #expect(ranges.values == ["-", "bytes=\(1 << 20)-"])
            #expect(seen.values == ["tag", "tag"])
            #expect(task.context[TagKey.self] == "tag")
        }
    }

    @Test("a download paused before its first byte starts over")
    func pausedEarly() async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let requests = Recorder<String>()
        let server = try await TestServer.start { request, responder in
            requests.append(request["Range"] ?? "-")
            try await responder.sendHead(headers: ["ETag": "\"v1\""], length: 5)
            if requests.values.count == 1 { return try await responder.waitForDisconnect() }
            try await responder.write("whole")
            try await responder.finish()
        }
        let task = try HTTPClient().download(server.url(), to: .file(folder + "/file.bin"))
        while task.resumeData == nil { await Task.yield() }
        await task.pause()
        try await server.wait { $0.openConnections == 0 }
        await task.resume()
        #expect(try await task.value.count == 5)
        #expect(requests.values == ["-", "-"])
        await server.stop()
    }

    @Test("a download paused while it waits for the response head releases its connection when the head arrives")
    func pausedBeforeHead() async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (arrived, head) = (TestSignal(), TestSignal())
        let requests = Recorder<String>()
        let server = try await TestServer.start { request, responder in
            requests.append(request["Range"] ?? "-")
            arrived.fire()
            try await head.wait(timeout: .seconds(20))
            try await responder.sendHead(headers: ["ETag": "\"v1\""], length: 5)
            if requests.values.count == 1 { return try await responder.waitForDisconnect() }
            try await responder.write("whole")
            try await responder.finish()
        }
        let client = HTTPClient()
        let task = try client.download(server.url(), to: .file(folder + "/file.bin"))
        try await arrived.wait(timeout: .seconds(20))
        await task.pause()
        head.fire()
        await eventually("the connection is released", within: .seconds(20)) { client.pool?.statistics.leased == 0 }
        await task.resume()
        #expect(try await task.value.count == 5)
        #expect(requests.values == ["-", "-"])
        await server.stop()
    }

    @Test("a download paused and resumed many times loses nothing")
    func restless() async throws {
        try await withSlowFile { server, release, _, path in
            let task = try HTTPClient().download(server.url(), to: .file(path))
            await wait(for: 64 << 10, task)
            for _ in 0..<50 {
                await task.pause()
                await task.resume()
                await Task.yield()
            }
            release.fire()
            #expect(try await task.value.count == Self.size)
            #expect(isComplete(path))
        }
    }

    @Test("a cancelled download returns resume data that another client can use")
    func resumeData() async throws {
        try await withSlowFile { server, release, ranges, path in
            let task = try HTTPClient().download(server.url(), to: .file(path))
            await wait(for: 1 << 20, task)
            let resumeData = try #require(await task.cancelProducingResumeData())
            #expect(task.error?.code == .cancelled)
            #expect(!FileManager.default.fileExists(atPath: path))
            let archived = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(resumeData))
            release.fire()
            let file = try await HTTPClient().download(resuming: archived, to: .file(path)).value
            #expect(file.path == path)
            #expect(isComplete(path))
            #expect(ranges.values.last == "bytes=\(1 << 20)-")
        }
    }

    @Test("a download that is cancelled while it is paused returns resume data", arguments: [false, true])
    func cancelledAtRest(bySettling: Bool) async throws {
        try await withSlowFile { server, release, _, path in
            let seen = Recorder<String?>()
            let client = HTTPClient().adding(ContextInterceptor(seen: seen))
            let task = try client.download(server.url(), to: .file(path), options: .context(TagKey.self, "tag"))
            await wait(for: 1 << 20, task)
            await task.pause()
            if bySettling { while client.pool?.statistics.leased != 0 { await Task.yield() } }
            let resumeData = try #require(await task.cancelProducingResumeData())
            #expect(task.error?.code == .cancelled && task.resumeData == resumeData)
            #expect(resumeData.bytesWritten == 1 << 20 && task.error?.url == server.url())
            release.fire()
            _ = try await client.download(resuming: resumeData, to: .file(path)).value
            #expect(isComplete(path))
            let folder = URL(filePath: path).deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file.bin"])
        }
    }

    @Test("the resume data of a running download has the number of its bytes; a finished download has none")
    func runningResumeData() async throws {
        try await withSlowFile { server, release, _, path in
            let task = try HTTPClient().download(server.url(), to: .file(path))
            await wait(for: 1 << 20, task)
            #expect(task.resumeData?.bytesWritten == 1 << 20 && task.resumeData?.totalBytes == Self.size)
            release.fire()
            _ = try await task.value
            #expect(task.resumeData == nil)
        }
    }

    @Test("a resumed download can be paused again")
    func pausedAgain() async throws {
        try await withSlowFile { server, release, ranges, path in
            let client = HTTPClient()
            let first = try client.download(server.url(), to: .file(path))
            await wait(for: 1 << 20, first)
            let data = try #require(await first.cancelProducingResumeData())
            let second = try client.download(resuming: data, to: .file(path))
            while ranges.values.count < 2 || second.resumeData == nil { await Task.yield() }
            await second.pause()
            while client.pool?.statistics.leased != 0 { await Task.yield() }
            #expect(second.resumeData?.bytesWritten == 1 << 20)
            release.fire()
            await second.resume()
            _ = try await second.value
            #expect(isComplete(path))
            #expect(ranges.values == ["-", "bytes=\(1 << 20)-", "bytes=\(1 << 20)-"])
        }
    }

    @Test("the total deadline continues during a pause and after it", arguments: [false, true])
    func totalDeadline(isResumed: Bool) async throws {
        try await withSlowFile { server, release, ranges, path in
            let clock = ManualClock()
            let client = HTTPClient(clock: clock)
            let task = try client.download(server.url(), to: .file(path), options: .timeout(total: .seconds(10)))
            await eventually("a megabyte is received") { task.progress.current.completed == 1 << 20 }
            clock.advance(by: .seconds(5))
            await task.pause()
            await eventually("the connection is released") { client.pool?.statistics.leased == 0 }
            if isResumed {
                clock.advance(by: .seconds(3))
                await task.resume()
                await eventually("the rest is requested") { ranges.values.count == 2 }
                clock.advance(by: .seconds(2))
            } else {
                clock.advance(by: .seconds(5))
            }
            await eventually("the task ends", within: .seconds(10)) { await task.state == .ended }
            await task.cancel()
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .timeout && error?.limit?.name == "timeouts.total", "\(String(describing: error))")
            #expect(error?.resumeData?.bytesWritten == 1 << 20)
            release.fire()
            // The server finds the connections closed when it sends the rest.
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test("a download keeps the name that its closure decided, even after a pause")
    func decidedOnce() async throws {
        try await withSlowFile { server, release, ranges, path in
            let decisions = Recorder<Int>()
            let client = HTTPClient()
            let destination = DownloadDestination.decided { _ in
                decisions.append(1)
                return "\(path)-\(decisions.values.count)"
            }
            let task = try client.download(server.url(), to: destination)
            await wait(for: 1 << 20, task)
            await task.pause()
            while client.pool?.statistics.leased != 0 { await Task.yield() }
            release.fire()
            await task.resume()
            #expect(try await task.value.path == "\(path)-1")
            #expect(decisions.values.count == 1 && ranges.values.count == 2)
        }
    }

    @Test("a download that cannot be resumed keeps its connection during a pause")
    func unresumable() async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withTestServer { _ in
            .bytes(Bytes([UInt8](repeating: 9, count: 8 << 20)))
        } run: { server in
            let task = try HTTPClient().download(server.url(), to: .file(folder + "/file.bin"))
            await task.pause()
            await task.resume()
            let count = try await task.value.count
            #expect(count == 8 << 20)
            #expect(server.activity.requests == 1)
        }
    }

    @Test("a download cancelled before its response has no resume data")
    func nothing() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            let task = try HTTPClient().download(server.url(), to: "/nonexistent/file")
            #expect(await task.cancelProducingResumeData() == nil)
            #expect(task.error?.code == .cancelled)
        }
    }
}
