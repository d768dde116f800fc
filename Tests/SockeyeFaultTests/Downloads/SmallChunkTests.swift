import Sockeye
import SockeyeCore
import SockeyeTesting
import SockeyeTransfers
import Synchronization
import Testing

/// Content in chunks of one byte.
@Suite("Chunks of one byte", .timeLimit(.minutes(1))) struct SmallChunkTests {
    private static let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func chunks(of content: Bytes, each size: Int) -> Bytes {
        var framed: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: size) {
            let piece = content.slice(start..<min(content.count, start + size))
            framed += Array("\(String(piece.count, radix: 16))\r\n".utf8) + Array(piece) + Array("\r\n".utf8)
        }
        return Bytes(framed)
    }

    @Test("chunks that arrive together are written to the file by few calls", arguments: [1, 100, 8191, 8192])
    func writes(size: Int) async throws {
        let content = FaultyResource.pattern.slice(0..<65_536)
        let scene = try DownloadScene(FaultyResource(content))
        let body = Bytes(Array(chunks(of: content, each: size)) + Array("0\r\n\r\n".utf8))
        let url = try await scene.resource.start([.raw(Self.head, body)])
        let writes = Mutex(0)
        _ = try await scene.run(url) { settings in
            unsafe settings.fileCalls.write = { descriptor, bytes, position in
                writes.withLock { $0 += 1 }
                return unsafe FileCalls.system.write(descriptor, bytes, position)
            }
        }
        #expect(scene.content == content)
        // The kernel decides how many bytes arrive together.
        #expect(writes.withLock { $0 } < 1000)
        await scene.resource.stop()
    }

    @Test("chunks are in the file before the download waits for the next ones")
    func stalling() async throws {
        let scene = try DownloadScene(FaultyResource(Bytes("chunked and whole")))
        let url = try await scene.resource.start([
            .raw(Self.head + "1\r\nc\r\n1\r\nh\r\n1\r\nu\r\n", then: { try await $0.waitForDisconnect() }), .honest,
        ])
        let arrived = TestSignal()
        let task = Task {
            await failure {
                _ = try await scene.run(url) { settings in
                    settings.onEvent = { if case .progress(3, _) = $0 { arrived.fire() } }
                }
            }
        }
        try await arrived.wait(timeout: .seconds(20))
        task.cancel()
        let data = try #require(await task.value?.resumeData)
        #expect(data.bytesWritten == 3)
        _ = try await scene.run(url) { $0.resumeData = data }
        #expect(scene.content == scene.resource.body && scene.ranges == [nil, "bytes=3-"])
        await scene.resource.stop()
    }

    @Test("chunks before a malformed chunk are delivered before the error")
    func malformed() async throws {
        let release = TestSignal()
        let server = try await TestServer.start { _, responder in
            try await responder.sendRaw(Self.head)
            try await release.wait(timeout: .seconds(20))
            try await responder.sendRaw("1\r\na\r\n1\r\nb\r\nzz\r\n")
        }
        let response = try await HTTPClient().get(server.url())
        release.fire()
        var received = ""
        let error = await failure {
            for try await piece in response.body { received += String(decoding: piece, as: UTF8.self) }
        }
        #expect(received == "ab" && error?.code == .malformedResponse)
        await server.stop()
    }

    @Test("small chunks before large ones keep their order", arguments: [1, 7, 8191])
    func mixed(size: Int) async throws {
        let content = FaultyResource.pattern
        let scene = try DownloadScene(FaultyResource(content))
        let parts = [
            content.slice(0..<20_000), content.slice(20_000..<200_000), content.slice(200_000..<content.count),
        ]
        let framed = zip(parts, [size, 100_000, size]).flatMap { Array(chunks(of: $0, each: $1)) }
        try await scene.expectWhole(.raw(Self.head, Bytes(framed + Array("0\r\n\r\n".utf8))))
    }
}
