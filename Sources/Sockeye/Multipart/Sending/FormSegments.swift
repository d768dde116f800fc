import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// A form as a sequence of writes: what is small and in memory in few of them, what is large as it is.
struct FormSegments: Sendable {
    private enum Segment: Sendable {
        case bytes(Bytes)
        case part(OutgoingRequest.Body, number: Int)

        /// What goes together with what is around it: bytes, or a file, which is read for it.
        var small: Bytes? {
            get throws(SockeyeError) {
                switch self {
                case .bytes(let bytes): bytes.count <= FormSegments.smallSize ? bytes : nil
                case .part(let content, _):
                    if let length = content.length, length <= FormSegments.smallSize {
                        try content.readShortFile()
                    } else {
                        nil
                    }
                }
            }
        }
    }

    private var segments: [Segment] = []
    private var gathered: [UInt8] = []

    /// Up to here copying is less work than a write of its own.
    private static let smallSize = 16 << 10
    /// How much goes with one write.
    private static let gatherSize = 64 << 10

    /// Adds what `write` adds to the bytes.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&gathered)
        if gathered.count >= Self.gatherSize { flush() }
    }

    mutating func append(_ content: OutgoingRequest.Body, part: Int) {
        switch content.source {
        case .none: break
        case .bytes(let bytes) where bytes.count <= Self.smallSize: append { $0.append(contentsOf: bytes) }
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
    ///
    /// - Parameter oneShotClaim: Of the parts that can be read once.
    func body(length: Int?, _ oneShotClaim: OneShotClaim?) -> OutgoingRequest.Body {
        var all = self
        all.flush()
        let segments = all.segments
        if segments.count == 1, case .bytes(let bytes)? = segments.first { return .bytes(bytes) }
        return .produced(length: length, oneShotClaim) { sink in
            var gathered = BytesAccumulator(expected: Self.gatherSize)
            for segment in segments {
                if let bytes = try segment.small {
                    gathered.append(bytes)
                    if gathered.count >= Self.gatherSize { try await sink.write(gathered.finish()) }
                    continue
                }
                if gathered.count > 0 { try await sink.write(gathered.finish()) }
                switch segment {
                case .bytes(let bytes): try await sink.write(bytes)
                case .part(let content, let number):
                    try await content.produceExactly(into: sink, as: "part \(number) of the form")
                }
            }
            if gathered.count > 0 { try await sink.write(gathered.finish()) }
        }
    }
}
