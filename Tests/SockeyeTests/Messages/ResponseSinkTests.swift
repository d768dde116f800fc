import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// Bodies that are written to sinks other than files.
@Suite("Sinks of bodies", .timeLimit(.minutes(1)))
struct ResponseSinkTests {
    private let client = HTTPClient()

    /// A sink that keeps everything.
    private actor Kept: IncomingResponse.Body.Sink {
        private(set) var bytes: [UInt8] = []
        func write(_ bytes: Bytes) { self.bytes += bytes }
    }

    /// The two ends of a pipe.
    private struct Ends {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try unsafe #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        /// The ends of a pair of unix sockets.
        init(socketType: UInt32) throws {
            var ends: [Int32] = [0, 0]
            try unsafe #require(socketpair(AF_UNIX, Int32(socketType), 0, &ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        /// The number of bytes that were written and not read.
        var waitingBytes: Int {
            var waiting: Int32 = 0
            _ = unsafe ioctl(reading, UInt(FIONREAD), &waiting)
            return Int(waiting)
        }

        /// Waits until the pipe holds at least 4096 bytes.
        func waitForBytes() async {
            await eventually("bytes in the pipe") { waitingBytes >= 4096 }
        }

        /// Reads and discards the bytes of a socket that were written until now.
        func drain() {
            var block = [UInt8](repeating: 0, count: 65_536)
            while unsafe recv(reading, &block, block.count, Int32(MSG_DONTWAIT)) > 0 {}
        }
    }

    /// Repeats 251 bytes. Copying whole periods is fast; single bytes would take seconds of a thread that other tests
    /// need.
    private func pattern(_ count: Int) -> [UInt8] {
        let period = [UInt8](0..<251)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes.append(contentsOf: period.prefix(count - bytes.count)) }
        return bytes
    }

