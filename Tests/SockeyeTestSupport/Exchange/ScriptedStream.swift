package import SockeyeNet
package import SockeyePlatform
import Synchronization

/// An in-memory connection to a peer that waits for a request head and then sends scripted pieces, one for each read.
package final class ScriptedStream: ByteStream {
    private struct State {
        /// The unread pieces in reverse order, so the next one is last.
        var pieces: [ArraySlice<UInt8>]
        /// The last written bytes, one fewer than an empty line has.
        var tail: [UInt8] = []
        var hasHead = false
        /// The number of bytes written after the head.
        var content = 0
        var isClosed = false
    }

    private let state: Mutex<State>
    private let point: WaitPoint
    /// True if the peer ends its direction after the last piece; otherwise it stays silent.
    private let ends: Bool

    package init(
        _ pieces: some Sequence<ArraySlice<UInt8>>, ends: Bool = true, poller: any Poller
    ) throws(TransportError) {
        state = Mutex(State(pieces: pieces.filter { !$0.isEmpty }.reversed()))
        self.ends = ends
        point = try poller.makeWaitPoint(descriptor: nil)
    }

    deinit { close() }

    /// The number of unread bytes of the script.
    package var unreadCount: Int { state.withLock { $0.pieces.reduce(0) { $0 + $1.count } } }
    /// The number of bytes written to the peer after the request head.
    package var contentCount: Int { state.withLock { $0.content } }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        nonisolated(unsafe) let buffer = unsafe buffer
        let transfer = state.withLock { state -> Transfer in
            if state.isClosed { return .failed(.closed) }
            guard state.hasHead else { return .wouldBlock(.read) }
            guard var piece = state.pieces.popLast() else { return ends ? .end : .wouldBlock(.read) }
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
        state.withLock { $0.isClosed || !$0.hasHead || $0.pieces.isEmpty && !ends }
    }

    package func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        unsafe note(buffer)
        return .bytes(buffer.count)
    }

    package func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
        var count = 0
        for index in vectors.indices {
            let bytes = unsafe vectors[index].bytes
            unsafe note(bytes)
            count += bytes.count
        }
        return .bytes(count)
    }

    private func note(_ bytes: UnsafeRawBufferPointer) {
        let (bytes, emptyLine) = (unsafe Array(bytes), Array("\r\n\r\n".utf8))
        let isAnswering = state.withLock { state in
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
    }

    package func waitPoint(for _: Interest, as _: StreamRole) -> WaitPoint { point }
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
