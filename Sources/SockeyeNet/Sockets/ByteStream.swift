package import SockeyeCore
package import SockeyePlatform

/// A non-blocking duplex stream of bytes: the interface between protocols and the layers below them.
///
/// `read` and `write` transfer the bytes that can be transferred now. If no byte can, they return the readiness to wait
/// for. Only a wait at the stream's wait point suspends the task. Because transfers and waits are separate, layers
/// compose without copies or tasks. For example, TLS calls `SSL_read`, which calls `read` of the stream below through a
/// BIO. TLS then waits at the wait point of that stream.
///
/// Ownership: a stream belongs to one exchange at a time. At most two tasks of that exchange use the stream, one as the
/// ``StreamRole/reader`` and one as the ``StreamRole/writer``. `close` may be called while neither task is in a
/// transfer, or from `deinit`.
package protocol ByteStream: AnyObject, Sendable {
    /// Reads at most `buffer.count` bytes. Never returns `.bytes(0)` for a non-empty buffer: the end is `.end`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer

    /// True if it is known that a read would find neither a byte nor the end now. Consumes nothing.
    ///
    /// Called by the reader, like `read`. The call does not clear the readiness recorded in the wait point, so bytes
    /// that arrive after the call still end the next wait.
    var hasNothingToRead: Bool { get }

    /// True if the last read that returned `.wouldBlock` has found the stream empty. False if that read stopped
    /// earlier. A TLS read, for example, stops after a limited number of bytes that carry no application data.
    var hasReadAll: Bool { get }

    /// Sets the read low-water mark (SO_RCVLOWAT): a wait for reading then ends only when `count` bytes are available,
    /// which saves wake-ups. The initial mark 1 means any byte.
    ///
    /// The mark is a hint: waits may end with fewer bytes, and end at once if the peer ends or resets the connection.
    /// Called by the reader, which must
    /// - limit each wait by a deadline, since the arrival of fewer bytes is not reported;
    /// - read once before it waits with a lower mark than before, because the arrival of fewer bytes than the
    ///   old mark may not have been reported;
    /// - set the mark to 1 again before another user gets the stream.
    func setReadLowWaterMark(_ count: Int)

    /// Writes a prefix of `buffer` and returns its length.
    func write(_ buffer: UnsafeRawBufferPointer) -> Transfer

    /// Writes a prefix of the vectors, in order; a socket needs one system call for all.
    func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer

    /// Writes a prefix of a file's bytes from `offset` without copying them into this process's memory.
    ///
    /// `.bytes(0)` means that the file ends at `offset`. Nil if this stream, or the system for this file, does not
    /// support such writes. May block the thread as long as the disk takes.
    func write(file: Int32, from offset: Int, count: Int) -> Transfer?

    /// True if the peer's system has not acknowledged bytes that were retransmitted. False if unknown.
    var isUnacknowledged: Bool { get }

    /// The descriptor of a plain socket, on which kernel TLS is possible; nil for all other streams.
    var socketDescriptor: Int32? { get }

    /// The wait point for `interest`. If a transfer may already be possible, a wait there reports readiness at once,
    /// unless its deadline has passed or the task is cancelled.
    func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint

    /// Ends the writing direction (FIN; TLS sends close_notify first). Returns `.bytes(0)` on success.
    func closeWrite() -> Transfer

    /// Shuts down both directions at once, so that the peer and all users of the stream see its end. Unlike `close` it
    /// may be called from any task at any time, and keeps the descriptor open.
    func abort()

    /// Closes the stream; a second call has no effect. A pending wait, and every later read, write, `closeWrite` and
    /// wait, fails with ``TransportError/closed``.
    func close()
}

extension ByteStream {
    /// Suspends until the transfer of `interest` may be possible, the deadline passes, the task is cancelled or the
    /// stream is closed. May return early: try the transfer, and wait again if it would block.
    package func wait(
        for interest: Interest, as role: StreamRole, until deadline: MonotonicTime
    ) async throws(TransportError) {
        try (await waitPoint(for: interest, as: role).wait(for: interest, as: role, until: deadline)).check()
    }

    /// Writes all of `bytes`, a short message such as a greeting, before the deadline.
    package func writeAll(_ bytes: [UInt8], until deadline: MonotonicTime) async throws(TransportError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch unsafe rest.withUnsafeBytes({ unsafe write($0) }) {
            case .bytes(let count): rest.removeFirst(count)
            case .wouldBlock(let interest): try await wait(for: interest, as: .writer, until: deadline)
            case .end: throw .closed
            case .failed(let error): throw error
            }
        }
    }

    package var hasNothingToRead: Bool { false }

    package var hasReadAll: Bool { true }

    package func setReadLowWaterMark(_: Int) {}

    package var isUnacknowledged: Bool { false }

    package var socketDescriptor: Int32? { nil }

    /// Returns nil: most streams change the bytes, and so need them in memory.
    package func write(file _: Int32, from _: Int, count _: Int) -> Transfer? { nil }
}

/// The outcome of a non-blocking read or write.
package enum Transfer: Sendable {
    /// The number of bytes transferred.
    case bytes(Int)
    /// The peer ended its direction in an orderly way. Returned by reads only.
    case end
    /// Nothing can be transferred before this readiness, which may be of the other direction: TLS may have to write in
    /// order to read.
    case wouldBlock(Interest)
    case failed(TransportError)
}
