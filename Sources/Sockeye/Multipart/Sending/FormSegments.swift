import SockeyeCore
import SockeyeMultipart

/// A form as a sequence of writes: what is small and in memory in few of them, what is large as it is.
struct FormSegments: Sendable {
    private enum Segment: Sendable {
        case bytes(Bytes)
        case part(RequestBody, number: Int)
    }

    private var segments: [Segment] = []
    private var gathered: [UInt8] = []

    /// Up to here copying is less work than a write of its own.
    private static let smallSize = 16 << 10
    /// How much goes with one write.
    private static let gatherSize = 64 << 10

    mutating func append(_ bytes: [UInt8]) {
        gathered += bytes
        if gathered.count >= Self.gatherSize { flush() }
    }

    mutating func append(_ content: RequestBody, part: Int) {
        switch content.source {
        case .none: break
        case .bytes(let bytes) where bytes.count <= Self.smallSize: append(Array(bytes))
        case .bytes(let bytes):
            flush()
            segments.append(.bytes(bytes))
        case .producer:
            flush()
            segments.append(.part(content, number: part))
        }
    }

    private mutating func flush() {
        guard !gathered.isEmpty else { return }
        segments.append(.bytes(Bytes(gathered)))
        gathered = []
    }

    /// The body. One that is small and in memory as a whole is just bytes, which go out with the head of the request.
    func body(length: Int?, isReplayable: Bool) -> RequestBody {
        var all = self
        all.flush()
        let segments = all.segments
        if segments.count == 1, case .bytes(let bytes)? = segments.first { return .bytes(bytes) }
        return .produced(length: length, isReplayable: isReplayable) { sink in
            for segment in segments {
                switch segment {
                case .bytes(let bytes): try await sink.write(bytes)
                case .part(let content, let number):
                    let part = PartSink(target: sink, part: number, length: content.length)
                    try await content.produce(into: part)
                    try part.finish()
                }
            }
        }
    }
}
