import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import Sockeye
@testable import SockeyeEngine
@testable import SockeyeTransfers

@Suite("Chunks that are ready", .timeLimit(.minutes(1)))
struct ReadyChunksTests {
    private static let chunk = 64 << 10

    @Test("ready chunks are sent together and in order, and none is lost")
    func together() async throws {
        let sink = GatheringSink(closesAfter: 10 * 100)
        // The number of chunks that are read before the sink opens: ten written, one blocked, and a full queue.
        let ahead = 11 + ChunkQueue<Bytes>.largestCount
        let source = CountedChunks(count: 400, size: 100, ahead: ahead)
        let sending = Task { try await ReadyChunks.send(source, to: sink) }
        try await source.isAhead.wait()
        sink.open()
        try await sending.value
        #expect(sink.bytes == source.content)
        let batches = sink.batches
        #expect(batches.prefix(8).allSatisfy { $0 == 1 }, "the first chunks are sent without a second task")
        #expect(batches.contains { $0 > 1 })
        #expect(batches.allSatisfy { $0 <= ChunkQueue<Bytes>.largestCount })
    }

    @Test("lending the chunks of a full queue takes at most half of a small stack")
    func stack() {
        let chunks = (0..<ChunkQueue<[UInt8]>.largestCount).map { [UInt8](repeating: UInt8($0), count: 10) }
        // The stack is larger than the tested limit, so that the test fails instead of crashing.
        let (count, used) = SmallStack.run(size: 4 * SmallStack.size) {
            unsafe ContiguousChunks.withBytes(of: chunks) { $0.count }
        }
        #expect(count == chunks.count && used <= SmallStack.size / 2)
    }

    @Test("a sink that must see each chunk gets them one by one")
    func single() async throws {
        let sink = CollectingSink()
        let source = CountedChunks(count: 100, size: 100)
        try await ReadyChunks.send(source, to: sink)
        #expect(await sink.bytes == source.content)
        #expect(await sink.writes == Array(repeating: 100, count: 100))
    }

