import Glibc
import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Kernel TLS", .timeLimit(.minutes(1)))
struct KernelTLSTests {
    /// True if the kernel has TLS. Setting TCP_ULP on an unconnected socket then fails with ENOTCONN. A kernel without
    /// TLS reports another error.
    private static let isAvailable: Bool = {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        return unsafe setsockopt(number, Int32(IPPROTO_TCP), 31, "tls", 3) != 0 && errno == ENOTCONN
    }()

    private static let versions: [TLSOptions.Version] = [.v1_2, .v1_3]

    /// Runs a client over a socket and returns all bytes that the server received.
    private func converse(
        _ version: TLSOptions.Version, isAsked: Bool = true, _ body: (TLSStream) async throws -> Void
    ) async throws -> [UInt8] {
        let poller = try EventPoller()
        let listener = try Listener(address: #require(EndpointAddress(literal: "127.0.0.1", port: 0)), poller: poller)
        defer { listener.close() }
        let serving = try TLSServerContext(Authority.serving())
        async let received: [UInt8] = {
            let socket = try await listener.accept()
            let stream = try await TLSStream.accept(over: socket, context: serving, until: .distantFuture)
            defer { stream.close() }
            let received = try await stream.receiveToEnd()
            try await stream.sendAll(Array(received.reversed()))
            try await stream.finishWriting()
            return received
        }()
        let context = try TLSContext(
            Authority.trusting {
                $0.maximumVersion = version
                $0.usesKernelTLS = isAsked
            })
        let socket = try await SocketStream.connect(
            to: #require(listener.address), poller: poller, until: .distantFuture)
        let stream = try await TLSStream.connect(
            over: socket, serverName: "127.0.0.1", context: context, sessions: nil, sessionKey: "",
            until: .distantFuture
        )
        defer { stream.close() }
        try await body(stream)
        return try await received
    }

    @Test("all bytes arrive unchanged if kernel TLS is requested, even if the kernel has none", arguments: versions)
    func bytes(version: TLSOptions.Version) async throws {
        let bytes = Array(Bytes(repeating: Array(0..<251), count: 1_000_000))
        let received = try await converse(version) { stream in
            let info = try #require(stream.info)
            #expect(info.version == version)
            #expect(Self.isAvailable || !info.isEncryptedByKernel && !info.isDecryptedByKernel)
            try await stream.sendAll(bytes)
            try await stream.finishWriting()
            #expect(try await stream.receiveToEnd() == bytes.reversed())
        }
        #expect(received == bytes)
    }

    @Test("kernel TLS is off by default", arguments: versions)
    func off(version: TLSOptions.Version) async throws {
        _ = try await converse(version, isAsked: false) { stream in
            let info = try #require(stream.info)
            #expect(!info.isEncryptedByKernel && !info.isDecryptedByKernel)
            #expect(stream.write(file: 0, from: 0, count: 1) == nil, "OpenSSL has to see the bytes")
            try await stream.finishWriting()
        }
    }

    @Test("TLS over a pipe does not use kernel TLS")
    func pipe() async throws {
        let (client, _) = try await HandshakePair(Authority.trusting { $0.usesKernelTLS = true }).connect()
        #expect(client.info?.isEncryptedByKernel == false)
    }

    @Test(
        "content that the kernel takes in parts is sent from the memory of the latest write", .needs(.kernelTLS),
        .enabled(if: isAvailable, "this kernel has no TLS"), arguments: versions)
    func changingMemory(version: TLSOptions.Version) async throws {
        let bytes = Array(Bytes(repeating: Array(0..<251), count: 4_000_000))
        let received = try await converse(version) { stream in
            var sent = 0
            while sent < bytes.count {
                switch Self.writeFromFreshMemory(bytes[sent...], to: stream) {
                case .bytes(let count): sent += count
                case .wouldBlock(let interest): try await stream.wait(for: interest, as: .writer, until: .distantFuture)
                case .end: throw TransportError.closed
                case .failed(let error): throw error
                }
            }
            try await stream.finishWriting()
            #expect(try await stream.receiveToEnd().count == bytes.count)
        }
        #expect(received == bytes)
    }

    /// Writes from copies of the bytes, in two vectors, and overwrites the copies afterwards.
    private static func writeFromFreshMemory(_ bytes: ArraySlice<UInt8>, to stream: TLSStream) -> Transfer {
        var (head, rest) = (Array(bytes.prefix(100)), Array(bytes.dropFirst(100).prefix(1 << 20)))
        defer {
            for index in head.indices { head[index] = 0xFF }
            for index in rest.indices { rest[index] = 0xFF }
        }
        return unsafe head.withUnsafeBytes { head in
            unsafe rest.withUnsafeBytes { rest in
                let vectors = unsafe [IOVector(head), IOVector(rest)]
                return unsafe vectors.withUnsafeBufferPointer { unsafe stream.write(vectors: $0) }
            }
        }
    }

    @Test(
        "after close_notify no file is passed to the kernel", .needs(.kernelTLS),
        .enabled(if: isAvailable, "this kernel has no TLS"), arguments: versions)
    func fileAfterEnd(version: TLSOptions.Version) async throws {
        let received = try await converse(version) { stream in
            try await stream.sendAll([1, 2, 3])
            try await stream.finishWriting()
            #expect(stream.write(file: 0, from: 0, count: 1) == nil)
            #expect(try await stream.receiveToEnd() == [3, 2, 1])
        }
        #expect(received == [1, 2, 3])
    }

    @Test(
        "the kernel encrypts and sends files without reading them into memory", .needs(.kernelTLS),
        .enabled(if: isAvailable, "this kernel has no TLS"), arguments: versions)
    func files(version: TLSOptions.Version) async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "salmon ", count: 50_000)
        let bytes = Array(text.utf8)
        let file = unsafe open(try folder.write(text, to: "body"), O_RDONLY)
        defer { close(file) }
        let received = try await converse(version) { stream in
            #expect(stream.info?.isEncryptedByKernel == true)
            try await stream.sendAll([1, 2, 3])
            var sent = 0
            while sent < bytes.count {
                switch try #require(stream.write(file: file, from: sent, count: bytes.count - sent)) {
                case .bytes(let count): sent += count
                case .wouldBlock(let interest): try await stream.wait(for: interest, as: .writer, until: .distantFuture)
                case .end: throw TransportError.closed
                case .failed(let error): throw error
                }
            }
            try await stream.finishWriting()
            #expect(try await stream.receiveToEnd().count == bytes.count + 3)
        }
        #expect(received == [1, 2, 3] + bytes)
    }
}
