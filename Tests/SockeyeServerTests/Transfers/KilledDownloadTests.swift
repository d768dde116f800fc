import Foundation
import Glibc
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// A download by a process that is killed; another process resumes it.
@Suite(.timeLimit(.minutes(2))) struct KilledDownloadTests {
    private static let size = 64 << 20

    @Test("a download killed three times in the middle loses no byte and fetches no written byte twice")
    func killed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let starts = Mutex<[Int]>([])
        let server = try await TestServer.start { request, responder in
            let range = request[.range]?.dropFirst("bytes=".count).dropLast()
            let from = request[.ifRange] == "\"v1\"" ? range.flatMap { Int($0) } ?? 0 : 0
            let number = starts.withLock { starts in
                starts.append(from)
                return starts.count - 1
            }
            let isLast = number == 3
            try await Self.send(from: from, upTo: isLast ? Self.size : from + (15 << 20), responder)
            if isLast { try await responder.finish() } else { try await responder.waitForDisconnect() }
        }
        let arguments = ["fetch", server.url("/file"), folder + "/file", folder + "/state.json"]
        for number in 1...3 {
            try await kill(arguments, in: folder, at: number * 12 << 20)
            #expect(!FileManager.default.fileExists(atPath: folder + "/file"))
        }
        let output = try await TransferProbe.output(arguments)
        await server.stop()
        let positions = starts.withLock { $0 }
        // Only bytes that were not written when the process died are requested again.
        #expect(positions.count == 4 && positions == positions.sorted() && positions[3] >= 36 << 20)
        #expect(output == "resumed at \(positions[3])\ncomplete: \(Self.size)\n")
        let content = try Data(contentsOf: URL(filePath: folder + "/file"), options: .alwaysMapped)
        #expect(content.count == Self.size && Digest.of(content) == Self.digest)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["file", "state.json"])
    }

    /// Starts the process and kills it when the temporary file has `size` bytes, at which point more are still to come.
    private func kill(_ arguments: [String], in folder: String, at size: Int) async throws {
        let process = Process()
        process.executableURL = TransferProbe.program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        await eventually("a temporary file of \(size) bytes") {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            guard let name = names.first(where: { $0.hasPrefix(".sockeye-") }) else { return false }
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return attributes?[.size] as? Int ?? 0 >= size
        }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static func send(from: Int, upTo end: Int, _ responder: TestResponder) async throws {
        var headers: Headers = [.eTag: "\"v1\""]
        if from > 0 { headers[.contentRange] = "bytes \(from)-\(size - 1)/\(size)" }
        try await responder.sendHead(from > 0 ? .partialContent : .ok, headers: headers, length: size - from)
        var sent = from
        while sent < end {
            let piece = TestPattern.bytes(at: sent, upTo: end - sent)
            try await responder.write(piece)
            sent += piece.count
        }
    }

    private static var digest: [UInt8] {
        let digest = Digest()
        var count = 0
        while count < size {
            let piece = TestPattern.bytes(at: count, upTo: size - count)
            digest.update(piece)
            count += piece.count
        }
        return digest.finish()
    }
}
