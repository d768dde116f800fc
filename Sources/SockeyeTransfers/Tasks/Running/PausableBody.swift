import SockeyeCore
import SockeyeEngine

/// A body sink that waits while its task is paused.
final class PausableSink: BodySink {
    private let downstream: any BodySink
    private let gate: TransferGate

    /// The maximum number of file bytes sent between two checks of the gate.
    private static let longestRun = 4 << 20

    init(_ downstream: any BodySink, _ gate: TransferGate) {
        self.downstream = downstream
        self.gate = gate
    }

    var time: TimeSource { downstream.time }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await downstream.pause(until: deadline)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        try await gate.pass(.send)
        try await downstream.write(chunk)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(contentsOf chunks: [Chunk]) async throws(SockeyeError) {
        try await gate.pass(.send)
        try await downstream.write(contentsOf: chunks)
    }

    var gathersChunks: Bool { downstream.gathersChunks }

    func fail(_ error: SockeyeError) { downstream.fail(error) }

    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        var left = count
        while left > 0 {
            try await gate.pass(.send)
            let run = min(left, Self.longestRun)
            try await downstream.write(run, of: &file)
            left -= run
        }
    }
}

extension OutgoingRequest.Body {
    /// Returns the same content with a producer that waits while the task is paused. Content in memory has no producer;
    /// before sending it, the connection checks the gate in the request's options.
    func passing(_ gate: TransferGate) -> OutgoingRequest.Body {
        wrappingProducer { produce in
            { sink in try await produce(PausableSink(sink, gate)) }
        }
    }
}

/// A body source that waits while its task is paused, and counts bytes.
final class PausableSource: BodySource {
    private let upstream: any BodySource
    private let gate: TransferGate
    private let deadline: TransferDeadline?
    private let channel: ProgressChannel?

    /// - Parameter deadline: The total deadline of the `TransferTask`, which also ends a pause. Nil if a separate Swift
    ///   task waits for the deadline and then cancels the reading task.
    init(
        _ upstream: any BodySource, _ gate: TransferGate, until deadline: TransferDeadline? = nil,
        counting channel: ProgressChannel? = nil
    ) {
        self.upstream = upstream
        self.gate = gate
        self.deadline = deadline
        self.channel = channel
    }

    var trailers: Headers? { upstream.trailers }

    func abandonStoring() { upstream.abandonStoring() }

    func next() async throws(SockeyeError) -> Bytes? {
        if gate.isShut {
            if let deadline { try await deadline.pass(gate, in: .body) } else { try await gate.pass(.body) }
        }
        let piece = try await upstream.next()
        if let piece { channel?.add(piece.count) }
        return piece
    }
}
