import SockeyeCore
import SockeyeNet
import SockeyePlatform

/// Reads and writes of complete data, as protocols over a stream make them.
extension ByteStream {
    func sendAll(_ bytes: [UInt8], piece: Int = .max) async throws(TransportError) {
        var sent = 0
        while sent < bytes.count {
            let end = min(bytes.count, sent + min(piece, bytes.count - sent))
            let transfer = unsafe bytes.withUnsafeBytes {
                unsafe write(UnsafeRawBufferPointer(rebasing: $0[sent..<end]))
            }
            sent += try await settle(transfer, as: .writer) ?? 0
        }
    }

    /// Sends two pieces, with one call per attempt.
    func sendAll(_ head: [UInt8], _ body: [UInt8]) async throws(TransportError) {
        var sent = 0
        while sent < head.count + body.count {
            let transfer = unsafe head.withUnsafeBytes { head in
                unsafe body.withUnsafeBytes { body in
                    let skip = min(sent, head.count)
                    var vectors = unsafe [
                        IOVector(UnsafeRawBufferPointer(rebasing: head[skip...])),
                        IOVector(UnsafeRawBufferPointer(rebasing: body[(sent - skip)...])),
                    ]
                    return unsafe vectors.withUnsafeMutableBufferPointer {
                        unsafe write(vectors: UnsafeBufferPointer($0))
                    }
                }
            }
            sent += try await settle(transfer, as: .writer) ?? 0
        }
    }

    /// Receives exactly `count` bytes, or fewer at the end.
    func receive(_ count: Int, piece: Int = 64 << 10) async throws(TransportError) -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(piece, max(1, count)))
        while received.count < count {
            let limit = min(buffer.count, count - received.count)
            let transfer = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<limit]))
            }
            if case .end = transfer { return received }
            if let moved = try await settle(transfer, as: .reader) { received += buffer[..<moved] }
        }
        return received
    }

    func receiveToEnd() async throws(TransportError) -> [UInt8] {
        try await receive(.max)
    }

    func finishWriting() async throws(TransportError) {
        while try await settle(closeWrite(), as: .writer) == nil {}
    }

    /// Reads once, without waiting.
    func readOnce(_ limit: Int = 1024) -> Transfer {
        var buffer = [UInt8](repeating: 0, count: limit)
        return unsafe buffer.withUnsafeMutableBytes { unsafe read(into: $0) }
    }

    /// Returns the number of bytes moved, or nil after a wait.
    private func settle(_ transfer: Transfer, as role: StreamRole) async throws(TransportError) -> Int? {
        switch transfer {
        case .bytes(let count): return count
        case .end: throw .closed
        case .failed(let error): throw error
        case .wouldBlock(let interest):
            try await wait(for: interest, as: role, until: .distantFuture)
            return nil
        }
    }
}

extension Transfer {
    var isWouldBlock: Bool { if case .wouldBlock = self { true } else { false } }
    var isEnd: Bool { if case .end = self { true } else { false } }
    var failure: TransportError? { if case .failed(let error) = self { error } else { nil } }
}
