package import SockeyeCore
import SockeyeHTTP

/// The sending half of the protocol as a state machine without I/O: it encodes messages and control frames.
///
/// A message is given piece by piece: ``begin(_:compressing:)``, then ``append(_:isLast:)`` each time ``wantsPiece`` is
/// true. ``fill()`` encodes and masks as much as fits into ``output``, which the caller writes to the stream. Control
/// frames follow the current frame, before the rest of its message (RFC 6455 5.4).
package struct OutboundMachine: ~Copyable {
    /// The bytes to send.
    package var output = OutputBuffer()
    /// True if a Close frame is in the output or already sent: no frame may follow it (RFC 6455 5.5.1).
    package private(set) var hasSentClose = false

    private let role: Role
    private let fragmentSize: Int
    private var keys = MaskingKeySource()
    private var deflater: MessageDeflater?
    private var message: Message?
    private var piece: Piece?
    /// Output of the compressor that is not in a frame yet.
    private var compressed: Piece?
    private var frame: Frame?
    private var control = PendingControl()

    private struct Message {
        let opcode: Opcode
        let isCompressed: Bool
        var hasBegun = false
    }

    /// A part of a message.
    private struct Piece {
        let bytes: Bytes
        /// The number of bytes that are already in frames, or that the compressor has already taken.
        var offset = 0
        let isLast: Bool

        var isUsedUp: Bool { offset == bytes.count }

        mutating func next(atMost limit: Int) -> Bytes {
            let end = offset + min(limit, bytes.count - offset)
            defer { offset = end }
            return bytes.slice(offset..<end)
        }
    }

    /// A frame with its header in the output.
    private struct Frame {
        let payload: Bytes
        /// The number of payload bytes that are already in the output.
        var offset = 0
        let mask: MaskingKey?
    }

    /// - Parameters:
    ///   - fragmentSize: The largest payload of a data frame in bytes; values below 1 count as 1. Control frames wait
    ///     for the end of the current data frame, so a smaller size shortens their delay.
    ///   - compression: The agreed parameters of permessage-deflate for this direction; nil without compression. With a
    ///     window of 2^8 bytes, which zlib does not support, all messages are sent uncompressed, as RFC 7692 6 allows.
    ///   - level: The compression level of zlib, clamped to 1...9.
    package init(role: Role, fragmentSize: Int, compression: DeflateDirection? = nil, level: Int = 6) {
        self.role = role
        self.fragmentSize = max(1, fragmentSize)
        if let compression, compression.windowBits > 8 { deflater = MessageDeflater(compression, level: level) }
    }

    /// True if messages can be compressed.
    package var compresses: Bool { deflater != nil }
    /// True between ``begin(_:compressing:)`` and the encoding of the message's last frame header.
    package var isAmidMessage: Bool { message != nil }
    /// True if Close was encoded before the last frame of a message: the rest of that message is never sent.
    package var hasCutMessage: Bool { hasSentClose && message != nil }
    /// True if no part of an appended piece waits for a frame. If a message is in progress, its next piece can then be
    /// appended.
    package var wantsPiece: Bool { piece == nil && compressed == nil }
    /// True if no appended piece and no control frame waits for encoding, in whole or in part.
    package var isDrained: Bool { wantsPiece && frame == nil && control.isEmpty }

    // MARK: Messages

    /// Begins a message. The previous message must be complete, and no Close frame may have been encoded.
    package mutating func begin(_ kind: WebSocketProtocol.Kind, compressing: Bool) {
        precondition(
            message == nil && !hasSentClose, "a message was begun before the previous one was complete, or after Close")
        message = Message(opcode: kind == .text ? .text : .binary, isCompressed: compressing && deflater != nil)
    }

    /// Adds the next piece of the message.
    package mutating func append(_ bytes: Bytes, isLast: Bool) {
        precondition(wantsPiece, "a piece was appended before the previous one was used up")
        piece = Piece(bytes: bytes, isLast: isLast)
    }

    /// Withdraws the current message, unless one of its frames has been encoded.
    package mutating func withdraw() {
        guard message?.hasBegun == false else { return }
        message = nil
        piece = nil
    }

    // MARK: Control frames

    /// Answers a ping; does nothing after Close. The pong replaces a pong that waits to be sent, because only the last
    /// of several pings needs an answer (RFC 6455 5.5.3). This also bounds the memory that a flood of pings takes.
    package mutating func pong(_ payload: Bytes) {
        if !hasSentClose { control.pong = payload }
    }

    /// True if a ping waits to be sent.
    package var hasWaitingPing: Bool { !control.pings.isEmpty }

    /// Sends a ping. If 16 pings wait to be sent, the new ping replaces the last of them: the answer to a ping answers
    /// all earlier pings too (RFC 6455 5.5.3).
    ///
    /// - Returns: False if Close has been encoded; the ping is then not sent.
    package mutating func ping(_ payload: Bytes) -> Bool {
        guard !hasSentClose else { return false }
        if control.pings.count == PendingControl.maximumPings { control.pings.removeLast() }
        control.pings.append(payload)
        return true
    }

    /// Sends Close after the current frame; only the first call counts. An unfinished message stays unfinished.
    ///
    /// - Parameter payload: At most 125 bytes; see ``WebSocketProtocol/CloseStatus/payload``.
    package mutating func close(_ payload: [UInt8]) {
        if !hasSentClose, control.close == nil { control.close = payload }
    }

    /// True if Close was requested or has been encoded.
    package var isClosing: Bool { hasSentClose || control.close != nil }

    // MARK: Output

    /// Encodes as much as fits into the output.
    ///
    /// - Throws: The error of zlib.
    package mutating func fill() throws(CodecError) {
        while output.makeRoom(for: Self.smallestRoom) {
            if frame != nil {
                movePayload()
            } else if !control.isEmpty {
                encodeControl()
            } else if hasSentClose || wantsPiece {
                return
            } else if compressed != nil {
                beginCompressedFrame()
            } else {
                try beginFrame()
            }
        }
    }

    /// The room for any control frame, or for a header with some payload.
    private static let smallestRoom = FrameHeader.maximumSize + FrameHeader.maximumControlPayload

    private mutating func movePayload() {
        guard var current = frame else { return }
        let rest = current.payload.count - current.offset
        let count = unsafe output.append(atMost: rest) { space in
            unsafe current.payload.withUnsafeBytes { bytes in
                let end = current.offset + space.count
                let source = unsafe UnsafeRawBufferPointer(rebasing: bytes[current.offset..<end])
                if let mask = current.mask {
                    unsafe mask.advanced(by: current.offset).apply(source, into: space)
                } else {
                    unsafe space.copyMemory(from: source)
                }
            }
        }
        current.offset += count
        frame = count < rest ? current : nil
    }

    private mutating func encodeControl() {
        if let pong = control.pong {
            control.pong = nil
            begin(.pong, pong)
        } else if !control.pings.isEmpty {
            begin(.ping, control.pings.removeFirst())
        } else if let close = control.close {
            control = PendingControl()
            begin(.close, Bytes(close))
            hasSentClose = true
            piece = nil
            compressed = nil
        }
    }

    /// Begins a frame with the next part of the piece. In a compressed message, compresses this part instead.
    private mutating func beginFrame() throws(CodecError) {
        guard var current = piece, let message else { return }
        if message.isCompressed {
            try compress(&current)
            return
        }
        let payload = current.next(atMost: fragmentSize)
        piece = current.isUsedUp ? nil : current
        // An empty piece in the middle of a message needs no frame.
        if !payload.isEmpty || current.isLast { begin(payload, isFinal: current.isUsedUp && current.isLast) }
    }

    /// Compresses the next part of the piece. Stores the compressor's output in ``compressed`` once the output is large
    /// enough for a frame, or the piece is used up.
    private mutating func compress(_ current: inout Piece) throws(CodecError) {
        let part = current.next(atMost: 64 << 10)
        let isUsedUp = current.isUsedUp
        if !part.isEmpty || current.isLast { try deflater?.compress(part, flushes: isUsedUp) }
        piece = isUsedUp ? nil : current
        if isUsedUp, current.isLast {
            compressed = Piece(bytes: deflater?.finishMessage() ?? Bytes(), isLast: true)
        } else {
            let output = deflater?.take(atLeast: isUsedUp ? 1 : min(fragmentSize, 32 << 10)) ?? Bytes()
            compressed = output.isEmpty ? nil : Piece(bytes: output, isLast: false)
        }
    }

    /// Begins a frame with the next part of the compressor's output.
    private mutating func beginCompressedFrame() {
        guard var current = compressed else { return }
        let payload = current.next(atMost: fragmentSize)
        compressed = current.isUsedUp ? nil : current
        begin(payload, isFinal: current.isUsedUp && current.isLast)
    }

    private mutating func begin(_ payload: Bytes, isFinal: Bool) {
        guard let current = message else { return }
        begin(
            current.hasBegun ? .continuation : current.opcode, payload, isFinal: isFinal,
            isCompressed: current.isCompressed && !current.hasBegun)
        message?.hasBegun = true
        if isFinal { message = nil }
    }

    private mutating func begin(
        _ opcode: Opcode, _ payload: Bytes, isFinal: Bool = true, isCompressed: Bool = false
    ) {
        let mask = role == .client ? keys.next() : nil
        let header = FrameHeader(
            isFinal: isFinal, isCompressed: isCompressed, opcode: opcode, mask: mask, length: payload.count)
        output.append(header)
        frame = payload.isEmpty ? nil : Frame(payload: payload, mask: mask)
    }
}

/// The control frames that wait for the end of the current frame.
private struct PendingControl {
    var pong: Bytes?
    var pings: [Bytes] = []
    var close: [UInt8]?

    static let maximumPings = 16

    var isEmpty: Bool { pong == nil && pings.isEmpty && close == nil }
}
