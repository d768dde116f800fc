import Foundation
import SockeyeFoundation
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Foundation's output streams and file handles as targets for the content of responses.
@Suite("Foundation's output streams and file handles as targets of response content", .timeLimit(.minutes(1)))
struct OutputStreamTests {
    private let client = HTTPClient()
    private static let content = Bytes(repeating: Array(0..<251), count: 3_000_000)

    @Test("the client opens a file's stream and writes the whole content to it")
    func file() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await withTestServer { _ in
            .bytes(Self.content)
        } run: { server in
            let response = try await client.get(server.url())
            let stream = try #require(OutputStream(toFileAtPath: path, append: false))
            let written = try await response.body.write(to: stream)
            #expect(written == Self.content.count)
            #expect(FileManager.default.contents(atPath: path) == Data(Self.content))
        }
    }

    @Test("an empty body also opens the stream, so that the file of a stream loses its old content")
    func empty() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("old".utf8).write(to: URL(filePath: path))
        try await withTestServer { _ in
            .bytes(Bytes())
        } run: { server in
            let response = try await client.get(server.url())
            let stream = try #require(OutputStream(toFileAtPath: path, append: false))
            let written = try await response.body.write(to: stream)
            #expect(written == 0 && FileManager.default.contents(atPath: path) == Data())
            let refused = try await client.get(server.url())
            let error = await #expect(throws: SockeyeError.self) {
                try await refused.body.write(to: try #require(OutputStream(toFileAtPath: path + "/x", append: false)))
            }
            #expect(error?.code == .sinkFailed)
        }
    }

    @Test("a stream that refuses bytes ends the exchange and closes its connection")
    func full() async throws {
        let server = try await TestServer.start { _ in .source(length: 1 << 30) }
        let response = try await client.get(server.url())
        let error = await #expect(throws: SockeyeError.self) {
            try await response.body.write(to: try #require(OutputStream(toFileAtPath: "/dev/full", append: false)))
        }
        #expect(error?.code == .sinkFailed)
        try await server.wait { $0.openConnections == 0 }
        await server.stop()
    }

    @Test("a file handle receives the whole content at the pace of its reader")
    func handle() async throws {
        try await withTestServer { _ in
            .bytes(Self.content)
        } run: { server in
            let pipe = Pipe()
            let reading = Task.detached { try pipe.fileHandleForReading.readToEnd() }
            let response = try await client.get(server.url())
            let written = try await response.body.write(to: pipe.fileHandleForWriting)
            #expect(written == Self.content.count)
            try pipe.fileHandleForWriting.close()
            let outcome = try await reading.value
            #expect(outcome == Data(Self.content))
        }
    }
}
