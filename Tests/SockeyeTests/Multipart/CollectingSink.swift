import Sockeye
import SockeyeCore

/// A sink that keeps a body in memory, and records the sizes of single writes and the pauses.
actor CollectingSink: BodySink {
    private(set) var bytes: [UInt8] = []
    private(set) var writes: [Int] = []
    private(set) var pauses: [MonotonicTime] = []
    let time: TimeSource
    private let clock: ManualTime?

    /// - Parameter clock: The clock of the sink. A pause advances it.
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

    /// Collects the whole body.
    static func collect(_ body: OutgoingRequest.Body) async throws -> CollectingSink {
        let sink = CollectingSink()
        try await body.produce(into: sink)
        return sink
    }
}
