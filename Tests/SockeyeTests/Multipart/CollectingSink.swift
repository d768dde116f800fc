import Sockeye
import SockeyeCore

/// Takes a body into memory, and notes how it came: the sizes of single writes, and what was taken of files.
actor CollectingSink: BodySink {
    private(set) var bytes: [UInt8] = []
    private(set) var writes: [Int] = []
    private(set) var pauses: [MonotonicTime] = []
    let time: TimeSource
    private let clock: ManualTime?

    /// - Parameter clock: The clock of the sink, which is moved by its pauses.
    init(clock: ManualTime? = nil) {
        self.clock = clock
        time = TimeSource(manual: clock)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        bytes += chunk
        writes.append(chunk.count)
    }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        pauses.append(deadline)
        clock?.advance(by: deadline.since(time.now))
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Everything that a body consists of.
    static func collect(_ body: OutgoingRequest.Body) async throws -> CollectingSink {
        let sink = CollectingSink()
        try await body.produce(into: sink)
        return sink
    }
}
