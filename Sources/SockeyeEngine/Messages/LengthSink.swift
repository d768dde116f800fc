import SockeyeCore
import Synchronization

/// Passes content on as long as it is what was declared, and nothing of a piece that is too long: a part that is one byte
/// short would make the server take a delimiter for content.
final class LengthSink: BodySink {
    private let target: any BodySink
    private let declared: Int
    private let what: String
    private let left: Mutex<Int>

    /// - Parameter what: What errors call the content.
    init(target: any BodySink, declared: Int, of what: String) {
        self.target = target
        self.declared = declared
        self.what = what
        left = Mutex(declared)
    }

    var time: TimeSource { target.time }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await target.pause(until: deadline)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        try take(chunk.count)
        try await target.write(chunk)
    }

    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        try take(count)
        try await target.write(count, of: &file)
    }

    /// Called once, when the content is over.
    func finish() throws(SockeyeError) {
        let left = left.withLock { $0 }
        guard left > 0 else { return }
        throw .bodyLengthMismatch("\(what) ended before its declared length", declared: declared, seen: declared - left)
    }

    private func take(_ count: Int) throws(SockeyeError) {
        let fits = left.withLock { left in
            guard count <= left else { return false }
            left -= count
            return true
        }
        guard !fits else { return }
        throw .bodyLengthMismatch("\(what) is longer than declared", declared: declared, seen: nil)
    }
}

extension OutgoingRequest.Body {
    /// Writes the content as ``produce(into:)`` does, and throws where it is not as long as declared.
    ///
    /// - Parameter what: What errors call the content.
    package func produceExactly(into sink: any BodySink, as what: String) async throws {
        guard let length else { return try await produce(into: sink) }
        let exact = LengthSink(target: sink, declared: length, of: what)
        try await produce(into: exact)
        try exact.finish()
    }
}
