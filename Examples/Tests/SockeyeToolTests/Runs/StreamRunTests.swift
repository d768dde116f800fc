import Foundation
import Glibc
import Sockeye
import SockeyeTesting
import Testing

@Suite("sockeye's files, pipes and standard streams", .timeLimit(.minutes(3)))
struct StreamRunTests {
    @Test
    func `a pipe with O_NONBLOCK that is full takes the rest of the output later`() async throws {
        let content = String(repeating: "content ", count: 40_000)
        try await withTestServer { _ in
            .text(content)
        } run: { server in
            let pipe = Pipe()
            Self.stopBlocking(pipe.fileHandleForWriting)
            let run = try Tool.start([server.url()], streams: .init(output: pipe.fileHandleForWriting))
            // The command fills the pipe before the test reads it.
            while !Self.isFull(pipe.fileHandleForWriting) { try await Task.sleep(for: .milliseconds(5)) }
            try pipe.fileHandleForWriting.close()
            let output = await Self.rest(of: pipe.fileHandleForReading)
            let outcome = try await run.outcome()
            #expect(outcome.status == 0 && output == Data(content.utf8), "\(outcome.status) \(output.count)")
        }
    }

    private static func stopBlocking(_ handle: FileHandle) {
        _ = fcntl(handle.fileDescriptor, F_SETFL, fcntl(handle.fileDescriptor, F_GETFL) | O_NONBLOCK)
    }

    private static func isFull(_ handle: FileHandle) -> Bool {
        var entry = pollfd(fd: handle.fileDescriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    /// Reads to the end on a thread of its own.
    private static func rest(of handle: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: handle.readDataToEndOfFile()) }
        }
    }
}
