import SockeyeCore
import SockeyeNet
import SockeyePlatform
import Synchronization

/// The writing half of an accepted connection: gathers a head and a body into one system call.
///
/// One task at a time writes; the lock only keeps `close` from pulling the descriptor away under a system call.
final class ConnectionWriter: Sendable {
    private struct State {
        /// Head, chunk framing and small bodies, kept to spare an allocation per message.
        var scratch: [UInt8] = []
        /// How much of scratch, body and tail together is out.
        var sent = 0
        var isClosed = false
    }

    /// Bodies up to this size are copied behind their head: cheaper than a vector.
    private static let smallBody = 8 << 10

    private let stream: any ByteStream
    private let state = Mutex(State())

    init(_ stream: any ByteStream) {
        self.stream = stream
    }

    /// Writes what `prefix` appends, then `body`, then `tail`, to the last byte.
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

    /// Writes until everything is out (nil) or nothing more can be.
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

    /// Ends this direction.
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

    /// After this no write touches the stream.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
