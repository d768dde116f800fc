package import SockeyeCore
import SockeyeNet
import Synchronization

/// The destination of a body's bytes. A `write` returns only when the system has taken the bytes, so that the producer
/// cannot run ahead of the connection.
package protocol BodySink: Sendable {
    /// Sends a piece; an empty one has no effect. Throws if the piece exceeds a declared length, or if the request has
    /// ended for any reason.
    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError)

    /// Sends several pieces. If ``gathersChunks`` is true, they are sent together: in one system call if the connection
    /// takes them all at once.
    func write<Chunk: Collection<UInt8> & Sendable>(contentsOf chunks: [Chunk]) async throws(SockeyeError)

    /// True if several pieces are cheaper to send together than one by one.
    var gathersChunks: Bool { get }

    /// Fails the request at once with an error that a write has thrown. Needed if one task produces the content and
    /// another writes it: the producing task may be suspended on its source, and would notice the error only at its
    /// next chunk.
    func fail(_ error: SockeyeError)

    /// Sends exactly `count` bytes of a file, from the reader's position. If the system can send files directly to the
    /// connection, the bytes are not read into memory. If the file has fewer bytes, sends these and throws.
    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError)

    /// The clock of the request's deadlines.
    var time: TimeSource { get }

    /// Suspends until `deadline` on the clock ``time``. Throws if the request ends before that, for any reason.
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
            try await EventPoller.shared().sleep(until: deadline)
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

/// A body sink that enforces a declared length. A piece that exceeds the length is refused as a whole. If the sink
/// passed on the bytes that fit, the receiver could mistake the cut-off content for the whole content.
final class LengthSink: BodySink {
    private let target: any BodySink
    private let declared: Int
    private let what: String
    private let state: Mutex<State>

    private struct State {
        /// The number of bytes that are missing.
        var left: Int
        /// The error of a refused piece. Later pieces must not be sent, because the refused piece would be missing
        /// before them.
        var excess: SockeyeError?
    }

    /// - Parameter what: The name of the content in errors.
    init(target: any BodySink, declared: Int, of what: String) {
        self.target = target
        self.declared = declared
        self.what = what
        state = Mutex(State(left: declared))
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

    /// Throws if bytes are missing or were refused. Called once, at the end of the content.
    func finish() throws(SockeyeError) {
        let (left, excess) = state.withLock { ($0.left, $0.excess) }
        if let excess { throw excess }
        guard left > 0 else { return }
        throw .bodyLengthMismatch("\(what) ended before its declared length", declared: declared, seen: declared - left)
    }

    private func take(_ count: Int) throws(SockeyeError) {
        let excess = state.withLock { state in
            if state.excess == nil, count > state.left {
                state.excess = .bodyLengthMismatch("\(what) is longer than declared", declared: declared, seen: nil)
            }
            if state.excess == nil { state.left -= count }
            return state.excess
        }
        if let excess { throw excess }
    }
}

extension OutgoingRequest.Body {
    /// Writes the content as ``produce(into:)`` does, and throws if its length differs from the declared one.
    ///
    /// - Parameter what: The name of the content in errors.
    package func produceExactly(into sink: any BodySink, as what: String) async throws {
        guard let length else { return try await produce(into: sink) }
        let exact = LengthSink(target: sink, declared: length, of: what)
        try await produce(into: exact)
        try exact.finish()
    }
}
