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
        if !direction.keepsContext { inflater?.restart() }
        block.release()
    }

    /// The next piece; nil when all input is used up.
    mutating func next() throws(ProtocolFault) -> Bytes? {
        do throws(CodecError) {
            while try advance() {}
            return block.take()
        } catch {
            throw .badCompression("\(error)")
        }
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
        switch step.outcome {
        case .more: return !mayHoldOutput && step.consumed > 0
        case .ended:
            // A block with BFINAL ends the deflate stream, but not the message nor the window (RFC 7692 7.2.3.4).
            mayHoldOutput = false
            try inflater?.restartKeepingWindow()
            return true
        case .failed(let error): throw error
        }
    }
}
