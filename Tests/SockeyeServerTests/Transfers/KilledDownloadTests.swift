import Foundation
import Glibc
import Sockeye
import SockeyeTesting
import Synchronization
import Testing

/// A download whose process is killed, and that another process goes on with.
@Suite(.timeLimit(.minutes(2))) struct KilledDownloadTests {
    private static let size = 64 << 20

    @Test("killed three times in the middle and resumed: no byte is lost, and none is fetched twice")
    func killed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let starts = Mutex<[Int]>([])
        let stalls = (0..<3).map { _ in TestSignal() }
        let server = try await TestServer.start { request, responder in
            let range = request[.range]?.dropFirst("bytes=".count).dropLast()
            let from = request[.ifRange] == "\"v1\"" ? range.flatMap { Int($0) } ?? 0 : 0
            let number = starts.withLock { starts in
                starts.append(from)
                return starts.count - 1
            }
            let isLast = number >= stalls.count
            try await Self.send(from: from, upTo: isLast ? Self.size : from + (15 << 20), responder)
            guard !isLast else { return try await responder.finish() }
            stalls[number].fire()
            try await responder.waitForDisconnect()
        }
        let arguments = ["fetch", server.url("/file"), folder + "/file", folder + "/state.json"]
        for stall in stalls {
            try await kill(arguments, at: stall)
            #expect(!FileManager.default.fileExists(atPath: folder + "/file"))
        }
        let output = try await TransferProbe.output(arguments)
        await server.stop()
        let positions = starts.withLock { $0 }
        // What had not yet been written when the process died is asked for again, and that only.
        #expect(positions.count == 4 && positions == positions.sorted() && positions[3] > 30 << 20)
        #expect(output == "resumed at \(positions[3])\ncomplete: \(Self.size)\n")
        let content = try Data(contentsOf: URL(filePath: folder + "/file"), options: .alwaysMapped)
        #expect(content.count == Self.size && Digest.of(content) == Self.digest)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["file", "state.json"])
    }

    private func kill(_ arguments: [String], at moment: TestSignal) async throws {
        let process = Process()
        process.executableURL = TransferProbe.program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try await moment.wait(timeout: .seconds(60))
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
