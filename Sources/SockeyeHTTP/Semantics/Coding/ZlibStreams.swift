import CZlib
package import SockeyeCore

/// A zlib inflate stream. Its memory (about 44 KiB) is freed with the object.
@safe package final class Inflater: Decompressor {
    /// The container that zlib expects. The raw value is zlib's "window bits" argument.
    enum Format: Int32 {
        case raw = -15
        case zlib = 15
        case gzip = 31
    }

    /// Allocated on the heap, because zlib's state keeps the address of the struct.
    private let stream: UnsafeMutablePointer<z_stream>

    convenience init(_ format: Format) throws(CodecError) {
        try self.init(windowBits: format.rawValue)
    }

    /// Creates a stream of raw deflate data (RFC 1951).
    ///
    /// - Parameter bits: The base-two logarithm of the window size in bytes, 8 to 15.
    package convenience init(rawWindowBits bits: Int) throws(CodecError) {
        try self.init(windowBits: -Int32(bits))
    }

    private init(windowBits: Int32) throws(CodecError) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe sockeye_inflate_init(stream, windowBits) == Z_OK else {
            unsafe stream.deallocate()
            throw .outOfMemory
        }
        // Assigned last: once every property is set, an initializer that throws also runs `deinit`.
        unsafe self.stream = stream
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    package var totalConsumed: Int { unsafe Int(stream.pointee.total_in) }

    /// True if the last call stopped just after a block that is not the last one, without unused bits of its last byte.
    /// Valid only after a call that consumed input or produced output.
    package var isAtBlockEnd: Bool { unsafe stream.pointee.data_type & 0x87 == 0x80 }

    package func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecompressionStep {
        let given = min(input.count, Int(UInt32.max))
        let room = min(output.count, Int(UInt32.max))
        let next = unsafe input.assumingMemoryBound(to: UInt8.self).baseAddress
        // zlib's prototype lacks the const; it does not write to its input.
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: next)
        unsafe stream.pointee.avail_in = UInt32(given)
        unsafe stream.pointee.next_out = unsafe output.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        return unsafe DecompressionStep(
            consumed: given - Int(stream.pointee.avail_in),
            produced: room - Int(stream.pointee.avail_out),
            outcome: outcome(status)
        )
    }

    package func restart() {
        unsafe inflateReset(stream)
    }

    /// Prepares for more raw data. Keeps the window, because the new data may refer back to data decompressed so far.
    package func restartKeepingWindow() throws(CodecError) {
        var window = [UInt8](repeating: 0, count: 32 << 10)
        var count: UInt32 = 0
        guard unsafe inflateGetDictionary(stream, &window, &count) == Z_OK, unsafe inflateReset(stream) == Z_OK,
            unsafe inflateSetDictionary(stream, window, count) == Z_OK
        else { throw .misuse }
    }

    private func outcome(_ status: Int32) -> DecompressionStep.Outcome {
        switch status {
        case Z_STREAM_END: .ended
        // Z_BUF_ERROR only means that no progress was possible with this input and room.
        case Z_OK, Z_BUF_ERROR: .more
        case Z_MEM_ERROR: .failed(.outOfMemory)
        case Z_NEED_DICT: .failed(.corrupt(reason: "a preset dictionary is needed"))
        default:
            unsafe .failed(
                .corrupt(reason: stream.pointee.msg.map { unsafe String(cString: $0) } ?? "zlib error \(status)"))
        }
    }
}

