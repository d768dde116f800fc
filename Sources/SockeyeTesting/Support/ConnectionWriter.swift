import SockeyeCore
import SockeyeNet
import SockeyePlatform
import Synchronization

/// The writing half of an accepted connection. It writes a head and a body in one system call.
///
/// Two tasks must not write at the same time; the writer does not check this. ``TestConnection`` calls ``close()``
/// before it closes the descriptor. ``close()`` waits for the lock, which a task holds during its system call, so no
/// system call can use a closed descriptor.
final class ConnectionWriter: Sendable {
    private struct State {
        /// A buffer for heads, chunk framing and small bodies, kept to avoid an allocation per message.
        var scratch: [UInt8] = []
        /// The number of bytes that the current call of ``send(body:tail:prefix:)`` has written, counted over
        /// `scratch`, body and tail together.
        var sent = 0
        var isClosed = false
    }

    /// The size in bytes of the largest body that is copied into the buffer of its head. For such a body, a copy is
    /// cheaper than a vectored write.
    private static let smallBody = 8 << 10

    private let stream: any ByteStream
    private let state = Mutex(State())

    init(_ stream: any ByteStream) {
        self.stream = stream
    }

    /// Writes the bytes that `prefix` appends, then `body`, then `tail`, completely.
    func send(
        body: Bytes = Bytes(), tail: Bytes = Bytes(), prefix: (inout [UInt8]) -> Void = { _ in }
    ) async throws(TransportError) {
        let isSmall = body.count <= Self.smallBody
        let body1 = isSmall ? Bytes() : body
        let tail1 = isSmall ? Bytes() : tail
        var transfer = state.withLock { state in
            state.scratch.removeAll(keepingCapacity: true)
            state.sent = 0
            prefix(&state.scratch)
            if isSmall {
                state.scratch.append(contentsOf: body)
                state.scratch.append(contentsOf: tail)
            }
            return push(&state, body1, tail1)
        }
        while let pending = transfer {
            switch pending {
            case .wouldBlock(let interest): try await stream.wait(for: interest, as: .writer, until: .distantFuture)
            case .failed(let error): throw error
            case .bytes, .end: break
            }
            transfer = state.withLock { push(&$0, body1, tail1) }
        }
    }

    /// Writes until everything is sent, and then returns nil. If the stream would block or fails, returns that outcome.
    private func push(_ state: inout State, _ body: Bytes, _ tail: Bytes) -> Transfer? {
        let total = state.scratch.count + body.count + tail.count
        while state.sent < total {
            guard !state.isClosed else { return .failed(.closed) }
            let transfer = writeRest(state, body, tail)
            guard case .bytes(let count) = transfer else { return transfer }
            state.sent += count
        }
        return nil
    }

    private func writeRest(_ state: borrowing State, _ body: Bytes, _ tail: Bytes) -> Transfer {
        let sent = state.sent
        return unsafe state.scratch.withUnsafeBytes { head in
            if body.isEmpty && tail.isEmpty {
                return unsafe stream.write(UnsafeRawBufferPointer(rebasing: head[sent...]))
            }
            return unsafe body.withUnsafeBytes { body in
                unsafe tail.withUnsafeBytes { tail in
                    unsafe Self.vectors(of: [head, body, tail], from: sent).withUnsafeBufferPointer { vectors in
                        unsafe stream.write(vectors: vectors)
                    }
                }
            }
        }
    }

    private static func vectors(of pieces: [UnsafeRawBufferPointer], from start: Int) -> [IOVector] {
        var skip = start
        var vectors: [IOVector] = unsafe []
        for index in unsafe pieces.indices {
            let piece = unsafe pieces[index]
            let rest = unsafe UnsafeRawBufferPointer(rebasing: piece.dropFirst(skip))
            skip = max(0, skip - piece.count)
            if unsafe !rest.isEmpty { unsafe vectors.append(IOVector(rest)) }
        }
        return unsafe vectors
    }

    /// Shuts down the writing direction.
    func closeWrite() async throws(TransportError) {
        while true {
            let transfer = state.withLock { $0.isClosed ? .failed(.closed) : stream.closeWrite() }
            switch transfer {
            case .bytes, .end: return
            case .failed(let error): throw error
            case .wouldBlock(let interest): try await stream.wait(for: interest, as: .writer, until: .distantFuture)
            }
        }
    }

    /// Prevents all further writes from touching the stream.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
