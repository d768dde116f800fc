import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

@testable import SockeyeTransfers

/// A disk or file server that does not answer for a long time. More transfers wait for it than the cooperative pool has
/// threads, and all other work continues.
@Suite("Slow disks", .serialized, .timeLimit(.minutes(3))) struct SlowDiskTests {
    enum Work: CaseIterable {
        case shortUpload, upload, uploadOverTLS, download
    }

    private static let transfers = 2 * ProcessInfo.processInfo.activeProcessorCount + 8
    private static let requests = 1000

    private func server(_ work: Work) async throws -> TestServer {
        let tls = work == .uploadOverTLS ? try TestTLS(Credentials.authority.get()) : nil
        return try await TestServer.start(tls: tls) { request in
            if request.method == .get { return .bytes(FaultyResource.pattern) }
            var position = 0
            for try await piece in request.body {
                guard TestPattern.matches(piece, at: position) else { return .status(400) }
                position += piece.count
            }
            return .ok("\(position)")
        }
    }

    @Test("a slow disk delays only its own transfers", arguments: Work.allCases)
    func holdsUp(work: Work) async throws {
        let disk = SlowDisk()
        let server = try await server(work)
        let client = HTTPClient(configuration: try Credentials.configuration())
        let file = try SentFile(pattern: work == .shortUpload ? 1000 : 700_000)
        let scene = try DownloadScene(client: client)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<Self.transfers {
                group.addTask {
                    guard work == .download else {
                        let body = try OutgoingRequest.Body.file(file.path, calls: disk.calls)
                        return try await client.put(server.url(), .body(body)).text() == "\(file.count)"
                    }
                    let path = "\(scene.folder)/\(number)"
                    var settings = DownloadSettings(destination: .file(path))
                    settings.fileCalls = disk.calls
                    _ = try await ResumableDownload(client, try OutgoingRequest(url: server.url()), settings).run()
                    return FileManager.default.contents(atPath: path).map { Bytes($0) } == FaultyResource.pattern
                }
            }
            await eventually("transfers that wait for the disk") { disk.callCount >= 8 }
            // If a transfer blocked a thread of the cooperative pool, soon all threads would be blocked.
            try await others()
            disk.wake()
            for try await isRight in group { #expect(isRight) }
        }
        await server.stop()
    }

    @Test("a slow removal of temporary files delays only their downloads", arguments: [true, false])
    func removal(isStartedOver: Bool) async throws {
        let disk = SlowDisk()
        let scene = try DownloadScene()
        // Without a validator, a download that breaks off starts over with a new file.
        let cut = FaultyResource.Answer.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", Bytes("abc"))
        let cuts = isStartedOver ? [FaultyResource.Answer](repeating: cut, count: Self.transfers) : []
        let url = try await scene.resource.start(cuts + [.honest])
        let wrong = try Checksum.sha256(String(repeating: "0", count: 64))
        try await withThrowingTaskGroup(of: SockeyeError?.self) { group in
            for number in 0..<Self.transfers {
                group.addTask {
                    await failure {
                        _ = try await scene.run(url) { settings in
                            settings.destination = .file("\(scene.folder)/\(number)")
                            settings.fileCalls = disk.slowRemoval
                            settings.options.checksums = [wrong]
                        }
                    }
                }
            }
            await eventually("removals that wait for the disk") { disk.callCount >= 2 }
            try await others()
            disk.wake()
            for try await error in group { #expect(error?.code == .checksumMismatch) }
        }
        #expect(scene.names == [])
        await scene.resource.stop()
    }

    @Test("a cancelled download ends although the removal of its temporary file hangs")
    func hangingRemoval() async throws {
        let disk = SlowDisk()
        let scene = try DownloadScene()
        // Without a validator, the bytes cannot be kept for another download.
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"
        let url = try await scene.resource.start([.raw(head) { try await $0.waitForDisconnect() }])
        let task = Task {
            await failure { _ = try await scene.run(url) { $0.fileCalls = disk.slowRemoval } }
        }
        await eventually("the temporary file") { scene.names.count == 1 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(disk.callCount == 1 && scene.names.count == 1)
        disk.wake()
        await eventually("the temporary file is removed") { scene.names == [] }
        await scene.resource.stop()
    }

    /// Sends requests that do not use the disk, sixteen at a time.
    private func others() async throws {
        let server = try await TestServer.start { _ in .ok("ok") }
        let client = HTTPClient()
        let requests = [OutgoingRequest](repeating: try OutgoingRequest(url: server.url()), count: Self.requests)
        let values = try await client.batch(requests, atMost: 16, as: .text).values()
        #expect(values.count == Self.requests)
        await server.stop()
    }

    @Test("a slow disk does not delay the cancellation of its transfers", arguments: Work.allCases)
    func cancelled(work: Work) async throws {
        let disk = SlowDisk()
        let server = try await server(work)
        let client = HTTPClient(configuration: try Credentials.configuration())
        let file = try SentFile(pattern: work == .shortUpload ? 1000 : 700_000)
        let scene = try DownloadScene(client: client)
        let task = Task {
            await failure {
                guard work == .download else {
                    _ = try await client.put(server.url(), .body(.file(file.path, calls: disk.calls)))
                    return
                }
                _ = try await scene.run(server.url()) { $0.fileCalls = disk.calls }
            }
        }
        await eventually("a call to the disk") { disk.callCount > 0 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        disk.wake()
        #expect(scene.names == [])
        await server.stop()
    }

    @Test("the total deadline ends the wait for a slow disk, and the resume data has the written bytes")
    func deadline() async throws {
        let clock = ManualClock()
        let disk = SlowDisk()
        var calls = disk.calls
        unsafe calls.write = FileCalls.system.write
        let scene = try DownloadScene(client: HTTPClient(configuration: .init(), clock: clock))
        let url = try await scene.resource.start([.honest])
        let settings = calls
        let ended = Task {
            await failure {
                _ = try await scene.run(url, options: .timeout(total: .seconds(30))) { $0.fileCalls = settings }
            }
        }
        await eventually("a call to the disk") { disk.callCount > 0 }
        let error = try await clock.advancing(by: .seconds(31)) { await ended.value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.total" && error?.blame == .disk)
        #expect(error?.resumeData?.bytesWritten == scene.resource.body.count && scene.content == nil)
        disk.wake()
        await scene.resource.stop()
    }
}