/// A zlib deflate stream. Its memory (about 256 KiB) is freed with the object.
@safe package final class Deflater: Compressor {
    /// The container to write. The raw value is zlib's "window bits" argument.
    enum Format: Int32 {
        case zlib = 15
        case gzip = 31
    }

    /// The amount of output that must be written once all input was taken.
    package enum Flush {
        /// zlib decides.
        case none
        /// All output, padded to a byte boundary (RFC 7692 7.2.1).
        case sync
        /// All output and the container's end.
        case finish

        fileprivate var code: Int32 {
            switch self {
            case .none: Z_NO_FLUSH
            case .sync: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        }
    }

    /// Allocated on the heap, because zlib's state keeps the address of the struct.
    private let stream: UnsafeMutablePointer<z_stream>

    convenience init(_ format: Format, level: Int32) throws(CodecError) {
        try self.init(windowBits: format.rawValue, level: level)
    }

    /// Creates a stream of raw deflate data (RFC 1951).
    ///
    /// - Parameter bits: The base-two logarithm of the window size in bytes, 9 to 15; zlib does not support 8.
    package convenience init(rawWindowBits bits: Int, level: Int32) throws(CodecError) {
        try self.init(windowBits: -Int32(bits), level: level)
    }

    private init(windowBits: Int32, level: Int32) throws(CodecError) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe sockeye_deflate_init(stream, level, windowBits)
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw status == Z_MEM_ERROR ? .outOfMemory : .misuse
        }
        // Assigned last: once every property is set, an initializer that throws also runs `deinit`.
        unsafe self.stream = stream
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    package func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(CodecError) -> CompressionStep {
        try unsafe compress(input, into: output, flush: isLast ? .finish : .none)
    }

    /// Prepares for other data, with an empty window.
    package func restart() {
        unsafe deflateReset(stream)
    }

    /// Compresses like ``compress(_:into:isLast:)``, with a choice of the flush. The caller must repeat the call until
    /// a call leaves room in `output`.
    package func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, flush: Flush
    ) throws(CodecError) -> CompressionStep {
        let given = min(input.count, Int(UInt32.max))
        let room = min(output.count, Int(UInt32.max))
        let next = unsafe input.assumingMemoryBound(to: UInt8.self).baseAddress
        // zlib's prototype lacks the const; it does not write to its input.
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: next)
        unsafe stream.pointee.avail_in = UInt32(given)
        unsafe stream.pointee.next_out = unsafe output.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        let status = unsafe CZlib.deflate(stream, given == input.count ? flush.code : Z_NO_FLUSH)
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw .misuse }
        return unsafe CompressionStep(
            consumed: given - Int(stream.pointee.avail_in),
            produced: room - Int(stream.pointee.avail_out),
            hasEnded: status == Z_STREAM_END
        )
    }
}

/// The output buffer of a codec. It is handed out in pieces and reused as soon as no piece refers to it.
///
/// It starts with 8 KiB, which suffices for the many small bodies, and grows to 64 KiB once a body fills it.
package struct OutputBlock {
    static let firstCapacity = 8 << 10
    static let capacity = 64 << 10

    private var storage: ByteStorage?
    private var nextCapacity = Self.firstCapacity
    package private(set) var filled = 0

    package init() {}

    /// Returns the memory to write to next; empty if the block is full.
    package mutating func space() -> UnsafeMutableRawBufferPointer {
        if filled == 0 { renew() }
        guard let storage else { return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[filled...])
    }

    package mutating func advance(by count: Int) {
        filled += count
    }

    /// Returns the bytes written since the last call; nil if nothing was written.
    package mutating func take() -> Bytes? {
        guard filled > 0, let storage else { return nil }
        defer { filled = 0 }
        if filled == storage.byteCapacity { nextCapacity = Self.capacity }
        // A small piece is copied: otherwise it would pin a whole block for as long as its receiver keeps it.
        guard filled >= storage.byteCapacity / 4 else {
            return unsafe Bytes(
                copying: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage.mutableBytes)[..<filled]))
        }
        return Bytes(storage: storage, offset: 0, count: filled)
    }

    package mutating func release() {
        storage = nil
        filled = 0
    }

    private mutating func renew() {
        if storage?.byteCapacity == nextCapacity, isKnownUniquelyReferenced(&storage) { return }
        storage = ByteStorage.allocate(capacity: nextCapacity)
    }
}

extension Bytes {
    /// Copies all parts to one block of exactly their size.
    init(joining parts: [Bytes]) {
        unsafe self.init(count: parts.reduce(0) { $0 + $1.count }) { target in
            var offset = 0
            for part in parts {
                unsafe part.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
                }
                offset += part.count
            }
        }
    }

    /// Copies these bytes and `other` to one block.
    func appending(_ other: Bytes) -> Bytes {
        Bytes(joining: [self, other])
    }
}
