package import SockeyeCore
import SockeyeNet
import Synchronization

/// The sink of a body producer. Writing returns when the system has taken the bytes, which is the whole of backpressure.
package protocol BodySink: Sendable {
    /// Sends one piece; an empty one is nothing. Throws when the request is over, whoever ended it.
    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError)

    /// Sends several pieces, together where it ``gathersChunks``.
    func write<Chunk: Collection<UInt8> & Sendable>(contentsOf chunks: [Chunk]) async throws(SockeyeError)

    /// Whether pieces that are there at once cost less when they are sent together.
    var gathersChunks: Bool { get }

    /// Tells of an error of its own that whoever reads the content may not come round to pass on: it may be waiting for more.
    func fail(_ error: SockeyeError)

    /// Sends exactly `count` bytes of a file, from where the reader is; over a connection that takes them from the system
    /// directly they are not read at all. Throws when the file has fewer, before anything else can follow them.
    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError)

    /// The clock of the sender.
    var time: TimeSource { get }

    /// Suspends until `deadline` on that clock. Throws when the request is over before, whoever ended it.
    func pause(until deadline: MonotonicTime) async throws(SockeyeError)
}

extension BodySink {
    package var time: TimeSource { .system }
    package var gathersChunks: Bool { false }

    package func fail(_ error: SockeyeError) {}

    package func write<Chunk: Collection<UInt8> & Sendable>(contentsOf chunks: [Chunk]) async throws(SockeyeError) {
        for chunk in chunks { try await write(chunk) }
    }

    package func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        do throws(TransportError) {
            try await EpollPoller.shared().sleep(until: deadline)
        } catch {
            throw SockeyeError(error, phase: .send)
        }
    }

    package func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        try await copy(count, of: &file)
    }

    /// Reads `count` bytes and sends them, piece by piece.
    package func copy(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        var left = count
        while left > 0 {
            guard let piece = try await file.read(atMost: left) else { throw file.endedEarly(missing: left) }
            try await write(piece)
            left -= piece.count
        }
    }
}

/// A body sink that enforces a declared length, and passes on nothing of a piece that is too long: in a multipart body a part
/// that is one byte short would make the server take a delimiter for content.
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
