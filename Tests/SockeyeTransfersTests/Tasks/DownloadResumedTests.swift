import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Synchronization
import Testing

/// Events and progress of a download that continues.
@Suite("Resumptions of downloads", .timeLimit(.minutes(1)))
struct DownloadResumedTests {
    private final class Monitor: EventMonitor {
        let resumed = Recorder<String>()

        func handle(_ event: ClientEvent) {
            guard case .downloadResumed(let resumption) = event else { return }
            resumed.append("\(resumption.task.id) at \(resumption.offset) of \(resumption.total ?? -1)")
        }
    }

    private static let content = Bytes((0..<100_000).map { UInt8(truncatingIfNeeded: $0 % 251) })

    /// The first response breaks off after 40,000 bytes. If `changing`, later ones have another entity tag.
    private func withBreakingServer(
        changing: Bool = false, _ body: (TestServer, Monitor, HTTPClient, String) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let requests = Atomic(0)
        try await withTestServer { request, responder in
            let number = requests.wrappingAdd(1, ordering: .relaxed).newValue
            guard number == 1 else {
                return try await responder.send(
                    .resource(Self.content, for: request, eTag: changing ? "\"v2\"" : "\"v1\""))
            }
            try await responder.sendHead(
                headers: ["ETag": "\"v1\"", "Accept-Ranges": "bytes"], length: Self.content.count)
            try await responder.write(Self.content.slice(0..<40_000))
            responder.close()
        } run: { server in
            let monitor = Monitor()
            try await body(server, monitor, HTTPClient().monitored(by: monitor), folder + "/file")
        }
    }

    @Test("a resumption is reported with offset and total, and progress has its offset")
    func resumed() async throws {
        try await withBreakingServer { server, monitor, client, path in
            let task = try client.download(server.url(), to: .file(path))
            let outcome = try await task.value.interruptions
            #expect(outcome == 1)
            #expect(monitor.resumed.values == ["\(task.id) at 40000 of 100000"])
            #expect(task.progress.current.resumedAt == 40_000 && task.progress.current.completed == 100_000)
        }
    }

    @Test("no resumption is reported if the server sends the whole file again")
    func startedOver() async throws {
        try await withBreakingServer(changing: true) { server, monitor, client, path in
            let task = try client.download(server.url(), to: .file(path))
            let written = try await task.value.count
            #expect(written == 100_000)
            #expect(monitor.resumed.values.isEmpty && task.progress.current.resumedAt == nil)
        }
    }

    @Test("a resumption by another task is reported with offset and total")
    func otherTask() async throws {
        try await withBreakingServer { server, monitor, client, path in
            var options = OutgoingRequest.Options()
            options.maximumResumes = 0
            let first = try client.download(server.url(), to: .file(path), options: options)
            let error = await #expect(throws: SockeyeError.self) { try await first.value }
            let second = try client.download(resuming: try #require(error?.resumeData), to: .file(path))
            let written = try await second.value.count
            #expect(written == 100_000)
            #expect(monitor.resumed.values == ["\(second.id) at 40000 of 100000"])
        }
    }
}
