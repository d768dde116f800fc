public import SockeyeCore
package import SockeyeNet
import Synchronization

/// A connection that left HTTP: after 101 Switching Protocols, or the tunnel of a CONNECT.
///
/// Its bytes are the caller's. One task may read while another writes. Dropping it closes it.
public final class UpgradedConnection: Sendable {
    private let lease: ConnectionPool.Lease
    private let pool: ConnectionPool
    package let stall: Duration?
    /// What came behind the head already.
    private let received: Mutex<Bytes>
    private let buffer = Mutex(ReceiveBuffer())
    /// The reads that found bytes without a wait.
    private let turn = Mutex(TurnBudget())
    /// The directions that a task is busy with: a second one in the same would be a mistake, and is told so.
    private let busy = Mutex<Interest>([])

    init(lease: ConnectionPool.Lease, pool: ConnectionPool, received: Bytes, stall: Duration?) {
        self.lease = lease
        self.pool = pool
        self.stall = stall
        self.received = Mutex(received)
    }

    deinit {
        close()
        Task { [lease, pool] in
            await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
        }
    }

    /// For protocols of this library, which wait as they see fit. They keep the connection for as long as they use it, and
    /// neither read nor write by its own means then.
    package var stream: any ByteStream { lease.connection.stream }

    private var deadline: MonotonicTime { lease.connection.poller.time.now.deadline(after: stall) }

    /// The bytes that come next, at most 256 KiB of them; nil when the peer has ended its direction.
    ///
    /// - Throws: ``SockeyeError``; nothing for longer than the stall time-out of the request is a time-out.
    public func read() async throws(SockeyeError) -> Bytes? {
        try claim(.read)
        defer { free(.read) }
        let early = takeEarlyBytes()
        if !early.isEmpty { return early }
        if Task.isCancelled { throw SockeyeError(TransportError.cancelled, phase: .body) }
        // One deadline for all waits: TLS messages without content do not extend it.
        var deadline: MonotonicTime?
        while true {
            let (transfer, bytes) = buffer.withLock { buffer in
                let transfer = buffer.fill(from: stream)
                let bytes = buffer.bytes
                buffer.consume(bytes.count)
                return (transfer, ReceiveBuffer.kept(bytes))
            }
            switch transfer {
            case .bytes:
                // A peer that always has more to send keeps the thread no longer than this.
                if turn.withLock({ $0.spend(bytes.count) }) { await Task.yield() }
                return bytes
            case .end: return nil
            case .failed(let error): throw SockeyeError(error, phase: .body)
            case .wouldBlock(let interest):
                let end = deadline ?? self.deadline
                deadline = end
                try await wait(for: interest, as: .reader, phase: .body, until: end)
            }
        }
    }

    /// What came behind the head already. Once.
    package func takeEarlyBytes() -> Bytes {
        received.withLock { received in
            defer { received = Bytes() }
            return received
        }
    }

    /// Writes all of `bytes`; returns when the system has taken them.
    public func write(_ bytes: Bytes) async throws(SockeyeError) {
        try claim(.write)
        defer { free(.write) }
        var offset = 0
        while offset < bytes.count {
            let transfer = unsafe bytes.withUnsafeBytes {
                unsafe stream.write(UnsafeRawBufferPointer(rebasing: $0[offset...]))
            }
            switch transfer {
            case .bytes(let count): offset += count
            case .end: throw SockeyeError(TransportError.closed, phase: .send)
            case .failed(let error): throw SockeyeError(error, phase: .send)
            case .wouldBlock(let interest): try await wait(for: interest, as: .writer, phase: .send)
            }
        }
    }

    private func wait(
        for interest: Interest, as role: StreamRole, phase: SockeyeError.Phase, until end: MonotonicTime? = nil
    ) async throws(SockeyeError) {
        do throws(TransportError) {
            try await stream.wait(for: interest, as: role, until: end ?? deadline)
        } catch {
            throw SockeyeError(error, phase: phase, configured: stall)
        }
    }

    /// Ends the writing direction; the peer's may go on.
    public func closeWrite() async throws(SockeyeError) {
        try claim(.write)
        defer { free(.write) }
        while true {
            switch stream.closeWrite() {
            case .bytes, .end: return
            case .failed(let error): throw SockeyeError(error, phase: .send)
            case .wouldBlock(let interest): try await wait(for: interest, as: .writer, phase: .send)
            }
        }
    }

    private func claim(_ direction: Interest) throws(SockeyeError) {
        let isFree = busy.withLock { busy in
            defer { busy.formUnion(direction) }
            return busy.isDisjoint(with: direction)
        }
        guard isFree else {
            throw SockeyeError(
                .init(
                    .invalidRequest, phase: direction == .read ? .body : .send, blame: .caller,
                    message: "two tasks use the same direction of an upgraded connection at once"))
        }
    }

    private func free(_ direction: Interest) {
        busy.withLock { $0.subtract(direction) }
    }

    /// Ends both directions. Pending reads and writes fail.
    public func close() {
        stream.abort()
    }
}

extension IncomingResponse {
    /// The connection that left HTTP with this response. Once.
    package func takeConnection() -> UpgradedConnection? { takeHandedOver() as? UpgradedConnection }
}
