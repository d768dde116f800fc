import Foundation
import Glibc
import Sockeye
import Testing

/// A process that is killed while it writes a form to a file.
@Suite("Forms that a killed process was writing to a file", .timeLimit(.minutes(2)))
struct KilledWritingTests {
    private static let size = 8 << 20
    private static let old = Data("what was there before".utf8)

    /// A folder, the file in it, and the digest of the complete form.
    private struct Scene {
        /// The folder for all other files of the test.
        let outside: String
        let complete: [UInt8]
        var folder: String { outside + "/folder" }
        var path: String { folder + "/form" }
        var content: Data? { try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) }

        /// The names of other files in the folder.
        var leftovers: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "form" }
            }
        }

        func prepare(withOld: Bool) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
            if withOld { try old.write(to: URL(filePath: path)) }
        }
    }

    private func inScene(_ body: (Scene) async throws -> Void) async throws {
        let outside = try Scratch.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: outside) }
        var form = try MultipartForm(boundary: "killed")
        let zeros = Bytes([UInt8](repeating: 0, count: Self.size))
        form.stream("stream", Pieces([zeros]), length: Self.size)
        try await form.body().write(toFile: outside + "/complete")
        let complete = try Digest.of(Data(contentsOf: URL(filePath: outside + "/complete"), options: .alwaysMapped))
        let scene = Scene(outside: outside, complete: complete)
        try FileManager.default.createDirectory(atPath: scene.folder, withIntermediateDirectories: false)
        try await body(scene)
    }

    /// Starts the process and kills it when it prints `word`.
    private func kill(at word: String, _ scene: Scene, stall: Int) async throws {
        let process = Process()
        process.executableURL = TransferProbe.program
        process.arguments = ["write", scene.path, String(Self.size), String(stall)]
        // Its output goes to a file, which can be read without a thread that blocks.
        let said = scene.outside + "/said"
        guard FileManager.default.createFile(atPath: said, contents: nil),
            let output = FileHandle(forWritingAtPath: said)
        else { throw ServerFailure("no file for the output") }
        process.standardOutput = output
        try process.run()
        defer {
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(30)
        while try !String(contentsOfFile: said, encoding: .utf8).contains(word) {
            guard clock.now < end else { throw ServerFailure("the process did not come to where it is killed") }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test(
        "a process killed in the middle leaves the old file or no file, and a temporary file",
        arguments: [0, 1 << 20, (8 << 20) - 1], [true, false])
    func midway(stall: Int, withOld: Bool) async throws {
        try await inScene { scene in
            try scene.prepare(withOld: withOld)
            try await kill(at: "stalled", scene, stall: stall)
            #expect(scene.content == (withOld ? Self.old : nil))
            let left = try scene.leftovers
            #expect(left.count == 1 && left.allSatisfy { $0.hasPrefix(".sockeye-") && $0.hasSuffix(".partial") })
            // The leftover file does not disturb the next writer.
            let output = try await TransferProbe.output(["write", scene.path, String(Self.size), String(Self.size)])
            #expect(output.hasPrefix("ended\ncomplete: "))
            #expect(try scene.content.map { Digest.of($0) } == scene.complete && scene.leftovers == left)
        }
    }

    @Test("a process killed at the end leaves the old file, no file, or the complete one", arguments: [true, false])
    func atEnd(withOld: Bool) async throws {
        try await inScene { scene in
            for _ in 0..<10 {
                try scene.prepare(withOld: withOld)
                try await kill(at: "ended", scene, stall: Self.size)
                let left = try scene.leftovers
                if let content = scene.content, content != Self.old {
                    #expect(Digest.of(content) == scene.complete && left.isEmpty)
                } else {
                    #expect(left.count == 1 && left.allSatisfy { $0.hasSuffix(".partial") })
                    #expect((scene.content != nil) == withOld)
                }
            }
            try scene.prepare(withOld: withOld)
            try await kill(at: "complete", scene, stall: Self.size)
            #expect(try scene.content.map { Digest.of($0) } == scene.complete && scene.leftovers.isEmpty)
        }
    }
}
