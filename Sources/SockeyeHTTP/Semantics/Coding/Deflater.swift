import CZlib
import SockeyeCore

/// One zlib deflate stream; its memory (about 256 KiB) goes with the value.
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
