import SockeyeCore
import SockeyeNet
import Synchronization

/// The reading half of an accepted connection: a stream and a buffer of bytes that were read but not consumed.
///
/// One task reads at a time; a second reading task gets an error. The connection calls ``close()`` before it closes the
/// descriptor. ``close()`` waits for the lock, which a task holds during its system call, so no system call can use a
/// closed descriptor.
final class ConnectionReader: Sendable {
    private struct State {
        /// The buffer; nil between requests, so that an idle connection holds no memory.
        var block: ByteStorage?
        var start = 0
        var end = 0
        /// The size of new buffers. It grows while reads fill whole buffers, so that large bodies are read in few large
        /// pieces.
        var blockSize = ConnectionReader.smallBlock
        var sawEnd = false
        var isClosed = false
        var isFilling = false
        var recorder: (@Sendable (Bytes) -> Void)?
    }

    static let smallBlock = 16 << 10
    private static let largeBlock = 256 << 10

    private let stream: any ByteStream
    private let state = Mutex(State())

    init(_ stream: any ByteStream) {
        self.stream = stream
    }

    /// True while a task waits for bytes.
    var isFilling: Bool { state.withLock { $0.isFilling } }

    /// Passes every byte that is read from now on to `recorder`.
    func record(_ recorder: @escaping @Sendable (Bytes) -> Void) {
        state.withLock { $0.recorder = recorder }
    }

    /// Passes the buffered bytes to `body`, and removes as many of them as `body` reports as consumed.
    func consume<Result: Sendable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> (consumed: Int, result: Result)
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in
            guard let block = state.block else {
                return try unsafe body(UnsafeRawBufferPointer(start: nil, count: 0)).result
            }
            let window = unsafe UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(block.mutableBytes)[state.start..<state.end])
            let (consumed, result) = unsafe try body(window)
            state.start += consumed
            return result
        }
    }

    /// Skips `offset` buffered bytes and takes the next `count`, without a copy.
    func take(_ count: Int, after offset: Int = 0) -> Bytes {
        state.withLock { state in
            guard let block = state.block, count > 0 else {
                state.start += offset
                return Bytes()
            }
            let bytes = Bytes(storage: block, offset: state.start + offset, count: count)
            state.start += offset + count
            return bytes
        }
    }

    /// Reads more bytes into the buffer. Returns false if the peer has ended its direction.
    ///
    /// - Parameter isIdle: True if the peer may stay silent for long; then an empty buffer is freed while waiting.
    /// - Throws: `TransportError`, or ``TestServerError`` (`misuse`) while another task waits for bytes.
    func fill(isIdle: Bool = false, until deadline: MonotonicTime = .distantFuture) async throws -> Bool {
        try state.withLock { state throws(TestServerError) in
            guard !state.isFilling else { throw TestServerError(.misuse, "two tasks read from one connection") }
            state.isFilling = true
        }
        defer { state.withLock { $0.isFilling = false } }
        while true {
            let transfer = state.withLock { Self.attempt(&$0, stream: stream, isIdle: isIdle) }
            switch transfer {
            case .bytes: return true
            case .end: return false
            case .failed(let error): throw error
            case .wouldBlock(let interest): try await stream.wait(for: interest, as: .reader, until: deadline)
            }
        }
    }

    private static func attempt(_ state: inout State, stream: any ByteStream, isIdle: Bool) -> Transfer {
        guard !state.isClosed else { return .failed(.closed) }
        guard !state.sawEnd else { return .end }
        makeRoom(&state)
        guard let block = state.block else { return .failed(.closed) }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: block.mutableBytes[state.end...])
        let transfer = unsafe stream.read(into: room)
        switch transfer {
        case .bytes(let count):
            if let recorder = state.recorder {
                unsafe recorder(Bytes(copying: UnsafeRawBufferPointer(rebasing: room[..<count])))
            }
            state.end += count
            if count == block.byteCapacity { state.blockSize = min(largeBlock, state.blockSize * 4) }
        case .end:
            state.sawEnd = true
        case .wouldBlock:
            if isIdle, state.start == state.end {
                state.block = nil
                state.blockSize = smallBlock
            }
        case .failed: break
        }
        return transfer
    }

    /// Makes room for at least one byte after `end`, in memory that no returned `Bytes` shares.
    private static func makeRoom(_ state: inout State) {
        if state.block != nil, isKnownUniquelyReferenced(&state.block) {
            if state.start == state.end {
                state.start = 0
                state.end = 0
            }
            if let block = state.block, state.end < block.byteCapacity,
                state.end > 0 || block.byteCapacity >= state.blockSize
            {
                return
            }
        }
        let rest = state.end - state.start
        let block = ByteStorage.allocate(capacity: max(state.blockSize, rest * 2))
        if let old = state.block, rest > 0 {
            unsafe block.mutableBytes.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: old.mutableBytes[state.start..<state.end]))
        }
        state.block = block
        state.start = 0
        state.end = rest
    }

    /// Prevents all further reads from touching the stream.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.block = nil
            $0.start = 0
            $0.end = 0
        }
    }
}
