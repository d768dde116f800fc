import COpenSSL
import SockeyeCore

/// The end of OpenSSL that touches the stream below: its reads and writes go there directly, without a buffer between.
///
/// Belongs to one SSL and is touched only while that is being called, hence under the lock of its stream.
final class StreamBIO {
    let lower: any ByteStream
    /// What the stream below waits for, if it could not go on during the current call.
    var blocked: Interest?
    /// What broke the reading below during the current call, or forbids more of it.
    var failure: TransportError?
    /// Why the stream below takes no more bytes. What OpenSSL has to write from then on goes nowhere, so that it still reads
    /// what explains the failure: an alert, or an answer that came early.
    private(set) var brokenWrite: TransportError?
    /// How much more may be read below during the current call.
    private var allowance = 0
    /// How much came since the last content.
    private var emptyCount = 0
    private var emptyLimit = StreamBIO.handshakeLimit
    /// Whether the stream below has ended.
    private(set) var sawEnd = false
    /// The first bytes that came from the peer, to tell what it speaks if that is not TLS.
    private(set) var firstBytes: [UInt8] = []

    /// How much one call of OpenSSL takes in: four full records, as it reads ahead. It goes on by itself for as long as there
    /// are records without content, and knows no deadline and no cancellation.
    private static let turn = 64 << 10
    /// What a read counts for at least, so that a call makes no thousands of them for a byte each.
    private static let leastRead = 1 << 10
    /// The largest handshake: all that OpenSSL takes of each message, 100 KiB of certificates and as much of names of
    /// authorities among them, comes to less.
    private static let handshakeLimit = 512 << 10
    /// How much may come from one piece of content to the next: KeyUpdates, tickets, HelloRequests, empty records. Four times
    /// what is read ahead, which may hold content; a ticket is of some 200 bytes, of some KiB with a client's certificates.
    private static let emptyLimit = 256 << 10

    init(lower: any ByteStream) {
        self.lower = lower
    }

    /// To be called before each call of OpenSSL that may read.
    func beginTurn() {
        allowance = Self.turn
    }

    /// Whether the current call was sent back before the stream below had no more to give.
    var isTurnOver: Bool { allowance <= 0 }

    /// Content came, so what is without any is counted anew.
    func noteContent() {
        emptyCount = 0
    }

    /// The handshake is over.
    func noteEstablished() {
        emptyCount = 0
        emptyLimit = Self.emptyLimit
    }

    private var flood: TransportError {
        let what =
            emptyLimit == Self.handshakeLimit ? "of a TLS handshake that has no end" : "of TLS without any content"
        return .tls(TLSFailure(reason: .flood, message: "the peer sent more than \(emptyLimit >> 10) KiB \(what)"))
    }

    /// A BIO that calls this object, which its owner must keep alive as long as it.
    func makeBIO() -> OpaquePointer? {
        guard let method = unsafe Self.method.pointer, let bio = unsafe BIO_new(method) else { return nil }
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    fileprivate func read(_ bio: OpaquePointer?, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard allowance > 0 else {
            unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            return nil
        }
        guard emptyCount <= emptyLimit else {
            failure = flood
            return nil
        }
        switch unsafe lower.read(into: buffer) {
        case .bytes(let count):
            allowance -= max(count, Self.leastRead)
            emptyCount += count
            if firstBytes.count < 12 {
                unsafe firstBytes += UnsafeRawBufferPointer(buffer).prefix(min(count, 12 - firstBytes.count))
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

    fileprivate func write(_ bio: OpaquePointer?, _ buffer: UnsafeRawBufferPointer) -> Int? {
        guard brokenWrite == nil else { return buffer.count }
        switch unsafe lower.write(buffer) {
        case .bytes(let count):
            return count
        case .wouldBlock(let interest):
            blocked = interest
            unsafe BIO_set_flags(bio, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        case .end:
            brokenWrite = .closed
            return buffer.count
        case .failed(let error):
            brokenWrite = error
            return buffer.count
        }
        return nil
    }

    /// The table of callbacks, one for the process. Never freed.
    // `@unchecked Sendable`: written here once, only read by OpenSSL afterwards.
    @safe private struct Method: @unchecked Sendable {
        let pointer = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "Sockeye stream")

        init() {
            unsafe BIO_meth_set_read_ex(pointer, readStream)
            unsafe BIO_meth_set_write_ex(pointer, writeStream)
            unsafe BIO_meth_set_ctrl(pointer, controlStream)
        }
    }

    private static let method = Method()
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
    _ bio: OpaquePointer?, _ command: Int32, _: Int, _: UnsafeMutableRawPointer?
) -> Int {
    switch command {
    case BIO_CTRL_FLUSH: 1
    case BIO_CTRL_EOF: unsafe withStream(bio, default: false, { $0.sawEnd }) ? 1 : 0
    default: 0
    }
}
