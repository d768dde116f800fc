#if DiskCache
import Foundation
import Glibc
import Sockeye
import SockeyeCache
import SockeyeDiskCache
import SockeyeTesting
import Testing

/// Kills processes that store, change and remove responses.
@Suite("A store on disk whose process is killed", .timeLimit(.minutes(4))) struct KilledStoreTests {
    private static let rounds = 20

    /// Starts the process, and kills it after a number of steps and a delay: in the middle of the steps after those.
    private func kill(_ scene: DiskCacheScene, after steps: Int, and delay: Duration) async throws {
        let process = Process()
        process.executableURL = DiskCacheProbe.program
        process.arguments = ["store", scene.folder, String(getpid())]
        let said = scene.parentFolder + "/said"
        guard FileManager.default.createFile(atPath: said, contents: nil),
            let output = FileHandle(forWritingAtPath: said)
        else { throw DiskCacheProbe.Failure(what: "no file for the output") }
        process.standardOutput = output
        try process.run()
        defer {
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(30)
        while try String(contentsOfFile: said, encoding: .utf8).utf8.count < "ready\n".utf8.count + steps {
            guard clock.now < end, process.isRunning else {
                throw DiskCacheProbe.Failure(what: "it does not complete \(steps) steps")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        // No event marks the middle of a step, so the delay is random.
        try await Task.sleep(for: delay)
    }

    /// Verifies that each response that the store serves is complete, and returns their number.
    private func verify(_ subject: CacheStoreSubject) async throws -> Int {
        var count = 0
        for name in 0..<16 {
            let key = subject.key("\(name)")
            for found in try await subject.store.responses(for: key) {
                let parts = found.id.split(separator: "-")
                #expect(parts.first.map(String.init) == "\(name)" && parts[1] == "\(found.bodyLength)", "\(found.id)")
                let content = try await subject.read(found, under: key)
                #expect(content == CacheStoreSubject.content(found.id, found.bodyLength), "\(found.id) of \(name)")
                count += 1
            }
        }
        return count
    }

    @Test(
        "a store whose process was killed serves complete responses only, and leaves no stray files", arguments: 0..<4)
    func killed(lane: Int) async throws {
        let scene = try DiskCacheScene()
        var served = 0
        for _ in 0..<Self.rounds {
            try await kill(scene, after: Int.random(in: 0..<24), and: .microseconds(Int.random(in: 0..<4000)))
            let store = try scene.open(limit: 8 << 20, entryLimit: 2 << 20)
            let subject = CacheStoreSubject(store: store, prefix: "https://killed.test/")
            let whole = try await verify(subject)
            served += whole
            #expect(store.count == whole && scene.bodies.count <= whole && store.byteCount <= 8 << 20)
            await store.close()
        }
        #expect(served > Self.rounds)
    }

    @Test("the process ends by itself if its parent has ended")
    func orphan() throws {
        let scene = try DiskCacheScene()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // The shell passes its own id, and ends while the program runs in the background.
        process.arguments = ["-c", "\"$0\" store \"$1\" $$ &", DiskCacheProbe.program.path(), scene.folder]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // The output ends with the last process that can write to it.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("ready\n"))
    }
}
#endif
