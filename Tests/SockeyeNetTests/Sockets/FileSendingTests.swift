import Glibc
import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Bytes that go from a file to a socket without passing through the process's memory.
@Suite("A file written to a stream", .timeLimit(.minutes(1)))
struct FileSendingTests {
    private let folder: TemporaryFolder
    private let poller: EventPoller

    init() throws {
        folder = try TemporaryFolder()
        poller = try EventPoller()
    }

    private func open(_ path: String) throws -> Int32 {
        let number = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
        try #require(number >= 0)
        return number
    }

    /// Both ends of a connection.
    private func pair(unix: Bool = false) async throws -> (SocketStream, SocketStream) {
        let place =
            unix ? EndpointAddress(unixPath: "\(folder.path)/socket") : EndpointAddress(literal: "127.0.0.1", port: 0)
        return try await SocketStream.pair(at: place, poller: poller)
    }

    @Test("the file is sent from the requested offset up to its end", .needs(.fileSending), arguments: [false, true])
    func ranges(unix: Bool) async throws {
        let file = try open(try folder.write("0123456789", to: "file"))
        defer { close(file) }
        let (stream, peer) = try await pair(unix: unix)
        #expect(stream.write(file: file, from: 2, count: 3)?.isBytes(3) == true)
        #expect(stream.write(file: file, from: 8, count: 100)?.isBytes(2) == true)
        #expect(stream.write(file: file, from: 10, count: 100)?.isBytes(0) == true, "the end")
        #expect(
            stream.write(file: file, from: 1 << 40, count: 100)?.isBytes(0) == true,
            "an offset far beyond the end of the file")
        #expect(try await peer.receive(5) == Array("23489".utf8))
        #expect(lseek(file, 0, SEEK_CUR) == 0, "the file's own position is not moved")
    }

    @Test("sending a file waits for the peer to read", .needs(.fileSending), arguments: [false, true])
    func full(unix: Bool) async throws {
        let file = try open(try folder.write("", to: "file"))
        defer { close(file) }
        let size = 40 << 20
        try #require(ftruncate(file, off_t(size)) == 0)
        let (stream, peer) = try await pair(unix: unix)
        async let received = peer.receive(size, piece: 1 << 20).count
        var sent = 0
        var blocks = 0
        while sent < size {
            switch stream.write(file: file, from: sent, count: size - sent) {
            case .bytes(let count): sent += count
            case .wouldBlock(let interest):
                #expect(interest == .write)
                blocks += 1
                try await stream.wait(for: interest, as: .writer, until: .distantFuture)
            case let other:
                Issue.record("\(String(describing: other))")
                return
            }
        }
        #expect(try await received == size)
        #expect(blocks > 0)
    }

    @Test("a descriptor that is not a regular file is left to the caller, and nothing is sent")
    func unsendable() async throws {
        var ends: [Int32] = [0, 0]
        try unsafe #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let (stream, peer) = try await pair()
        #expect(stream.write(file: ends[0], from: 0, count: 10) == nil)
        let folder = unsafe Glibc.open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        #expect(stream.write(file: folder, from: 0, count: 10) == nil)
        #expect(peer.readOnce().isWouldBlock)
    }

    @Test("sending a file over a closed or reset stream is an error", .needs(.fileSending))
    func broken() async throws {
        let file = try open(try folder.write("0123456789", to: "file"))
        defer { close(file) }
        let (stream, peer) = try await pair()
        peer.reset()
        try await stream.wait(for: .read, as: .reader, until: .distantFuture)
        let code = stream.write(file: file, from: 0, count: 10)?.failure
        let expected: [TransportError] = [
            .system(call: .sendfile, error: .connectionReset), .system(call: .sendfile, error: .brokenPipe),
        ]
        #expect(code.map(expected.contains) == true, "\(String(describing: code))")
        stream.close()
        #expect(stream.write(file: file, from: 0, count: 10)?.failure == .closed)
    }

    @Test("a stream that must see the bytes, such as TLS, does not send a file")
    func tls() async throws {
        let file = try open(try folder.write("0123456789", to: "file"))
        defer { close(file) }
        let (client, server) = try await HandshakePair().connect()
        #expect(client.write(file: file, from: 0, count: 10) == nil)
        try await client.sendAll([1])
        #expect(try await server.receive(1) == [1])
    }
}
