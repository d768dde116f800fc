package import SockeyeCore

/// The receiving half of the WebSocket protocol as a state machine without I/O: ``push(_:)`` takes received bytes,
/// ``next()`` returns events.
///
/// The events do not depend on how the input is split, except for the sizes of a message's pieces.
///
/// States:
/// - `header`: at the start of a frame or in its header. → `data`, `control`
/// - `data`: in the payload of a message's frame. → `header` after its last byte
/// - `control`: in the payload of a control frame, of at most 125 bytes. → `header`, `closed`
/// - `closed`: a Close frame has arrived. Further input is discarded (RFC 6455 5.5.1).
/// - `failed`: the peer broke the protocol. Every later call throws the same fault (RFC 6455 7.1.7).
package struct InboundMachine: ~Copyable {
    package enum Event: Sendable, Hashable {
        /// A message begins; its pieces and its end follow.
        case message(WebSocketProtocol.Kind)
        /// The next bytes of the message, at least one, unmasked and decompressed. In a text message, all bytes so far
        /// are valid UTF-8, except that the last character may be incomplete.
        case piece(Bytes)
        case end
        case ping(Bytes)
        case pong(Bytes)
        case close(WebSocketProtocol.CloseStatus)
    }

    private enum State {
        case header
        case data(Frame)
        case control(Frame)
        case closed
        case failed(ProtocolFault)
    }

    /// A frame with an incomplete payload.
    private struct Frame {
        let header: FrameHeader
        var remaining: Int
        var mask: MaskingKey?
    }

    private struct Message {
        let isText: Bool
        let isCompressed: Bool
        var text = UTF8Validator()
        var count = 0
        /// The number of consecutive frames without payload that do not end the message.
        var emptyFrames = 0
    }

    /// The maximum payload of one frame in bytes, before decompression.
    package let frameLimit: Int
    /// The maximum size of a message in bytes, decompressed. May change between events.
    package var messageLimit: Int
    private var parser: FrameHeaderParser
    private var state = State.header
    private var input = Bytes()
    private var message: Message?
    private var control: [UInt8] = []
    private var inflater: MessageInflater?
    /// True if the inflater may have more output.
    private var isInflating = false
    /// The result of the next ``takeFrameCount()``.
    private var frames = 0

    /// The maximum number of consecutive frames without payload within a message. Such frames carry no data, so only a
    /// peer that tries to keep the receiver busy sends more of them.
    package static let emptyFrameLimit = 256

    /// - Parameters:
    ///   - frameLimit: The maximum payload of one frame. A limit above ``PeerNumber/largest`` is clamped to it.
    ///   - compression: The agreed parameters of permessage-deflate for this direction; nil without compression.
    package init(
        role: Role, frameLimit: Int = .max, messageLimit: Int = .max, compression: DeflateDirection? = nil
    ) {
        self.frameLimit = min(frameLimit, PeerNumber.largest)
        self.messageLimit = messageLimit
        parser = FrameHeaderParser(role: role, allowsCompression: compression != nil)
        inflater = compression.map { MessageInflater($0) }
    }

    /// True if a message has begun and not ended.
    package var isAmidMessage: Bool { message != nil }

    var isAmidCompressedMessage: Bool { message?.isCompressed == true }

    /// Adds received bytes. They are copied unless ``next()`` has returned nil, which means that all input is consumed.
    package mutating func push(_ bytes: Bytes) {
        input = input.isEmpty ? bytes : Bytes(Array(input) + Array(bytes))
    }

    /// The number of bytes that were pushed and not parsed yet.
    var pendingCount: Int { input.count }

    /// Returns the number of frame headers parsed since the last call, plus the number of deflate streams that ended
    /// since then. The receiving task uses this number to decide when it lets other tasks run.
    ///
    /// A peer can end a deflate stream, by a final block, many times within a message (RFC 7692 7.2.3.4). An end takes
    /// few bytes of input, but costs a copy of the window into the next stream.
    mutating func takeFrameCount() -> Int {
        defer { frames = 0 }
        return frames
    }

    /// The next event; nil if more bytes are needed, or after a Close frame.
    package mutating func next() throws(ProtocolFault) -> Event? {
        do throws(ProtocolFault) {
            while true {
                switch state {
                case .header: guard try readHeader() else { return nil }
                case .data(let frame):
                    if let event = try advance(frame) { return event }
                    if case .data(let same) = state, same.remaining > 0, input.isEmpty, !isInflating { return nil }
                case .control(let frame):
                    if let event = try collectControl(frame) { return event }
                    if case .control = state { return nil }
                case .closed:
                    input = Bytes()
                    return nil
                case .failed(let fault): throw fault
                }
                if let begun = takeBeginning() { return begun }
            }
        } catch {
            state = .failed(error)
            input = Bytes()
            inflater = nil
            throw error
        }
    }

    // MARK: Frames

    /// The kind of a message that has just begun and is not reported yet.
    private var begunKind: WebSocketProtocol.Kind?

    private mutating func takeBeginning() -> Event? {
        guard let kind = begunKind else { return nil }
        begunKind = nil
        return .message(kind)
    }

    /// Parses the header of the next frame; false if it is incomplete.
    private mutating func readHeader() throws(ProtocolFault) -> Bool {
        let bytes = input
        guard !bytes.isEmpty, let (header, consumed) = try parser.parse(bytes.span) else {
            input = Bytes()
            return false
        }
        removeParsed(consumed)
        frames += 1
        let frame = Frame(header: header, remaining: header.length, mask: header.mask)
        if header.opcode.isControl {
            control.removeAll(keepingCapacity: true)
            state = .control(frame)
            return true
        }
        guard header.length <= frameLimit else { throw .frameTooLarge(limit: frameLimit) }
        switch (header.opcode, message) {
        case (.continuation, nil): throw .unexpectedContinuation
        case (.continuation, _): try count(header)
        case (_, nil):
            message = Message(isText: header.opcode == .text, isCompressed: header.isCompressed)
            begunKind = header.opcode == .text ? .text : .binary
        default: throw .interleavedMessage
        }
        state = .data(frame)
        return true
    }

    /// Counts continuation frames without payload, and refuses too many of them in a row.
    private mutating func count(_ header: FrameHeader) throws(ProtocolFault) {
        guard header.length == 0, !header.isFinal else {
            message?.emptyFrames = 0
            return
        }
        message?.emptyFrames += 1
        guard let empty = message?.emptyFrames, empty <= Self.emptyFrameLimit else {
            throw .emptyFrames(limit: Self.emptyFrameLimit)
        }
    }

    private mutating func removeParsed(_ count: Int) {
        // If everything is consumed, the slice is empty and retains no memory. The next read can then reuse the receive
        // buffer.
        input = input.slice(count..<input.count)
    }

    // MARK: Data

    /// Processes the next part of a message frame's payload, or the end of the frame.
    private mutating func advance(_ frame: Frame) throws(ProtocolFault) -> Event? {
        if isInflating, let piece = try inflated() { return .piece(piece) }
        var frame = frame
        if frame.remaining == 0 { return try endFrame(frame) }
        try checkAnnounced(frame)
        guard !input.isEmpty else { return nil }
        let count = min(frame.remaining, input.count)
        var payload = input.slice(0..<count)
        removeParsed(count)
        if let mask = frame.mask {
            payload = mask.applied(to: payload)
            frame.mask = mask.advanced(by: count)
        }
        frame.remaining -= count
        state = .data(frame)
        if message?.isCompressed == true {
            inflater?.push(payload)
            isInflating = true
            return try inflated().map { .piece($0) }
        }
        return .piece(try checked(payload))
    }

    /// Refuses a frame before its payload arrives, if its announced length would make the message exceed the limit.
    /// Compressed frames are not checked here, because their length says nothing about the size of their content.
    private func checkAnnounced(_ frame: Frame) throws(ProtocolFault) {
        guard let message, !message.isCompressed else { return }
        guard message.count.addingSaturated(frame.remaining) <= messageLimit else {
            throw .messageTooLarge(limit: messageLimit)
        }
    }

    /// Ends a frame after its payload, and the message after its last frame.
    private mutating func endFrame(_ frame: Frame) throws(ProtocolFault) -> Event? {
        guard frame.header.isFinal else {
            state = .header
            return nil
        }
        if message?.isCompressed == true, inflater?.isEnding == false {
            inflater?.endMessage()
            isInflating = true
            return try inflated().map { .piece($0) }
        }
        try inflater?.finishMessage()
        guard message?.isText != true || message?.text.isComplete == true else { throw .invalidText }
        message = nil
        state = .header
        return .end
    }

    /// The next piece of decompressed data; nil if more input is needed.
    private mutating func inflated() throws(ProtocolFault) -> Bytes? {
        let piece = try inflater?.next()
        frames += inflater?.streamEnds ?? 0
        guard let piece else {
            isInflating = false
            return nil
        }
        return try checked(piece)
    }

    /// Checks the size of the message so far, including this piece, and that the text of a text message is valid UTF-8.
    private mutating func checked(_ piece: Bytes) throws(ProtocolFault) -> Bytes {
        guard var current = message else { return piece }
        current.count = current.count.addingSaturated(piece.count)
        guard current.count <= messageLimit else { throw .messageTooLarge(limit: messageLimit) }
        if current.isText {
            let isValid = unsafe piece.withUnsafeBytes { unsafe current.text.accepts($0) }
            guard isValid else { throw .invalidText }
        }
        message = current
        return piece
    }

    // MARK: Control frames

    private mutating func collectControl(_ frame: Frame) throws(ProtocolFault) -> Event? {
        var frame = frame
        let count = min(frame.remaining, input.count)
        let payload = input.slice(0..<count)
        control += frame.mask?.applied(to: payload) ?? payload
        removeParsed(count)
        frame.remaining -= count
        frame.mask = frame.mask?.advanced(by: count)
        state = .control(frame)
        guard frame.remaining == 0 else { return nil }
        state = .header
        switch frame.header.opcode {
        case .ping: return .ping(Bytes(control))
        case .pong: return .pong(Bytes(control))
        default:
            let status = try WebSocketProtocol.CloseStatus(payload: control)
            state = .closed
            input = Bytes()
            inflater = nil
            return .close(status)
        }
    }
}

extension MaskingKey {
    /// Returns the bytes combined with the key, in new memory.
    package func applied(to bytes: Bytes) -> Bytes {
        unsafe bytes.withUnsafeBytes { source in
            unsafe Bytes(count: source.count) { unsafe apply(source, into: $0) }
        }
    }
}
