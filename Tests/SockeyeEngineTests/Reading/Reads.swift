import SockeyeCore
import SockeyeNet
import SockeyePlatform
import Synchronization

/// A stream whose reads return given pieces, one each, and then the end.
final class Reads: ByteStream {
    private let pieces: Mutex<[[UInt8]]>
    private let rooms = Mutex<[Int]>([])

    init(_ pieces: [[UInt8]]) { self.pieces = Mutex(pieces.filter { !$0.isEmpty }.reversed()) }

    /// A stream of pieces of at most `count` bytes.
    convenience init(_ bytes: [UInt8], by count: Int) {
        self.init(
            stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<min(bytes.count, $0 + count)]) })
    }

    /// The room that each read had, in bytes.
    var roomOfReads: [Int] { rooms.withLock { $0 } }
    /// The room that the last read had, in bytes.
    var lastRoom: Int { rooms.withLock { $0.last ?? 0 } }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        nonisolated(unsafe) let buffer = unsafe buffer
        rooms.withLock { unsafe $0.append(buffer.count) }
        return pieces.withLock { pieces in
            guard let piece = pieces.popLast() else { return .end }
            let count = unsafe min(piece.count, buffer.count)
            unsafe buffer.copyBytes(from: piece[..<count])
            if count < piece.count { pieces.append(Array(piece[count...])) }
            return .bytes(count)
        }
    }

    func write(_: UnsafeRawBufferPointer) -> Transfer { .failed(.closed) }
    func write(vectors _: UnsafeBufferPointer<IOVector>) -> Transfer { .failed(.closed) }
    func waitPoint(for _: Interest, as _: StreamRole) -> WaitPoint { preconditionFailure("a reader does not wait") }
    func closeWrite() -> Transfer { .bytes(0) }
    func abort() {}
    func close() {}
}
