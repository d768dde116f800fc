import SockeyeCore
import SockeyeHTTP

/// Decompresses permessage-deflate messages (RFC 7692 7.2.2) into pieces of at most 64 KiB.
///
/// For each message, call ``push(_:)`` with each payload and ``next()`` until it returns nil. At the message's end call
/// ``endMessage()``, take the rest, and call ``finishMessage()``, which refuses an incomplete message.
struct MessageInflater: ~Copyable {
    private let direction: DeflateDirection
    /// Created with the first compressed message: many connections never need it.
    private var inflater: Inflater?
    private var input = Bytes()
    private var block = OutputBlock()
    /// True if the last call of zlib filled the output space and did not end a deflate stream. Then zlib may hold more
    /// output.
    private var mayHoldOutput = false
    /// True if a deflate block ends exactly at the end of the input so far, without unused bits in the last byte.
    /// Updated after each call of zlib that made progress, because zlib forgets this state in a call without progress.
    private var isAtBlockEnd = true
    /// True after the call of ``endMessage()``.
    private(set) var isEnding = false
    /// The number of compressed bytes since zlib last produced output. Each end of a deflate stream (BFINAL, RFC 1951
    /// 3.2.3) since then adds ``endCost``.
    private var inputWithoutOutput = 0
    /// The number of ends of deflate streams in the latest call of ``next()``.
    private(set) var streamEnds = 0

    /// The maximum number of compressed bytes in a row that may decompress to nothing. Legitimate data has a few
    /// hundred: a block's code tables (RFC 1951 3.2.7), and the empty blocks of a few flushes.
    static let maximumInputWithoutOutput = 64 << 10
    /// The number that each end of a deflate stream adds to the count of compressed bytes. The end itself has few
    /// bytes, but it costs a copy of the window, which takes about as long as decompressing 256 compressed bytes.
    private static let endCost = 256
    /// The number of ends of deflate streams after which ``next()`` returns as soon as it has content. Each end takes
    /// time, and the receiving task can let other tasks run only between calls.
    private static let streamEndsPerCall = 64

    /// The end of a sync flush, which the sender leaves out (RFC 7692 7.2.1).
    static let tail: Bytes = [0x00, 0x00, 0xFF, 0xFF]

    init(_ direction: DeflateDirection) {
        self.direction = direction
    }

    mutating func push(_ payload: Bytes) {
        input = payload
    }

    /// Adds ``tail`` to the input, unless the input already ends with a block. That is so if the sender has kept
    /// ``tail``, has sent an empty payload, or has ended the deflate stream. RFC 7692 7.2.1 does not allow this, but
    /// the message is complete.
    mutating func endMessage() {
        if !isAtBlockEnd { input = Self.tail }
        isEnding = true
    }

    /// Prepares for the next message, which continues this message's window or starts with an empty window (RFC 7692
    /// 7.2.3). Throws if the payload of this message was cut off.
    mutating func finishMessage() throws(ProtocolFault) {
        guard isAtBlockEnd else { throw .badCompression("a message ends inside a deflate block") }
        isEnding = false
        inputWithoutOutput = 0
        if !direction.keepsContext { inflater?.restart() }
        block.release()
    }

    /// The next piece; nil when all input is consumed.
    mutating func next() throws(ProtocolFault) -> Bytes? {
        streamEnds = 0
        do throws(CodecError) {
            while try advance(), inputWithoutOutput <= Self.maximumInputWithoutOutput,
                streamEnds < Self.streamEndsPerCall || block.filled == 0
            {}
        } catch {
            throw .badCompression("\(error)")
        }
        guard inputWithoutOutput <= Self.maximumInputWithoutOutput else {
            throw .emptyCompression(limit: Self.maximumInputWithoutOutput)
        }
        return block.take()
    }

    /// Calls zlib once. Returns false if the piece is full or more input is needed.
    private mutating func advance() throws(CodecError) -> Bool {
        guard mayHoldOutput || !input.isEmpty else { return false }
        if inflater == nil { inflater = try Inflater(rawWindowBits: direction.windowBits) }
        let space = unsafe block.space()
        guard unsafe !space.isEmpty else { return false }
        let step = try unsafe input.withUnsafeBytes { (bytes) throws(CodecError) in
            guard let step = unsafe inflater?.decompress(bytes, into: space) else { throw .misuse }
            return step
        }
        input = input.slice(step.consumed..<input.count)
        block.advance(by: step.produced)
        mayHoldOutput = step.produced == space.count
        inputWithoutOutput = step.produced > 0 ? 0 : inputWithoutOutput + step.consumed
        if step.produced > 0 || step.consumed > 0 { isAtBlockEnd = inflater?.isAtBlockEnd == true }
        switch step.outcome {
        case .more: return !mayHoldOutput && step.consumed > 0
        case .ended:
            // A block with BFINAL ends the deflate stream, but neither the message nor the window (RFC 7692 7.2.3.4).
            mayHoldOutput = false
            isAtBlockEnd = true
            streamEnds += 1
            if step.produced == 0 { inputWithoutOutput += Self.endCost }
            try inflater?.restartKeepingWindow()
            return true
        case .failed(let error): throw error
        }
    }
}
