import Foundation
import Sockeye
import SockeyeCore
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeTransfers

/// Downloads of bodies to a file.
@Suite struct DownloadFileTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test(
        "download-08: cancel a download, then resume it", .timeLimit(.minutes(1)),
        arguments: ["\"v1\"", "\"v2\"", "gone"])
    func resumed(version: String) async throws {
        let whole = Bytes((0..<100_000).map { UInt8($0 % 253) })
        let log = RequestLog()
        let isSecond = Mutex(false)
        let server = try await TestServer.start { request, responder in
            try await log.take(request)
            guard isSecond.withLock({ $0 }) else {
                try await responder.sendHead(headers: [.eTag: "\"v1\""], length: whole.count)
                try await responder.write(whole.slice(0..<60_000))
                return try await responder.waitForDisconnect()
            }
            if version == "gone", request[.range] != nil {
                return try await responder.send(.status(416, headers: [.contentRange: "bytes */5"]))
            }
            try await responder.send(.resource(whole, for: request, eTag: version == "gone" ? "\"v3\"" : version))
        }
        try await withFolder { folder in
            let arrived = TestSignal()
            var settings = DownloadSettings(destination: .file(folder + "/file"))
            settings.onEvent = { if case .progress(60_000, _) = $0 { arrived.fire() } }
            let request = try OutgoingRequest(url: server.url())
            let task = Task { [settings] in try await ResumableDownload(HTTPClient(), request, settings).run() }
            try await arrived.wait(timeout: .seconds(20))
            task.cancel()
            let error = await failure { _ = try await task.value } as? SockeyeError
            #expect(error?.code == .cancelled)
            settings.resumeData = error?.resumeData
            isSecond.withLock { $0 = true }
            #expect(try await ResumableDownload(HTTPClient(), request, settings).run().count == whole.count)
            #expect(FileManager.default.contents(atPath: folder + "/file") == Data(whole))
        }
        let second = try #require(log.all.dropFirst().first)
        #expect(second.values("range") == ["bytes=60000-"] && second.values("if-range") == ["\"v1\""])
        #expect(log.all.count == (version == "gone" ? 3 : 2))
        await server.stop()
    }

    @Test(
        "download-09: download progress with and without Content-Length, and with gzip", .timeLimit(.minutes(1)),
        arguments: ["length", "chunked", "gzip"])
    func progress(kind: String) async throws {
        // "hello" as one gzip member.
        let coded = Bytes([
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ])
        let seen = Mutex<[(completed: Int, total: Int?)]>([])
        try await withTestServer { _ in
            switch kind {
            case "length": .source(length: 1_000_000)
            case "gzip": .bytes(coded).adding(.contentEncoding, "gzip")
            default:
                .stream(
                    AsyncStream { continuation in
                        for _ in 0..<100 { continuation.yield(TestPattern.bytes(at: 0, upTo: 10_000)) }
                        continuation.finish()
                    })
            }
        } run: { server in
            try await withFolder { folder in
                var settings = DownloadSettings(destination: .file(folder + "/file"))
                settings.onEvent = { event in
                    guard case .progress(let completed, let total) = event else { return }
                    seen.withLock { $0.append((completed, total)) }
                }
                var options = OutgoingRequest.Options()
                options.decompresses = kind == "gzip"
                let request = try OutgoingRequest(url: server.url(), options: options)
                let result = try await ResumableDownload(HTTPClient(), request, settings).run()
                let reports = seen.withLock { $0 }
                #expect(reports.map(\.completed) == reports.map(\.completed).sorted())
                #expect(reports.last?.completed == result.count)
                // Progress counts written bytes, so the total of coded content is unknown.
                #expect(result.count == (kind == "gzip" ? 5 : 1_000_000))
                #expect(reports.allSatisfy { $0.total == (kind == "length" ? 1_000_000 : nil) })
            }
        }
    }
}
