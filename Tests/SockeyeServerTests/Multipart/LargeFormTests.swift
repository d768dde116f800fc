import Foundation
import Sockeye
import SockeyeTesting
import Testing

/// Forms of many gigabytes, sent by a separate process; its memory shows if data accumulates.
@Suite("A form of 5 GiB", .serialized, .timeLimit(.minutes(5)))
struct LargeFormTests {
    /// More than 32 bits can count; each half, from a file and from a stream, is more than 31 bits can count.
    private static let size = 5 << 30

    @Test("a form of 5 GiB is sent within 4 MB of memory, with its exact length")
    func upload() async throws {
        let folder = try Scratch.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/half.bin"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        // A sparse file, which uses no disk space.
        unsafe #expect(truncate(path, off_t(Self.size / 2)) == 0)
        try await withTestServer { request in
            guard request.method == .post else { return .ok() }
            let announced = request["Content-Length"] ?? "none"
            return .ok("\(announced) \(try await request.body.discard())")
        } run: { server in
            let report = try await TransferProbe.run([
                "multipart", server.url("/form"), String(Self.size), server.url("/small"), path,
            ])
            print("form of 5 GiB: \(report)")
            #expect(report.bytes >= Self.size)
            #expect(report.before > 0)
            #expect(report.peak - report.before < 4 << 20)
        }
    }
}
