import COpenSSL
import SockeyeCore
import Synchronization

/// An OpenSSL BIO that reads from and writes to a stream, without a buffer.
///
/// It belongs to one SSL. After the set-up, OpenSSL and the ``TLSEngine`` access it only under the lock of the
/// ``TLSStream``. "The stream below" is ``lower``.
final class StreamBIO {
    let lower: any ByteStream
    /// Kernel TLS, set before the handshake; nil unless it is configured and the stream below is a socket.
    private(set) var kernel: KernelTLS?
    /// The readiness to wait for, if the stream below would have blocked during the current OpenSSL call.
    var blocked: Interest?
    /// The failure of the current OpenSSL call: an error of the stream below, or a flood of bytes without application
    /// data (``ReadBudget``).
    var failure: TransportError?
    /// The write failure of the stream below during the handshake. Later writes are discarded, so that OpenSSL still
    /// reads the peer's alert, which explains the failure.
    private(set) var brokenWrite: TransportError?
    private var discardsWrites = false
    private var budget = ReadBudget()
    /// True if the stream below has ended.
    private(set) var sawEnd = false
    /// The first bytes from the peer, to identify its protocol if it is not TLS.
    private(set) var firstBytes: [UInt8] = []
    private static let firstBytesLimit = 12

    init(lower: any ByteStream) {
        self.lower = lower
    }

    /// Prepares kernel TLS if the stream below is a socket. In the handshake, OpenSSL then offers its keys to the
    /// kernel.
    func enableKernelTLS() {
        kernel = lower.socketDescriptor.flatMap { KernelTLS(socket: $0) }
    }

    /// Renews the read budget, at the start of each call of ``TLSEngine/attempt(_:)``.
    func beginTurn() {
        budget.beginTurn()
    }

    /// True if the read budget is used up, so that OpenSSL may have stopped although the stream below has more to read.
    var hasUsedBudget: Bool { budget.isUsedUp }

    /// Resets the count of the bytes that have arrived since the last application data.
    func contentArrived() {
        budget.noteContent()
    }

    /// Switches the read budget from the limit for a handshake to the limit for an established connection.
    func noteEstablished() {
        budget.noteEstablished()
    }

