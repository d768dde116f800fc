public import SockeyeCore
package import SockeyeNet
import Synchronization

/// A connection that left HTTP: after 101 Switching Protocols, or the tunnel of a CONNECT.
///
/// One task may read while another writes. Releasing the last reference closes the connection.
public final class UpgradedConnection: Sendable {
    private let lease: ConnectionPool.Lease
    private let pool: ConnectionPool
    /// The stall time-out of the request; nil if there is no limit.
    package let stall: Duration?
    /// The bytes that arrived after the head.
    private let received: Mutex<Bytes>
    private let buffer = Mutex(ReceiveBuffer())
    /// Counts the reads and their bytes. When the budget is spent, the reading task yields its thread.
    private let turn = Mutex(TurnBudget())
    private let usage = Mutex(Usage())
    /// True if a write has failed while it waited for the stream, or after the system had taken some of its bytes. The
    /// peer may have received a part of these bytes, and over TLS the next write would first finish the interrupted
    /// record. Therefore all later writes throw.
    private let wasWriteInterrupted = Atomic(false)

    private struct Usage {
        /// The directions that a task is using. A second task that uses one of them gets an error.
        var busy: Interest = []
        /// True after ``UpgradedConnection/close()``.
        var isClosed = false
        private var isReturned = false

        /// Returns true if the connection is closed and no task uses it: the connection can then leave the pool.
        /// Returns true only once.
        mutating func takeReturn() -> Bool {
            guard isClosed, busy.isEmpty, !isReturned else { return false }
            isReturned = true
            return true
        }
    }

    init(lease: ConnectionPool.Lease, pool: ConnectionPool, received: Bytes, stall: Duration?) {
        self.lease = lease
        self.pool = pool
        self.stall = stall
        self.received = Mutex(received)
    }

    deinit {
        close()
    }

    /// The stream, for protocols of this library that wait on the stream themselves. While they use the stream, they
    /// must hold a reference to this connection and must not call ``read()``, ``write(_:)`` or ``close()``.
    package var stream: any ByteStream { lease.connection.stream }

    private var deadline: MonotonicTime { lease.connection.poller.time.now.deadline(after: stall) }

