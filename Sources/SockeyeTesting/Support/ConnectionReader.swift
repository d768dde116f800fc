import SockeyeCore
import SockeyeNet
import Synchronization

/// The reading half of an accepted connection: a stream and what has been read from it and not been used.
///
/// One task at a time reads; the lock only keeps `close` from pulling the descriptor away under a system call.
final class ConnectionReader: Sendable {
    private struct State {
        /// Nil between requests: an idle connection owns no buffer.
        var block: ByteStorage?
        var start = 0
        var end = 0
        /// Grows while reads fill whole blocks, so that a bulk body is read in few large pieces.
        var blockSize = ConnectionReader.smallBlock
        var sawEnd = false
        var isClosed = false
        var recorder: (@Sendable (Bytes) -> Void)?
    }

    static let smallBlock = 16 << 10
    private static let largeBlock = 256 << 10

    private let stream: any ByteStream
    private let state = Mutex(State())

    init(_ stream: any ByteStream) {
        self.stream = stream
    }

    /// Reports every byte that is read from now on.
    func record(_ recorder: @escaping @Sendable (Bytes) -> Void) {
        state.withLock { $0.recorder = recorder }
    }

    /// Looks at what is buffered; `body` says how many bytes of it are used up.
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

    /// The next `count` buffered bytes, without a copy, after skipping `offset` of them.
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

    /// Reads more behind what is buffered. False when the peer has ended its direction.
    ///
    /// - Parameter isIdle: The peer may stay silent for long: keep no memory while waiting.
    func fill(
        isIdle: Bool = false, until deadline: MonotonicTime = .distantFuture
    ) async throws(TransportError) -> Bool {
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

    /// Leaves at least one free byte behind `end`, in memory that no handed-out `Bytes` can see.
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

    /// After this no read touches the stream.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.block = nil
            $0.start = 0
            $0.end = 0
        }
    }
}
