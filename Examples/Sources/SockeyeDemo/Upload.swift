import Sockeye

/// An upload of a large body from an asynchronous sequence; only one piece of it is in memory at any time.
struct Upload: Scene {
    let bytes: Int

    func run(_ client: HTTPClient, _ terminal: Terminal) async throws {
        Memory.resetPeak()
        let before = Memory.resident
        let (answer, time) = try await timed {
            try await client.put("/upload", .stream(Pieces(total: bytes), length: bytes)).text()
        }
        guard answer == "\(bytes)" else { throw Mismatch(expected: bytes, seen: answer) }
        terminal.result("upload of \(size(bytes))", rate(bytes, in: time), format(time))
        terminal.note("peak memory \(size(Memory.peak)), \(size(max(0, Memory.peak - before))) more than before")
    }
}

/// A sequence of `total` bytes in pieces of up to 64 KiB.
struct Pieces: AsyncSequence, Sendable {
    let total: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        private let piece = Bytes([UInt8](repeating: 0x2A, count: 64 << 10))
        private var remaining: Int

        fileprivate init(_ total: Int) {
            remaining = total
        }

        mutating func next() async -> Bytes? {
            guard remaining > 0 else { return nil }
            let count = Swift.min(remaining, piece.count)
            remaining -= count
            return piece.slice(0..<count)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(total) }
}

/// An error: the server or the client counted another number of bytes.
struct Mismatch: Error {
    var expected: Int
    var seen: String
}