    /// Returns the next bytes, at most 256 KiB; nil when the peer has ended its direction.
    ///
    /// - Throws: ``SockeyeError``. If nothing arrives within the stall time-out of the request, the code is
    ///   ``SockeyeError/Code-swift.struct/timeout``. It is ``SockeyeError/Code-swift.struct/connectionClosed`` after
    ///   ``close()``, and ``SockeyeError/Code-swift.struct/shutDown`` if the client was shut down. It is
    ///   ``SockeyeError/Code-swift.struct/cancelled`` if the task was cancelled, and
    ///   ``SockeyeError/Code-swift.struct/invalidRequest`` if another task is reading.
    public func read() async throws(SockeyeError) -> Bytes? {
        try claim(.read)
        defer { free(.read) }
        let early = takeEarlyBytes()
        if !early.isEmpty { return early }
        if Task.isCancelled { throw SockeyeError(TransportError.cancelled, phase: .body) }
        // A single deadline for all waits: TLS records without application data do not extend it.
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
                // A peer that always has more to send must not keep the thread.
                if turn.withLock({ $0.spend(bytes.count) }) { await Task.yield() }
                return bytes
            case .end:
                if let error = localEnd(in: .body) { throw error }
                return nil
            case .failed(let error): throw failure(error, in: .body)
            case .wouldBlock(let interest):
                let end = deadline ?? self.deadline
                deadline = end
                try await wait(for: interest, as: .reader, phase: .body, until: end)
            }
        }
    }

    /// Returns the bytes that arrived after the head; empty after the first call.
    package func takeEarlyBytes() -> Bytes {
        received.withLock { received in
            defer { received = Bytes() }
            return received
        }
    }

    /// Writes all of `bytes`. Returns when the system has taken them.
    ///
    /// A write that is cancelled, exceeds the stall time-out or fails may have sent a part of its bytes. Nothing more
    /// can be written after it: later calls of this method and ``closeWrite()`` throw.
    ///
    /// - Throws: ``SockeyeError`` with the codes of ``read()``.
    public func write(_ bytes: Bytes) async throws(SockeyeError) {
        try claim(.write)
        defer { free(.write) }
        try checkWriting()
        var offset = 0
        while offset < bytes.count {
            let transfer = unsafe bytes.withUnsafeBytes {
                unsafe stream.write(UnsafeRawBufferPointer(rebasing: $0[offset...]))
            }
            switch transfer {
            case .bytes(let count): offset += count
            case .end: throw failure(.closed, in: .send)
            case .failed(let error):
                if offset > 0 { wasWriteInterrupted.store(true, ordering: .relaxed) }
                throw failure(error, in: .send)
            case .wouldBlock(let interest):
                do throws(SockeyeError) {
                    try await wait(for: interest, as: .writer, phase: .send)
                } catch {
                    wasWriteInterrupted.store(true, ordering: .relaxed)
                    throw error
                }
            }
        }
    }

    private func checkWriting() throws(SockeyeError) {
        guard wasWriteInterrupted.load(ordering: .relaxed) else { return }
        throw SockeyeError(
            .init(
                .connectionClosed, phase: .send, blame: .caller,
                message: "an earlier write was interrupted, so the connection can send nothing more"))
    }

    private func wait(
        for interest: Interest, as role: StreamRole, phase: SockeyeError.Phase, until end: MonotonicTime? = nil
    ) async throws(SockeyeError) {
        do throws(TransportError) {
            try await stream.wait(for: interest, as: role, until: end ?? deadline)
        } catch {
            guard error == .timedOut else { throw SockeyeError(error, phase: phase) }
            throw .timeout(phase, configured: stall, name: "stall")
        }
    }

    /// Ends the writing direction; the peer may continue to send.
    ///
    /// - Throws: As ``write(_:)``.
    public func closeWrite() async throws(SockeyeError) {
        try claim(.write)
        defer { free(.write) }
        try checkWriting()
        while true {
            switch stream.closeWrite() {
            case .bytes, .end: return
            case .failed(let error): throw failure(error, in: .send)
            case .wouldBlock(let interest): try await wait(for: interest, as: .writer, phase: .send)
            }
        }
    }

    private func claim(_ direction: Interest) throws(SockeyeError) {
        let phase = direction == .read ? SockeyeError.Phase.body : .send
        let (isFree, isClosed) = usage.withLock { usage in
            // After `close()` no task may begin to use the stream: the pool might close it at the same time.
            guard !usage.isClosed else { return (false, true) }
            defer { usage.busy.formUnion(direction) }
            return (usage.busy.isDisjoint(with: direction), false)
        }
        if isClosed { throw failure(.closed, in: phase) }
        guard isFree else {
            throw SockeyeError(
                .init(
                    .invalidRequest, phase: phase, blame: .caller,
                    message: "two tasks read from, or write to, an upgraded connection at the same time"))
        }
    }

    private func free(_ direction: Interest) {
        let canLeave = usage.withLock { usage in
            usage.busy.subtract(direction)
            return usage.takeReturn()
        }
        if canLeave { leavePool() }
    }

    /// Ends both directions, and frees the connection's place in the pool. Pending reads and writes fail.
    public func close() {
        usage.withLock { $0.isClosed = true }
        stream.abort()
        if usage.withLock({ $0.takeReturn() }) { leavePool() }
    }

    private func leavePool() {
        Task { [lease, pool] in
            await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
        }
    }

    /// Returns the error if this side ended the stream, by ``close()`` or by shutting down the client; otherwise nil.
    /// The stream itself cannot tell such an end from one that the peer caused.
    package func localEnd(in phase: SockeyeError.Phase) -> SockeyeError? {
        if lease.connection.isShutDown { return .shutDown(phase) }
        return usage.withLock(\.isClosed) ? SockeyeError(TransportError.closed, phase: phase) : nil
    }

    private func failure(_ error: TransportError, in phase: SockeyeError.Phase) -> SockeyeError {
        localEnd(in: phase) ?? SockeyeError(error, phase: phase)
    }
}

extension IncomingResponse {
    /// Returns the connection that left HTTP with this response; nil after the first call, and for other responses.
    package func takeConnection() -> UpgradedConnection? { takeHandedOver() as? UpgradedConnection }
}
