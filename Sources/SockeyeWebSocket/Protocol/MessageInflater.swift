import SockeyeCore
import SockeyeHTTP

/// The decompressor of permessage-deflate messages (RFC 7692 7.2.2), in pieces of at most 64 KiB.
///
/// One message after the other: ``push(_:)`` each payload and take ``next()`` until nil; at the message's end
/// ``endMessage()``, take the rest, ``finishMessage()``.
struct MessageInflater: ~Copyable {
    private let direction: DeflateDirection
    /// Made with the first compressed message: many connections never have one.
    private var inflater: Inflater?
    private var input = Bytes()
    private var block = OutputBlock()
    /// zlib stopped because the output was full, so it may hold more than it has been given room for.
    private var mayHoldOutput = false
    /// The tail that the sender left out was added.
    private(set) var isEnding = false
    /// The compressed bytes since the last content, and for each end of a deflate stream ``endCost`` more.
    private var barren = 0
    /// The ends of deflate streams within the call of ``next()``.
    private var ends = 0

    /// The most compressed bytes without content. Honest data has some hundred: a block's code tables (RFC 1951 3.2.7), and the
    /// empty blocks of a few flushes.
    static let barrenLimit = 64 << 10
    /// An end costs as much as the decompression of some thousand bytes, since the window is copied.
    private static let endCost = 256
    /// The ends after which a call returns the content that it has.
    private static let endsOfCall = 64

    /// The end of a sync flush, which the sender leaves out (RFC 7692 7.2.1).
    static let tail: Bytes = [0x00, 0x00, 0xFF, 0xFF]

    init(_ direction: DeflateDirection) {
        self.direction = direction
    }

    mutating func push(_ payload: Bytes) {
        input = payload
    }

    mutating func endMessage() {
        input = Self.tail
        isEnding = true
    }

    /// Makes ready for the next message, with or without the window of this one (RFC 7692 7.2.3).
    mutating func finishMessage() {
        isEnding = false
        barren = 0
        if !direction.keepsContext { inflater?.restart() }
        block.release()
    }

    /// The next piece; nil when all input is used up.
    mutating func next() throws(ProtocolFault) -> Bytes? {
        ends = 0
        do throws(CodecError) {
            while try advance(), barren <= Self.barrenLimit, ends < Self.endsOfCall || block.filled == 0 {}
        } catch {
            throw .badCompression("\(error)")
        }
        guard barren <= Self.barrenLimit else { throw .emptyCompression(limit: Self.barrenLimit) }
        return block.take()
    }

    /// Does one step; false when the piece is full or more input is needed.
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
        barren = step.produced > 0 ? 0 : barren + step.consumed
        switch step.outcome {
        case .more: return !mayHoldOutput && step.consumed > 0
        case .ended:
            // A block with BFINAL ends the deflate stream, but not the message nor the window (RFC 7692 7.2.3.4).
            mayHoldOutput = false
            ends += 1
            if step.produced == 0 { barren += Self.endCost }
            try inflater?.restartKeepingWindow()
            return true
        case .failed(let error): throw error
        }
    }
}
