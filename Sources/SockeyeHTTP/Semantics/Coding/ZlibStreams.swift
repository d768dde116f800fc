import CZlib
import SockeyeCore

/// A zlib inflate stream; its memory (about 44 KiB) is freed with the value.
@safe struct Inflater: ~Copyable {
    /// The container that zlib is told to expect; the number is its "window bits" argument.
    enum Format: Int32 {
        case raw = -15
        case zlib = 15
        case gzip = 31
    }

    enum Outcome {
        /// Needs more input, or more room for output.
        case more
        /// The container's end, its trailer checked.
        case ended
        case failed(CodecError)
    }

    struct Step {
        let consumed: Int
        let produced: Int
        let outcome: Outcome
    }

    /// On the heap because zlib's state keeps the address of the struct that it was set up with.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ format: Format) throws(CodecError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe sockeye_inflate_init(stream, format.rawValue) == Z_OK else {
            unsafe stream.deallocate()
            throw .outOfMemory
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// The bytes consumed since the start or the last ``restart()``.
    var totalConsumed: Int { unsafe Int(stream.pointee.total_in) }

    /// Moves what fits from `input` to `output`.
    mutating func inflate(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Step {
        let given = min(input.count, Int(UInt32.max))
        let room = min(output.count, Int(UInt32.max))
        let next = unsafe input.assumingMemoryBound(to: UInt8.self).baseAddress
        // zlib's prototype lacks the const; it does not write to its input.
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: next)
        unsafe stream.pointee.avail_in = UInt32(given)
        unsafe stream.pointee.next_out = unsafe output.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        return unsafe Step(
            consumed: given - Int(stream.pointee.avail_in),
            produced: room - Int(stream.pointee.avail_out),
            outcome: outcome(status)
        )
    }

    /// Makes ready for another container of the same format.
    mutating func restart() {
        unsafe inflateReset(stream)
    }

    private func outcome(_ status: Int32) -> Outcome {
        switch status {
        case Z_STREAM_END: .ended
        // Z_BUF_ERROR only says that nothing could be done with this much input and room.
        case Z_OK, Z_BUF_ERROR: .more
        case Z_MEM_ERROR: .failed(.outOfMemory)
        case Z_NEED_DICT: .failed(.corrupt(reason: "a preset dictionary is needed"))
        default:
            unsafe .failed(
                .corrupt(reason: stream.pointee.msg.map { unsafe String(cString: $0) } ?? "zlib error \(status)"))
        }
    }
}

/// A zlib deflate stream; its memory (about 256 KiB) is freed with the value.
@safe struct Deflater: ~Copyable {
    /// The container to write; the number is zlib's "window bits" argument.
    enum Format: Int32 {
        case zlib = 15
        case gzip = 31
    }

    struct Step {
        let consumed: Int
        let produced: Int
        let hasEnded: Bool
    }

    /// On the heap because zlib's state keeps the address of the struct that it was set up with.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ format: Format, level: Int32) throws(CodecError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe sockeye_deflate_init(stream, level, format.rawValue)
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw status == Z_MEM_ERROR ? .outOfMemory : .misuse
        }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Moves what fits from `input` to `output`; `isLast` when no more input will come.
    mutating func deflate(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        isLast: Bool
    ) throws(CodecError) -> Step {
        let given = min(input.count, Int(UInt32.max))
        let room = min(output.count, Int(UInt32.max))
        let next = unsafe input.assumingMemoryBound(to: UInt8.self).baseAddress
        // zlib's prototype lacks the const; it does not write to its input.
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: next)
        unsafe stream.pointee.avail_in = UInt32(given)
        unsafe stream.pointee.next_out = unsafe output.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        let status = unsafe CZlib.deflate(stream, isLast && given == input.count ? Z_FINISH : Z_NO_FLUSH)
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw .misuse }
        return unsafe Step(
            consumed: given - Int(stream.pointee.avail_in),
            produced: room - Int(stream.pointee.avail_out),
            hasEnded: status == Z_STREAM_END
        )
    }
}
