package import SockeyeCore
package import SockeyePlatform

/// A duplex stream of bytes that never blocks: the one seam between protocols and what is below them.
///
/// `read` and `write` do what can be done now, and say which readiness to wait for when that is
/// nothing. Waiting, at the stream's wait point, is the only suspension. Because trying and waiting are apart, layers compose without copies or
/// tasks: TLS over a stream is `SSL_read` over a BIO that calls `read` of the stream below, and it waits
/// where that stream waits; the same holds for a tunnel inside a proxy inside TLS.
///
/// Ownership: a stream belongs to one exchange at a time, which uses at most two tasks on it, one as the ``StreamRole/reader``
/// and one as the ``StreamRole/writer``. `close` may be called once both have returned, or from `deinit`.
package protocol ByteStream: AnyObject, Sendable {
    /// Reads at most `buffer.count` bytes. Never returns `.bytes(0)` for a non-empty buffer: the end is `.end`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer

    /// Whether a read would find nothing now, neither a byte nor an end, without taking anything away. False also where only a
    /// read can tell. For the reader, like `read`, and all the same to waits: what comes from now on ends them.
    var hasNothingToRead: Bool { get }

    /// Sets the read low-water mark (SO_RCVLOWAT): waits for reading last until `count` bytes are there, so that fewer of them
    /// take in as much. 1, as in the beginning: until there are any.
    ///
    /// A hint: waits may end with fewer, and do at once when the peer ends or resets the connection. Called by the reader,
    /// which has to
    /// - bound each wait, since fewer bytes lie there unreported until then;
    /// - read once before it waits with a lower mark than before;
    /// - set 1 again before anybody else gets the stream.
    func setReadLowWaterMark(_ count: Int)

    /// Writes a prefix of `buffer` and says how long it was.
    func write(_ buffer: UnsafeRawBufferPointer) -> Transfer

    /// Writes a prefix of the vectors, in order, with one system call where the stream has one.
    func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer

    /// Writes a prefix of a file's bytes from `offset` on without bringing them into this process's memory; `.bytes(0)`
    /// says that the file ends there. Nil where this stream, or the system with this file, has no such way: read the
    /// bytes and write them. May block the thread for as long as the disk takes.
    func write(file: Int32, from offset: Int, count: Int) -> Transfer?

    /// Whether the peer's system has not acknowledged bytes that were sent again and again. False if unknown.
    var isUnacknowledged: Bool { get }

    /// The socket that this stream is and nothing else, whose records of TLS the kernel may make. Nil for all others.
    var socketDescriptor: Int32? { get }

    /// The point to wait at until `interest` may be possible. Where it may be now, a wait there ends at once, unless its
    /// deadline has passed or the task is cancelled.
    func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint

    /// Ends the writing direction (FIN; TLS sends close_notify first). `.bytes(0)` means done.
    func closeWrite() -> Transfer

    /// Makes both directions end at once, for the peer as well, without releasing anything. Unlike `close` it may be called
    /// by anybody at any time, also while others use the stream; it is how they are told to stop.
    func abort()

    /// Releases everything. Idempotent; every later call and every pending wait fails with ``TransportError/closed``.
    func close()
}

extension ByteStream {
    /// Suspends until `interest` may be possible, the deadline passes, the task is cancelled or the stream is closed.
    /// May return early for no reason: try again and wait again.
    package func wait(
        for interest: Interest, as role: StreamRole, until deadline: MonotonicTime
    ) async throws(TransportError) {
        try (await waitPoint(for: interest, as: role).wait(for: interest, as: role, until: deadline)).check()
    }

    /// Writes all of a few bytes, such as a greeting, before the deadline.
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

    /// Where waiting costs nothing, it need not be put off.
    package func setReadLowWaterMark(_: Int) {}

    package var isUnacknowledged: Bool { false }

    package var socketDescriptor: Int32? { nil }

    /// Most streams change the bytes on their way, and so have to see them.
    package func write(file _: Int32, from _: Int, count _: Int) -> Transfer? { nil }
}

/// The outcome of a non-blocking read or write.
package enum Transfer: Sendable {
    /// This many bytes were moved.
    case bytes(Int)
    /// The peer ended its direction in an orderly way. Reads only.
    case end
    /// Nothing can be done until this readiness. Not always the own direction: TLS may have to write in order to read.
    case wouldBlock(Interest)
    case failed(TransportError)
}
