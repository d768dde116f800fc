import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

@testable import SockeyeTransfers

@Suite("Downloads that are disturbed at random", .timeLimit(.minutes(5))) struct DownloadModelTests {
    /// The seeds; `SOCKEYE_DOWNLOAD_SEEDS` sets their number, default 20.
    private static let seeds: ClosedRange<UInt64> = {
        let count = ProcessInfo.processInfo.environment["SOCKEYE_DOWNLOAD_SEEDS"].flatMap { UInt64($0) }
        return 1...max(1, count ?? 20)
    }()

    @Test("pauses and cancellations lose no byte and leave no file", arguments: seeds)
    func disturbed(seed: UInt64) async throws {
        var model = try await DownloadModel(seed: seed)
        try await model.run()
    }

    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test("SIGKILL loses no written byte, and the remaining files can be removed", arguments: [1, 2])
    func killed(seed: UInt64) async throws {
        var random = Seeded(state: seed)
        let scene = try DownloadScene()
        let url = try await scene.resource.start([.honest])
        var reached = 0
        for _ in 0..<4 {
            let killed = KilledDownload(
                url: url, folder: scene.folder, writesBeforeKill: .random(in: 1...40, using: &random))
            let child = ChildProcess()
            await #expect(processExitsWith: .signal(SIGKILL), "\(child.report)") {
                [child = child as ChildProcess, killed = killed as KilledDownload] in
                await child.run(killed.run)
            }
            #expect(scene.content == nil && scene.names.count == 1 && scene.resource.requests.count > 0)
            let size = try #require(
                scene.names.first.flatMap { name in
                    try FileManager.default.attributesOfItem(atPath: "\(scene.folder)/\(name)")[.size] as? Int
                })
            #expect(size >= reached)
            reached = size
        }
        let killed = KilledDownload(url: url, folder: scene.folder, writesBeforeKill: 0)
        let data = try #require(killed.resumeData)
        defer { try? FileManager.default.removeItem(at: killed.state) }
        if seed == 1 {
            let file = try await scene.client.download(resuming: data, to: .file(scene.path)).value
            #expect(file.count == scene.resource.body.count)
        } else {
            // A program that has lost the resume data starts over and removes stale parts.
            _ = try await scene.client.download(url, to: .file(scene.path)).value
            #expect(scene.names.count == 2)
            let removed = try await ResumeData.removeStaleParts(beside: scene.path, olderThan: .zero)
            #expect(removed == [data.temporaryPath])
        }
        #expect(scene.content == scene.resource.body && scene.names == ["file.bin"])
        await scene.resource.stop()
    }
    #endif
}