    /// Reads everything from a descriptor, on a new thread.
    private func read(_ descriptor: Int32) async -> [UInt8] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var (all, block) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
                while true {
                    let count = unsafe Glibc.read(descriptor, &block, block.count)
                    guard count > 0 else { break }
                    all += block[..<count]
                }
                continuation.resume(returning: all)
            }
        }
    }

    @Test("a sink receives everything, and the call returns the count", arguments: [0, 5, 3 << 20])
    func all(size: Int) async throws {
        let content = pattern(size)
        try await withTestServer { _ in
            .bytes(Bytes(content))
        } run: { server in
            let kept = Kept()
            let written = try await client.get(server.url()).body.write(to: kept)
            #expect(written == size)
            #expect(await kept.bytes == content)
            var pieces: [UInt8] = []
            let outcome = try await client.get(server.url()).body.write { pieces += $0 }
            #expect(outcome == size)
            #expect(pieces == content)
        }
    }

    @Test("a sink that throws ends the exchange and closes its connection")
    func failure() async throws {
        struct Full: Error {}
        let server = try await TestServer.start { _ in .source(length: 1 << 30) }
        let response = try await client.get(server.url("/path"))
        var taken = 0
        let error = await #expect(throws: SockeyeError.self) {
            try await response.body.write { bytes in
                taken += bytes.count
                if taken > 100_000 { throw Full() }
            }
        }
        #expect(error?.code == .sinkFailed && error?.underlying is Full && error?.phase == .body)
        #expect(error?.url == server.url("/path"))
        try await server.wait { $0.openConnections == 0 }
        await server.stop()
        let cancelled = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.Body(Bytes("x")).write { _ in throw CancellationError() }
        }
        #expect(cancelled?.code == .cancelled)
    }

    @Test("a slow sink slows the peer down")
    func backpressure() async throws {
        let mayTake = TestSignal()
        let sent = Atomic(0)
        let size = 64 << 20
        try await withTestServer { _, responder in
            try await responder.sendHead(length: size)
            let piece = Bytes([UInt8](repeating: 3, count: 256 << 10))
            while sent.load(ordering: .relaxed) < size {
                try await responder.write(piece)
                sent.wrappingAdd(piece.count, ordering: .relaxed)
            }
            try await responder.finish()
        } run: { server in
            let writing = Task {
                try await client.get(server.url()).body.write { _ in try await mayTake.wait() }
            }
            #expect(await settled { sent.load(ordering: .relaxed) } < size)
            mayTake.fire()
            let outcome = try await writing.value
            #expect(outcome == size)
        }
    }

    @Test("everything is written to the descriptor of a file, at its current offset")
    func file() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let content = pattern(3 << 20)
        try await withTestServer { _ in
            .bytes(Bytes(content))
        } run: { server in
            let file = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
            defer { close(file) }
            _ = unsafe write(file, "head", 4)
            let written = try await client.get(server.url()).body.write(toDescriptor: file)
            #expect(written == content.count)
            _ = unsafe write(file, "tail", 4)
            let contents = try #require(FileManager.default.contents(atPath: path))
            #expect(contents == Data("head".utf8) + Data(content) + Data("tail".utf8))
        }
    }

    @Test(
        "a pipe is written at its reader's pace, stays blocking, and may be closed meanwhile",
        arguments: [false, true])
    func pipes(closedMeanwhile: Bool) async throws {
        let ends = try Ends()
        let content = pattern(3 << 20)
        try await withTestServer { _ in
            .bytes(Bytes(content))
        } run: { server in
            let response = try await client.get(server.url())
            let writing = Task { try await response.body.write(toDescriptor: ends.writing) }
            await ends.waitForBytes()
            let flags = fcntl(ends.writing, F_GETFL)
            #expect(flags & O_NONBLOCK == 0)
            if closedMeanwhile { close(ends.writing) }
            async let all = read(ends.reading)
            let outcome = try await writing.value
            #expect(outcome == content.count)
            if !closedMeanwhile { close(ends.writing) }
            #expect(await all == content)
            close(ends.reading)
        }
    }

    @Test("a pipe whose owner has set O_NONBLOCK is written at its reader's pace")
    func nonBlockingPipe() async throws {
        let ends = try Ends()
        try #require(fcntl(ends.writing, F_SETFL, fcntl(ends.writing, F_GETFL) | O_NONBLOCK) == 0)
        let content = pattern(3 << 20)
        try await withTestServer { _ in
            .bytes(Bytes(content))
        } run: { server in
            let response = try await client.get(server.url())
            let writing = Task { try await response.body.write(toDescriptor: ends.writing) }
            await ends.waitForBytes()
            async let all = read(ends.reading)
            let outcome = try await writing.value
            #expect(outcome == content.count)
            close(ends.writing)
            #expect(await all == content)
            close(ends.reading)
        }
    }

    @Test("a blocking socket is written at its reader's pace")
    func socket() async throws {
        let ends = try Ends(socketType: SOCK_STREAM.rawValue)
        let content = pattern(3 << 20)
        try await withTestServer { _ in
            .bytes(Bytes(content))
        } run: { server in
            async let all = read(ends.reading)
            let written = try await client.get(server.url()).body.write(toDescriptor: ends.writing)
            #expect(written == content.count)
            close(ends.writing)
            #expect(await all == content)
            close(ends.reading)
        }
    }

    @Test("several responses are written to one non-blocking socket, each at its reader's pace")
    func socketAgain() async throws {
        let ends = try Ends(socketType: SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        let (content, count) = (pattern(3 << 20), 3)
        try #require(fcntl(ends.reading, F_SETFL, 0) == 0)
        try await withTestServer { _ in
            .bytes(Bytes(content))
        } run: { server in
            async let all = read(ends.reading)
            for _ in 0..<count {
                let written = try await client.get(server.url()).body.write(toDescriptor: ends.writing)
                #expect(written == content.count)
            }
            close(ends.writing)
            #expect(await all == (0..<count).flatMap { _ in content })
            close(ends.reading)
        }
    }

    @Test("after a cancelled write to a blocking socket no byte follows, the second time as well")
    func cancelledAgain() async throws {
        let ends = try Ends(socketType: SOCK_STREAM.rawValue)
        try await withTestServer { _ in
            .source(length: 3 << 20)
        } run: { server in
            for _ in 0..<2 {
                let response = try await client.get(server.url())
                let writing = Task { try await response.body.write(toDescriptor: ends.writing) }
                await ends.waitForBytes()
                writing.cancel()
                let cancelled = await #expect(throws: SockeyeError.self) { try await writing.value }
                #expect(cancelled?.code == .cancelled)
                ends.drain()
                // A thread in write(2) would have filled the socket again.
                #expect(await settled { 1 + ends.waitingBytes } == 1)
            }
            close(ends.reading)
            close(ends.writing)
        }
    }

    @Test("writing to a pipe without a reader is an error and no signal, and cancellation ends a blocked write")
    func pipeFaults() async throws {
        try await withTestServer { _ in
            .source(length: 1 << 20)
        } run: { server in
            let gone = try Ends()
            close(gone.reading)
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url()).body.write(toDescriptor: gone.writing)
            }
            #expect(error?.code == .fileFailed && (error?.underlying as? FileError)?.code == EPIPE)
            close(gone.writing)

            let idle = try Ends()
            let writing = Task { try await client.get(server.url()).body.write(toDescriptor: idle.writing) }
            await idle.waitForBytes()
            writing.cancel()
            let cancelled = await #expect(throws: SockeyeError.self) { try await writing.value }
            #expect(cancelled?.code == .cancelled)
            close(idle.reading)
            close(idle.writing)
        }
    }

    @Test("devices that cannot be polled are written; an invalid descriptor is an error")
    func devices() async throws {
        try await withTestServer { _ in
            .source(length: 1 << 20)
        } run: { server in
            let devices: [(path: String, code: SockeyeError.Code?)] = [("/dev/null", nil), ("/dev/full", .diskFull)]
            for (path, code) in devices {
                let device = unsafe open(path, O_WRONLY)
                defer { close(device) }
                let response = try await client.get(server.url())
                guard let code else {
                    let written = try await response.body.write(toDescriptor: device)
                    #expect(written == 1 << 20)
                    continue
                }
                let error = await #expect(throws: SockeyeError.self) {
                    try await response.body.write(toDescriptor: device)
                }
                #expect(error?.code == code)
            }
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url()).body.write(toDescriptor: 9999)
            }
            #expect(error?.code == .fileFailed && (error?.underlying as? FileError)?.code == EBADF)
        }
    }

    @Test("pipes that are not read block no thread of the concurrency pool")
    func threads() async throws {
        try await withTestServer { request in
            request.path == "/big" ? .source(length: 1 << 20) : .ok("quick")
        } run: { server in
            let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
            let pipes = try (0..<count).map { _ in try Ends() }
            let writers = pipes.map { pipe in
                Task { try await client.get(server.url("/big")).body.write(toDescriptor: pipe.writing) }
            }
            for pipe in pipes {
                await pipe.waitForBytes()
            }
            let text = try await client.get(server.url()).text()
            #expect(text == "quick")
            for pipe in pipes { Task { _ = await read(pipe.reading) } }
            for writer in writers { #expect(try await writer.value == 1 << 20) }
            for pipe in pipes { close(pipe.writing) }
        }
    }
}
