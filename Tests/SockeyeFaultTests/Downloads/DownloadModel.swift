import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeTransfers

/// A download that is randomly paused, resumed, cancelled and killed, over connections that randomly fail, until it is
/// complete. All choices follow from a seed.
struct DownloadModel {
    /// The next disturbance of the download.
    private enum Step: CaseIterable {
        case pause, pauseAndResume, cancel, cancelAtRest, finish
    }

    private let scene: DownloadScene
    private let url: String
    private var random: Seeded
    private(set) var steps: [String] = []

    init(seed: UInt64) async throws {
        random = Seeded(state: seed)
        scene = try DownloadScene()
        url = try await scene.resource.start(Self.answers(seed: seed))
    }

    /// Returns random answers; most of them fail at some point, like a connection with a loose cable.
    static func answers(seed: UInt64) -> [FaultyResource.Answer] {
        var random = Seeded(state: seed ^ 0xFA17)
        return (0..<200).map { _ in
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .honest
            case 1: .cut(after: Int.random(in: 0..<100_000, using: &random), .reset)
            case 2: .cut(after: Int.random(in: 0..<100_000, using: &random))
            default: .stalling(after: Int.random(in: 0..<150_000, using: &random))
            }
        } + [.honest]
    }

    /// Runs one download from start to end, with any number of restarts.
    mutating func run() async throws {
        var data: ResumeData?
        var lowest = 0
        while true {
            let task = try start(data)
            guard let next = try await disturb(task) else { break }
            data = next.data
            // Only bytes that were never written may be lost. The file may have more bytes than the resume data says,
            // because a write in progress at a pause continues.
            let size = try data.map { try Self.size(of: $0.temporaryPath) } ?? 0
            #expect(size >= max(lowest, next.seen), "\(steps)")
            lowest = size
            #expect(scene.names.count == (data == nil ? 0 : 1), "\(steps): \(scene.names)")
        }
        #expect(scene.content == scene.resource.body, "\(steps)")
        #expect(scene.names == ["file.bin"], "\(steps)")
        await scene.client.expectAtRest()
        await scene.resource.stop()
    }

    private static func size(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    private func start(_ data: ResumeData?) throws -> DownloadTask {
        // Another process would decode the archived data, so the data is encoded and decoded here.
        guard let data else { return try scene.client.download(url, to: .file(scene.path)) }
        let archived = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(data))
        return try scene.client.download(resuming: archived, to: .file(scene.path))
    }

    /// Disturbs a task until it ends; returns nil if the download is complete.
    private mutating func disturb(_ task: DownloadTask) async throws -> (data: ResumeData?, seen: Int)? {
        while true {
            let step = Step.allCases.randomElement(using: &random) ?? .finish
            let goal = Int.random(in: 0...scene.resource.body.count, using: &random)
            let seen = await progress(of: task, upTo: goal, patience: .random(in: 1...20, using: &random))
            steps.append("\(step) at \(seen)")
            switch step {
            case .pause:
                await task.pause()
                await rest()
                await task.resume()
            case .pauseAndResume:
                await task.pause()
                await task.resume()
            case .cancelAtRest:
                await task.pause()
                await rest()
                fallthrough
            case .cancel:
                let data = await task.cancelProducingResumeData()
                if task.error == nil { return nil }
                #expect(task.error?.code == .cancelled, "\(steps)")
                return (data, seen)
            case .finish:
                guard let ended = await outcome(of: task) else { continue }
                if case .success = ended { return nil }
                let data = task.error?.resumeData
                return (data, seen)
            }
        }
    }

    private mutating func rest() async {
        for _ in 0..<Int.random(in: 0...200, using: &random) { await Task.yield() }
    }

    /// Waits until `goal` bytes have arrived, or for `patience` milliseconds, because a connection may be stalled.
    private func progress(of task: DownloadTask, upTo goal: Int, patience: Int) async -> Int {
        let end = ContinuousClock.now + .milliseconds(patience)
        while task.progress.current.completed < goal, ContinuousClock.now < end, await task.state != .ended {
            try? await Task.sleep(for: .milliseconds(1))
        }
        return task.progress.current.completed
    }

    /// Returns the result of the task; nil if it does not end within 50 ms.
    private func outcome(of task: DownloadTask) async -> Result<DownloadedFile, SockeyeError>? {
        let end = ContinuousClock.now + .milliseconds(50)
        while await task.state != .ended {
            guard ContinuousClock.now < end else { return nil }
            try? await Task.sleep(for: .milliseconds(1))
        }
        do throws(SockeyeError) { return .success(try await task.value) } catch { return .failure(error) }
    }
}

/// A process that kills itself in a disk call, at the worst moments.
struct KilledDownload: Codable, Sendable {
    let url: String
    let folder: String
    /// The number of writes before it kills itself; flushing the complete file to disk kills it in any case.
    let writesBeforeKill: Int

    var state: URL { URL(filePath: folder).deletingLastPathComponent().appending(path: stateName) }
    private var stateName: String { URL(filePath: folder).lastPathComponent + ".state" }

    var resumeData: ResumeData? {
        (try? Data(contentsOf: state)).flatMap { try? JSONDecoder().decode(ResumeData.self, from: $0) }
    }

    func run() async throws {
        let left = Shared(writesBeforeKill)
        let killIfDue: @Sendable () -> Void = {
            let isTime = left.value.withLock { left in
                left -= 1
                return left <= 0
            }
            if isTime { kill(getpid(), SIGKILL) }
        }
        var settings = DownloadSettings(destination: .file(folder + "/file.bin"))
        settings.resumeData = resumeData
        settings.onEvent = { [state] event in
            guard case .resumable(let data?) = event else { return }
            try? JSONEncoder().encode(data).write(to: state, options: .atomic)
        }
        unsafe settings.fileCalls.write = { descriptor, bytes, position in
            // Half of the bytes are written, as may happen if the process dies during a write.
            let some = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(max(1, bytes.count / 2)))
            let count = unsafe FileCalls.system.write(descriptor, some, position)
            killIfDue()
            return count
        }
        settings.fileCalls.synchronize = { _ in Int32(kill(getpid(), SIGKILL)) }
        _ = try await ResumableDownload(HTTPClient(), try OutgoingRequest(url: url), settings).run()
        throw UnmetCondition("a kill before the end of the download")
    }
}
