import SockeyeCompression
import SockeyeCore
import Synchronization

/// Compresses what is written to another sink. zlib gathers: small pieces come out together, or at the end.
final class CompressingSink: BodySink {
    private let target: any BodySink
    /// Used by the task that writes the body, and by no other.
    private let encoder: ContentEncoder
    /// What was announced before compressing, where it was.
    private let length: Int?
    private let written = Atomic(0)

    init(target: any BodySink, encoder: ContentEncoder, length: Int?) {
        self.target = target
        self.encoder = encoder
        self.length = length
    }

    var time: TimeSource { target.time }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await target.pause(until: deadline)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        let bytes = (chunk as? Bytes) ?? Bytes(chunk)
        let total = written.add(bytes.count, ordering: .relaxed).newValue
        if let length, total > length { throw mismatch(length, total) }
        encoder.push(bytes)
        try await drain()
    }

    /// Sends what zlib still holds. Called once, when the producer has returned.
    func finish() async throws(SockeyeError) {
        let total = written.load(ordering: .relaxed)
        if let length, total < length { throw mismatch(length, total) }
        encoder.finish()
        try await drain()
    }

    private func drain() async throws(SockeyeError) {
        while let piece = try next() { try await target.write(piece) }
    }

    private func next() throws(SockeyeError) -> Bytes? {
        do throws(CodecError) { return try encoder.next() } catch { throw SockeyeError(error) }
    }

    private func mismatch(_ length: Int, _ total: Int) -> SockeyeError {
        let message = "the body was announced with \(length) bytes and has \(total > length ? "more" : "\(total)")"
        return SockeyeError(.init(.bodyLengthMismatch, phase: .send, blame: .caller, message: message))
    }
}