    @Test("ready chunks are sent without waiting for later ones")
    func notHeldBack() async throws {
        let sink = GatheringSink()
        // The next chunk is made only after all earlier ones have arrived.
        let chunks = AsyncStream<Bytes> { continuation in
            let task = Task {
                for index in 1...40 {
                    continuation.yield(Bytes([UInt8(index)]))
                    try await sink.wait(forBytes: index)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        try await ReadyChunks.send(chunks, to: sink)
        #expect(sink.bytes == Array(1...40))
    }

    @Test("at most one mebibyte and two chunks are read ahead of a blocked sink")
    func bounded() async throws {
        let sink = GatheringSink(closesAfter: 10 * Self.chunk)
        let source = CountedChunks(count: 60, size: Self.chunk)
        let sending = Task { try await ReadyChunks.send(source, to: sink) }
        // Reading stops because the sink blocks, although the sequence has more chunks.
        try await source.waitUntilStill()
        let ahead = source.made * Self.chunk - sink.bytes.count
        // The queue, the batch that was taken out of it and is blocked, and the chunk that fills the queue.
        #expect(ahead <= 2 * ChunkQueue<Bytes>.largestBytes + 2 * Self.chunk)
        sink.open()
        try await sending.value
        #expect(sink.bytes.count == 60 * Self.chunk)
    }

    @Test("an error of the sequence is thrown after all earlier chunks were sent")
    func sequenceFails() async throws {
        let sink = GatheringSink()
        let source = CountedChunks(count: 50, size: 10, error: Failure.ofSequence)
        await #expect(throws: Failure.ofSequence) { try await ReadyChunks.send(source, to: sink) }
        #expect(sink.bytes == source.content)
    }

    @Test("an error of the sink is thrown, and the sequence is read no further")
    func sinkFails() async throws {
        let sink = GatheringSink(failsAfter: 20 * 10)
        let source = CountedChunks(count: .max, size: 10)
        let error = await #expect(throws: SockeyeError.self) { try await ReadyChunks.send(source, to: sink) }
        #expect(error?.code == .connectionClosed)
    }

    @Test("an error of the sink is reported at once, even while the sequence is suspended", arguments: [false, true])
    func sinkFailsMeanwhile(isPausable: Bool) async throws {
        let sink = GatheringSink(failsAfter: 8)
        let source = CountedChunks(count: 20, size: 1, endless: true)
        let sending = Task {
            try await ReadyChunks.send(source, to: isPausable ? PausableSink(sink, TransferGate()) : sink)
        }
        try await sink.waitForFailure()
        sending.cancel()
        await #expect(throws: (any Error).self) { try await sending.value }
    }

    @Test("cancellation ends the sending, whether the sink or the sequence waits", arguments: [true, false])
    func cancelled(sinkStands: Bool) async throws {
        let sink = GatheringSink(closesAfter: sinkStands ? 10 * Self.chunk : .max)
        let source = CountedChunks(count: sinkStands ? 60 : 20, size: Self.chunk, endless: true)
        let sending = Task { try await ReadyChunks.send(source, to: sink) }
        try await source.waitUntilStill()
        sending.cancel()
        sink.open()
        await #expect(throws: (any Error).self) { try await sending.value }
    }
}

private enum Failure: Error { case ofSequence }

/// A sequence of chunks without a wait between them, which counts the requested chunks.
private final class CountedChunks: AsyncSequence, Sendable {
    private let count: Int
    private let size: Int
    private let error: Failure?
    /// If true, the sequence waits indefinitely after its last chunk.
    private let endless: Bool
    private let progress = Atomic(0)
    private let ahead: Int
    /// Fired once `ahead` chunks were requested.
    let isAhead = TestSignal()

    init(count: Int, size: Int, error: Failure? = nil, endless: Bool = false, ahead: Int = .max) {
        self.count = count
        self.size = size
        self.error = error
        self.endless = endless
        self.ahead = ahead
    }

    var made: Int { progress.load(ordering: .relaxed) }
    var content: [UInt8] { (0..<count).flatMap { Array(repeating: UInt8(truncatingIfNeeded: $0), count: size) } }

    /// Waits until the count stops changing. It stops when every task that could request a chunk is suspended.
    func waitUntilStill() async throws {
        var last = -1
        while last != made || made < 10 {
            last = made
            for _ in 0..<1000 { await Task.yield() }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: CountedChunks
        fileprivate var index = 0

        mutating func next() async throws -> Bytes? {
            guard index < source.count else {
                if let error = source.error { throw error }
                if source.endless { try await Task.sleep(for: .seconds(3600)) }
                return nil
            }
            defer { index += 1 }
            if source.progress.wrappingAdd(1, ordering: .relaxed).newValue == source.ahead { source.isAhead.fire() }
            return Bytes(repeatElement(UInt8(truncatingIfNeeded: index), count: source.size))
        }
    }
}

/// A sink that gathers chunks and counts the batches. It can block after `closesAfter` bytes until it is opened, or
/// fail after `failsAfter` bytes.
private final class GatheringSink: BodySink {
    private let state = Mutex((bytes: [UInt8](), batches: [Int]()))
    private let opened = TestSignal()
    private let failed = TestSignal()
    /// The signal at index n fires once n bytes have arrived.
    private let arrivals: [TestSignal]
    private let closesAfter: Int
    private let failsAfter: Int

    init(closesAfter: Int = .max, failsAfter: Int = .max) {
        self.closesAfter = closesAfter
        self.failsAfter = failsAfter
        arrivals = (0...40).map { _ in TestSignal() }
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var batches: [Int] { state.withLock { $0.batches } }
    var gathersChunks: Bool { true }

    func open() { opened.fire() }

    func fail(_ error: SockeyeError) { failed.fire() }

    func waitForFailure() async throws { try await failed.wait() }

    func wait(forBytes count: Int) async throws { try await arrivals[count].wait() }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        try await write(contentsOf: [chunk])
    }

    func write<Chunk: Collection<UInt8> & Sendable>(contentsOf chunks: [Chunk]) async throws(SockeyeError) {
        if bytes.count >= failsAfter { throw SockeyeError(TransportError.closed, phase: .send) }
        if bytes.count >= closesAfter {
            do {
                try await opened.wait()
            } catch {
                throw SockeyeError(TransportError.cancelled, phase: .send)
            }
        }
        let count = state.withLock { state in
            for chunk in chunks { state.bytes += chunk }
            state.batches.append(chunks.count)
            return state.bytes.count
        }
        for arrival in arrivals.prefix(count + 1) { arrival.fire() }
    }
}
