import SockeyeCore
import SockeyeHTTP

/// The compressor of permessage-deflate messages (RFC 7692 7.2.1).
///
/// Each flush ends in the bytes 00 00 FF FF, and a message is sent without those of its last flush. So the compressor
/// holds back the last four bytes of its output until more output follows or the message ends.
struct MessageDeflater: ~Copyable {
    private let direction: DeflateDirection
    private let level: Int
    /// Created with the first compressed message: many connections never need it.
    private var deflater: Deflater?
    private var output: [UInt8] = []
    /// True if output of the current message has been taken.
    private var hasBegun = false

    init(_ direction: DeflateDirection, level: Int) {
        self.direction = direction
        self.level = min(max(level, 1), 9)
    }

    /// Compresses more of a message.
    ///
    /// - Parameter flushes: True if the receiver must be able to decompress all bytes passed so far.
    mutating func compress(_ bytes: Bytes, flushes: Bool) throws(CodecError) {
        if deflater == nil {
            deflater = try Deflater(rawWindowBits: direction.windowBits, level: Int32(clamping: level))
        }
        guard var deflater = deflater.take() else { throw .misuse }
        var rest = bytes
        while true {
            let old = output.count
            let room = max(256, min(rest.count, 64 << 10) + 64)
            output.append(contentsOf: repeatElement(0, count: room))
            let step = try unsafe output.withUnsafeMutableBytes { target in
                let space = unsafe UnsafeMutableRawBufferPointer(rebasing: target[old...])
                return unsafe Self.deflate(rest, with: &deflater, into: space, flushes)
            }.get()
            output.removeLast(room - step.produced)
            rest = rest.slice(step.consumed..<rest.count)
            if rest.isEmpty, step.produced < room { break }
        }
        self.deflater = consume deflater
    }

    private static func deflate(
        _ bytes: Bytes, with deflater: inout Deflater, into space: UnsafeMutableRawBufferPointer, _ flushes: Bool
    ) -> Result<CompressionStep, CodecError> {
        Result { () throws(CodecError) in
            try unsafe bytes.withUnsafeBytes { (source) throws(CodecError) in
                try unsafe deflater.compress(source, into: space, flush: flushes ? .sync : .none)
            }
        }
    }

    /// Removes and returns the output that can be sent before the message is complete; empty if it is shorter than
    /// `minimum` bytes.
    mutating func take(atLeast minimum: Int) -> Bytes {
        let count = output.count - MessageInflater.tail.count
        guard count > 0, count >= minimum else { return Bytes() }
        hasBegun = true
        defer { output.removeFirst(count) }
        return Bytes(output[..<count])
    }

    /// Removes and returns the last output of the message. The last call of `compress` must have flushed.
    mutating func finishMessage() -> Bytes {
        if output.suffix(MessageInflater.tail.count).elementsEqual(MessageInflater.tail) {
            output.removeLast(MessageInflater.tail.count)
        }
        // An empty message is sent as one zero byte: the header of an empty stored block, without the four bytes of its
        // length (RFC 7692 7.2.3.6).
        if output.isEmpty, !hasBegun { output = [0] }
        defer {
            output = []
            hasBegun = false
            // Without context takeover the next message does not need the window, so zlib's large state is freed.
            if !direction.keepsContext { deflater = nil }
        }
        return Bytes(output)
    }
}
