import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// A download that is paused, resumed, cancelled and killed by chance from a seed, over connections that break off by chance,
/// until it is complete.
struct DownloadModel {
    /// What is done to the download next.
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

    /// Most break off somewhere, as if a cable were loose.
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

    /// One download from its beginning to its end, however often it is started.
    mutating func run() async throws {
        var data: ResumeData?
        var lowest = 0
        while true {
            let task = try start(data)
            guard let next = try await disturb(task) else { break }
            data = next.data
            // Nothing is lost but what was never written. The file may have more by now than the data says: a write that was
            // under way at a pause goes on.
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
        // As it is by the time another process reads it.
        guard let data else { return try scene.client.download(url, to: .file(scene.path)) }
        let archived = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(data))
        return try scene.client.download(resuming: archived, to: .file(scene.path))
    }

    /// Does things to a task until it ends; nil when it is complete.
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

    /// Waits until so much has come, or for some milliseconds: a connection may be stalled.
    private func progress(of task: DownloadTask, upTo goal: Int, patience: Int) async -> Int {
        let end = ContinuousClock.now + .milliseconds(patience)
        while task.progress.current.completed < goal, ContinuousClock.now < end, await task.state != .ended {
            try? await Task.sleep(for: .milliseconds(1))
        }
        return task.progress.current.completed
    }

    /// How it ended, if it does soon.
    private func outcome(of task: DownloadTask) async -> Result<DownloadedFile, SockeyeError>? {
        let end = ContinuousClock.now + .milliseconds(50)
        while await task.state != .ended {
            guard ContinuousClock.now < end else { return nil }
            try? await Task.sleep(for: .milliseconds(1))
        }
        do throws(SockeyeError) { return .success(try await task.value) } catch { return .failure(error) }
    }
}

/// The process that is killed: by itself, in a call to the disk, where it hurts.
struct KilledDownload: Codable, Sendable {
    let url: String
    let folder: String
    /// After how many calls, or when all of it has come.
    let calls: Int

    var state: URL { URL(filePath: folder).deletingLastPathComponent().appending(path: stateName) }
    private var stateName: String { URL(filePath: folder).lastPathComponent + ".state" }

    var resumeData: ResumeData? {
        (try? Data(contentsOf: state)).flatMap { try? JSONDecoder().decode(ResumeData.self, from: $0) }
    }

    func run() async throws {
        let left = Shared(calls)
        let strike: @Sendable () -> Void = {
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
        unsafe settings.calls.write = { descriptor, bytes, position in
            // A part of it is written, as it may be when the process dies in the middle.
            let some = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(max(1, bytes.count / 2)))
            let count = unsafe FileCalls.system.write(descriptor, some, position)
            strike()
            return count
        }
        settings.calls.synchronize = { _ in Int32(kill(getpid(), SIGKILL)) }
        _ = try await ResumableDownload(HTTPClient(), try OutgoingRequest(url: url), settings).run()
        throw Unmet("to be killed before the end")
    }
}
