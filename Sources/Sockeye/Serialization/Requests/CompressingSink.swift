import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Compresses what is written to another sink. zlib gathers: small pieces come out together, or at the end.
final class CompressingSink: BodySink {
    private let target: any BodySink
    /// Used by the task that writes the body, and by no other.
    private let encoder: ContentEncoder

    init(target: any BodySink, encoder: ContentEncoder) {
        self.target = target
        self.encoder = encoder
    }

    var time: TimeSource { target.time }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await target.pause(until: deadline)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        encoder.push((chunk as? Bytes) ?? Bytes(chunk))
        try await drain()
    }

    /// Sends what zlib still holds. Called once, when the producer has returned.
    func finish() async throws(SockeyeError) {
        encoder.finish()
        try await drain()
    }

    private func drain() async throws(SockeyeError) {
        while let piece = try next() { try await target.write(piece) }
    }

    private func next() throws(SockeyeError) -> Bytes? {
        do throws(CodecError) { return try encoder.next() } catch { throw SockeyeError(error) }
    }
}