    /// Creates a BIO that calls this object; nil if OpenSSL lacks memory. The owner must keep the object alive as long
    /// as the BIO.
    func makeBIO() -> OpaquePointer? {
        guard let method = Self.sharedMethod(), let bio = unsafe BIO_new(method.pointer) else { return nil }
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    /// Reads for OpenSSL. Returns the number of bytes; nil at the end of the stream, after a failure, or if OpenSSL
    /// must try again later. The retry flag of `bio` is set only in the last case.
    fileprivate func read(_ bio: OpaquePointer?, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        switch budget.verdict {
        case .read: break
        case .mustYield:
            unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            return nil
        case .flood:
            failure = .tls(budget.failure)
            return nil
        }
        switch unsafe transferIn(buffer) {
        case .bytes(let count):
            budget.note(count)
            if firstBytes.count < Self.firstBytesLimit {
                let missing = Self.firstBytesLimit - firstBytes.count
                unsafe firstBytes += UnsafeRawBufferPointer(buffer).prefix(min(count, missing))
            }
            return count
        case .wouldBlock(let interest):
            blocked = interest
            unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        case .end:
            sawEnd = true
        case .failed(let error):
            failure = error
        }
        return nil
    }

    /// Reads more of the peer's first bytes, as far as they have arrived. OpenSSL may fail after the five bytes of a
    /// record header, which are too few to recognise a protocol.
    ///
    /// Call this only after the handshake has failed: OpenSSL never gets the bytes that this method reads.
    func completeFirstBytes() {
        while firstBytes.count < Self.firstBytesLimit {
            var more = [UInt8](repeating: 0, count: Self.firstBytesLimit - firstBytes.count)
            guard case .bytes(let count) = unsafe more.withUnsafeMutableBytes({ unsafe transferIn($0) }), count > 0
            else { return }
            firstBytes += more.prefix(count)
        }
    }

    /// Writes for OpenSSL. Returns the number of bytes; nil after a failure, or if OpenSSL must try again later. The
    /// retry flag of `bio` is set only in the last case.
    fileprivate func write(_ bio: OpaquePointer?, _ buffer: UnsafeRawBufferPointer) -> Int? {
        if discardsWrites { return buffer.count }
        switch unsafe transferOut(buffer) {
        case .bytes(let count):
            return count
        case .wouldBlock(let interest):
            blocked = interest
            unsafe BIO_set_flags(bio, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        case .end:
            return fail(.closed, losing: buffer.count)
        case .failed(let error):
            return fail(error, losing: buffer.count)
        }
        return nil
    }

    private func transferIn(_ buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        if let kernel, kernel.isReceiving { return unsafe kernel.read(into: buffer) }
        return unsafe lower.read(into: buffer)
    }

    private func transferOut(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        if let kernel, kernel.isSending { return unsafe kernel.write(buffer) }
        return unsafe lower.write(buffer)
    }

    /// Handles a failed write of `count` bytes. During the handshake the bytes are discarded (``brokenWrite``). After
    /// the handshake, and for lack of memory at any time, the write fails.
    private func fail(_ error: TransportError, losing count: Int) -> Int? {
        guard budget.isInHandshake, !error.isOutOfResources else {
            failure = error
            return nil
        }
        discardsWrites = true
        brokenWrite = error
        return count
    }

    /// The table of callbacks. All BIOs of this type share one table, which is never freed.
    // `@unchecked Sendable`: written here once, only read by OpenSSL afterwards.
    @safe private struct Method: @unchecked Sendable {
        let pointer: OpaquePointer

        /// Nil if OpenSSL lacks memory.
        init?() {
            let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
            guard let pointer = unsafe BIO_meth_new(kind, "Sockeye stream") else { return nil }
            unsafe BIO_meth_set_read_ex(pointer, readStream)
            unsafe BIO_meth_set_write_ex(pointer, writeStream)
            unsafe BIO_meth_set_ctrl(pointer, controlStream)
            unsafe self.pointer = unsafe pointer
        }
    }

    /// Nil until the first successful creation.
    private static let method = Mutex<Method?>(nil)

    private static func sharedMethod() -> Method? {
        method.withLock { method in
            if method == nil { method = Method() }
            return method
        }
    }
}

private let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY

private func withStream<Result>(
    _ bio: OpaquePointer?, default failed: Result, _ body: (StreamBIO) -> Result
) -> Result {
    guard let pointer = unsafe BIO_get_data(bio) else { return failed }
    return unsafe Unmanaged<StreamBIO>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
}

private func readStream(
    _ bio: OpaquePointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ count: Int, _ done: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, retryFlags)
    let memory = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
    guard let moved = unsafe withStream(bio, default: nil, { unsafe $0.read(bio, into: memory) }) else { return 0 }
    unsafe done?.pointee = moved
    return 1
}

private func writeStream(
    _ bio: OpaquePointer?, _ buffer: UnsafePointer<CChar>?, _ count: Int, _ done: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, retryFlags)
    let memory = unsafe UnsafeRawBufferPointer(start: buffer, count: count)
    guard let moved = unsafe withStream(bio, default: nil, { unsafe $0.write(bio, memory) }) else { return 0 }
    unsafe done?.pointee = moved
    return 1
}

private func controlStream(
    _ bio: OpaquePointer?, _ command: Int32, _ number: Int, _ pointer: UnsafeMutableRawPointer?
) -> Int {
    switch command {
    case BIO_CTRL_FLUSH: 1
    case BIO_CTRL_EOF: unsafe withStream(bio, default: false, { $0.sawEnd }) ? 1 : 0
    default: unsafe withStream(bio, default: 0, { unsafe $0.kernel?.control(command, number, pointer) ?? 0 })
    }
}
