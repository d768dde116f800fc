import SockeyeCore
package import SockeyeNet
package import SockeyePlatform
import Synchronization

/// An in-memory connection to a peer that never pauses: after the first write each read finds more bytes of an
/// ``EndlessAnswer``.
///
/// The connection ends after a number of bytes, so that a reader that ignores cancellation fails its test instead of
/// never ending.
package final class EndlessConnection: ByteStream {
    private struct State {
        var hasBegun: Bool
        var position = 0
        var isClosed = false
    }

    private let answer: EndlessAnswer
    private let end: Int
    private let state: Mutex<State>
    private let point: WaitPoint

    /// - Parameters:
    ///   - end: The number of bytes after which the peer ends its direction.
    ///   - waits: True if the peer waits for the first write.
    package init(
        _ answer: EndlessAnswer, end: Int, waits: Bool = true, poller: any Poller
    ) throws(TransportError) {
        self.answer = answer
        self.end = end
        state = Mutex(State(hasBegun: !waits))
        point = try poller.makeWaitPoint(descriptor: nil)
    }

    deinit { close() }

    /// The number of bytes that were read.
    package var position: Int { state.withLock { $0.position } }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        nonisolated(unsafe) let buffer = unsafe buffer
        return state.withLock { state -> Transfer in
            if state.isClosed { return .failed(.closed) }
            guard state.hasBegun else { return .wouldBlock(.read) }
            let count = unsafe min(buffer.count, end - state.position)
            guard count > 0 else { return .end }
            var filled = 0
            while filled < count {
                let free = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<count])
                filled += unsafe copy(from: state.position + filled, to: free)
            }
            state.position += count
            return .bytes(count)
        }
    }

    /// Copies up to the end of the start or of the block. Returns the number of bytes.
    private func copy(from position: Int, to free: UnsafeMutableRawBufferPointer) -> Int {
        let start = answer.start.count
        let (piece, offset) =
            position < start ? (answer.start, position) : (answer.block, (position - start) % answer.block.count)
        let count = min(piece.count - offset, free.count)
        unsafe piece.withUnsafeBytes { bytes in
            unsafe free.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        return count
    }

    package func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        begin()
        return .bytes(buffer.count)
    }

    package func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
        begin()
        return unsafe .bytes(vectors.reduce(0) { unsafe $0 + $1.bytes.count })
    }

    private func begin() {
        state.withLock { $0.hasBegun = true }
        point.signal(.read)
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
