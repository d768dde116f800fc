package import SockeyeNet
package import SockeyePlatform
import Synchronization

/// An in-memory connection to a peer that waits for a request head and then sends scripted pieces, one for each read.
/// The first writes may have scripted outcomes, too; the peer takes all other writes completely.
package final class ScriptedStream: ByteStream {
    /// The outcome of a write.
    package enum Write: Sendable {
        /// The connection takes at most this many bytes.
        case take(Int)
        /// The connection takes nothing. It is writable again at once.
        case blockBriefly
        /// The connection takes nothing before ``becomeWritable()``.
        case block
        case fail(TransportError)
        /// The connection has ended.
        case end
    }

    /// The peer's behavior after the last piece.
    package indirect enum Ending: Sendable {
        /// The peer ends its direction.
        case end
        /// The peer stays silent.
        case silence
        /// Reads fail.
        case failure(TransportError)
        /// The peer waits for another request head, sends the text, and then behaves as `then` defines.
        case answer(String, then: Ending)
    }

    private struct State {
        /// The unread pieces in reverse order, so the next one is last.
        var pieces: [ArraySlice<UInt8>]
        /// The outcomes of the next writes in reverse order.
        var writes: [Write]
        var ending: Ending
        var written: [UInt8] = []
        /// The last written bytes, at most three: the end of a head (CR LF CR LF) may be split between two writes.
        var tail: [UInt8] = []
        var hasHead = false
        /// The number of bytes written after the head.
        var content = 0
        var isClosed = false
        var waits = 0

        /// Begins the next exchange if the peer has answered and answers another request.
        mutating func awaitNextRequest() {
            guard hasHead, pieces.isEmpty, case .answer(let text, let ending) = ending else { return }
            (pieces, self.ending, hasHead, tail) = ([Array(text.utf8)[...]], ending, false, [])
        }
    }

    private let state: Mutex<State>
    private let point: WaitPoint
    package let isUnacknowledged: Bool

    /// - Parameters:
    ///   - writes: The outcomes of the first writes.
    ///   - isEarly: True if the peer does not wait for a request head.
    ///   - isUnacknowledged: True if the peer's TCP acknowledges no byte.
    package init(
        _ pieces: some Sequence<ArraySlice<UInt8>>, then ending: Ending = .end, writes: [Write] = [],
        isEarly: Bool = false, isUnacknowledged: Bool = false, poller: any Poller
    ) throws(TransportError) {
        state = Mutex(
            State(
                pieces: pieces.filter { !$0.isEmpty }.reversed(), writes: writes.reversed(), ending: ending,
                hasHead: isEarly))
        self.isUnacknowledged = isUnacknowledged
        point = try poller.makeWaitPoint(descriptor: nil)
    }

    /// A peer that sends text in one piece.
    package convenience init(
        _ text: String, then ending: Ending = .end, writes: [Write] = [], isEarly: Bool = false, poller: any Poller
    ) throws(TransportError) {
        try self.init(
            [Array(text.utf8)[...]], then: ending, writes: writes, isEarly: isEarly, poller: poller)
    }

    deinit { close() }

    /// The number of unread bytes of the script.
    package var unreadCount: Int { state.withLock { $0.pieces.reduce(0) { $0 + $1.count } } }
    /// The number of bytes written to the peer after the request head.
    package var contentCount: Int { state.withLock { $0.content } }
    /// All bytes written to the peer.
    package var written: [UInt8] { state.withLock { $0.written } }
    package var isClosed: Bool { state.withLock { $0.isClosed } }
    /// True if no further write has a scripted outcome.
    package var isWriteScriptOver: Bool { state.withLock { $0.writes.isEmpty } }

    /// The number of waits so far. The last wait may not have begun yet, but it also notices signals that came before
    /// its beginning.
    package var waitCount: Int { state.withLock { $0.waits } }

    /// Ends a blocked write.
    package func becomeWritable() { point.signal(.write) }

    /// Appends a piece to the script.
    package func send(_ text: String) {
        state.withLock { $0.pieces.insert(Array(text.utf8)[...], at: 0) }
        point.signal(.read)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        nonisolated(unsafe) let buffer = unsafe buffer
        let transfer = state.withLock { state -> Transfer in
            if state.isClosed { return .failed(.closed) }
            guard state.hasHead else { return .wouldBlock(.read) }
            guard var piece = state.pieces.popLast() else {
                switch state.ending {
                case .end: return .end
                case .silence, .answer: return .wouldBlock(.read)
                case .failure(let error): return .failed(error)
                }
            }
            let count = unsafe min(piece.count, buffer.count)
            unsafe buffer.copyBytes(from: piece.prefix(count))
            piece.removeFirst(count)
            if !piece.isEmpty { state.pieces.append(piece) }
            return .bytes(count)
        }
        // The next piece is available at once, as on a socket.
        if case .bytes = transfer { point.signal(.read) }
        return transfer
    }

    package var hasNothingToRead: Bool {
        state.withLock { state in
            guard !state.isClosed, state.hasHead else { return true }
            switch state.ending {
            case .silence, .answer: return state.pieces.isEmpty
            case .end, .failure: return false
            }
        }
    }

    package func write(_ buffer: UnsafeRawBufferPointer) -> Transfer { unsafe take(Array(buffer)) }

    package func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
        var bytes: [UInt8] = []
        for index in vectors.indices { unsafe bytes.append(contentsOf: vectors[index].bytes) }
        return take(bytes)
    }

    private func take(_ bytes: [UInt8]) -> Transfer {
        let outcome: Write? = state.withLock { $0.isClosed ? .fail(.closed) : $0.writes.popLast() }
        switch outcome {
        case nil: return take(bytes[...])
        case .take(let limit): return take(bytes.prefix(limit))
        case .blockBriefly:
            point.signal(.write)
            return .wouldBlock(.write)
        case .block: return .wouldBlock(.write)
        case .fail(let error):
            breakOff()
            return .failed(error)
        case .end:
            breakOff()
            return .end
        }
    }

    /// Makes the peer answer no further request.
    private func breakOff() {
        state.withLock { state in
            if case .answer(_, let ending) = state.ending { state.ending = ending }
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) -> Transfer {
        let emptyLine = Array("\r\n\r\n".utf8)
        let isAnswering = state.withLock { state in
            state.written += bytes
            state.awaitNextRequest()
            guard !state.hasHead else {
                state.content += bytes.count
                return false
            }
            let seen = state.tail + bytes
            state.tail = seen.suffix(emptyLine.count - 1)
            guard let end = seen.indices.first(where: { seen[$0...].starts(with: emptyLine) }) else { return false }
            state.hasHead = true
            state.content = seen.count - end - emptyLine.count
            return true
        }
        if isAnswering { point.signal(.read) }
        return .bytes(bytes.count)
    }

    package func waitPoint(for _: Interest, as _: StreamRole) -> WaitPoint {
        state.withLock { $0.waits += 1 }
        return point
    }

    package func closeWrite() -> Transfer { .bytes(0) }

    package func abort() {
        state.withLock { $0.isClosed = true }
        point.signal([.read, .write])
    }

    package func close() {
        state.withLock { $0.isClosed = true }
        point.close()
    }
}
