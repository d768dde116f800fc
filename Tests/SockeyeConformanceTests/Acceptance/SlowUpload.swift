import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization

/// An upload of 1 GiB to a server that at first reads only the head. Client and server share a child process of the
/// test, because the heap of the whole process is measured.
enum SlowUpload {
    struct Failure: Error {
        let what: String
    }

    static let size = 1 << 30

    static func run() async throws {
        let produced = Count()
        let (mayRead, hasHead) = (TestSignal(), TestSignal())
        let server = try await TestServer.start { request in
            hasHead.fire()
            try await mayRead.wait()
            var count = 0
            for try await piece in request.body { count += piece.count }
            return .ok("\(count)")
        }
        let client = HTTPClient()
        async let answer = client.post(server.url(), .stream(Generator(count: produced), length: size)).text()
        try await hasHead.wait()
        // The server does not read, so the client stops reading the source once the buffers of the sockets are full.
        let last = await settled { produced.value.load(ordering: .relaxed) }
        guard last < 32 << 20 else {
            throw Failure(what: "\(last) bytes were read from the source before the server read any")
        }
        let heap = HeapUsage.current()
        mayRead.fire()
        guard try await answer == "\(size)" else { throw Failure(what: "the server did not receive all bytes") }
        guard HeapUsage.current() - heap < 1 << 20 else { throw Failure(what: "the memory of the process grew") }
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private struct Generator: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let count: Count
        var offset = 0

        func makeAsyncIterator() -> Generator { self }

        mutating func next() async -> Bytes? {
            guard offset < SlowUpload.size else { return nil }
            let bytes = TestPattern.bytes(at: offset, upTo: Swift.min(64 << 10, SlowUpload.size - offset))
            offset += bytes.count
            count.value.store(offset, ordering: .relaxed)
            return bytes
        }
    }
}
