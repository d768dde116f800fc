/// The opcodes of frames (RFC 6455 5.2, 11.8). All others are reserved.
package enum Opcode: UInt8, Sendable, Hashable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// True for control frames, which may appear between the fragments of a message (RFC 6455 5.5).
    package var isControl: Bool { rawValue >= 0x8 }
}

/// The side of the connection: a client masks its frames, a server does not (RFC 6455 5.1).
package enum Role: Sendable, Hashable {
    case client, server
}

/// The header of a frame (RFC 6455 5.2).
package struct FrameHeader: Sendable, Hashable {
    package var isFinal: Bool
    /// RSV1, which marks the first frame of a compressed message (RFC 7692 6).
    package var isCompressed: Bool
    package var opcode: Opcode
    package var mask: MaskingKey?
    /// The length of the payload in bytes: 0 to 2^63 - 1.
    package var length: Int

    /// The longest header: two bytes, eight of an extended length, four of a masking key.
    package static let maximumSize = 14
    /// The largest payload of a control frame (RFC 6455 5.5).
    package static let maximumControlPayload = 125

    package init(isFinal: Bool, isCompressed: Bool = false, opcode: Opcode, mask: MaskingKey?, length: Int) {
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.opcode = opcode
        self.mask = mask
        self.length = length
    }

    /// Writes the header with the shortest form of the length, and returns its size in bytes.
    ///
    /// - Parameter buffer: At least ``maximumSize`` bytes.
    package func encode(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        unsafe buffer[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
        var count: Int
        switch length {
        case ...125:
            unsafe buffer[1] = maskBit | UInt8(truncatingIfNeeded: length)
            count = 2
        case ...0xFFFF:
            unsafe buffer[1] = maskBit | 126
            unsafe buffer.storeBytes(of: UInt16(truncatingIfNeeded: length).bigEndian, toByteOffset: 2, as: UInt16.self)
            count = 4
        default:
            unsafe buffer[1] = maskBit | 127
            unsafe buffer.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            count = 10
        }
        if let mask {
            unsafe buffer.storeBytes(of: mask.word, toByteOffset: count, as: UInt32.self)
            count += 4
        }
        return count
    }
}

/// An incremental parser of the frame headers that one side receives. It refuses headers that the other side must not
/// send (RFC 6455 5.1, 5.2, 5.5).
package struct FrameHeaderParser: Sendable {
    private let role: Role
    /// True if permessage-deflate was negotiated, which uses RSV1.
    private let allowsCompression: Bool
    /// The start of an incomplete header, at most 13 bytes.
    private var partial: [UInt8] = []

    package init(role: Role, allowsCompression: Bool) {
        self.role = role
        self.allowsCompression = allowsCompression
    }

    /// Parses a header. If the previous call returned nil, `bytes` continues the header of that call.
    ///
    /// - Returns: The header, and the number of bytes of `bytes` that belong to it. Nil if the header is still
    ///   incomplete; the parser has then stored all of `bytes`.
    package mutating func parse(_ bytes: Span<UInt8>) throws(ProtocolFault) -> (header: FrameHeader, consumed: Int)? {
        if partial.isEmpty, let size = try headerSize(bytes), bytes.count >= size {
            return (try header(bytes, size), size)
        }
        var consumed = 0
        while consumed < bytes.count {
            partial.append(bytes[consumed])
            consumed += 1
            guard let size = try headerSize(partial.span), partial.count == size else { continue }
            let header = try header(partial.span, size)
            partial.removeAll(keepingCapacity: true)
            return (header, consumed)
        }
        return nil
    }

    /// Returns the size of the header at the start of `bytes`, computed from the first two bytes; nil if there are
    /// fewer than two.
    private func headerSize(_ bytes: Span<UInt8>) throws(ProtocolFault) -> Int? {
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[0], bytes[1])
        guard first & 0x30 == 0, allowsCompression || first & 0x40 == 0 else { throw .reservedBits }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode(first & 0x0F) }
        // RSV1 may be set only on the first frame of a message (RFC 7692 6.1).
        guard first & 0x40 == 0 || opcode == .text || opcode == .binary else { throw .reservedBits }
        let isMasked = second & 0x80 != 0
        guard isMasked == (role == .server) else { throw isMasked ? .maskedByServer : .unmaskedByClient }
        let length = second & 0x7F
        if opcode.isControl {
            guard first & 0x80 != 0 else { throw .fragmentedControl }
            guard length <= FrameHeader.maximumControlPayload else { throw .oversizedControl }
        }
        return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + (isMasked ? 4 : 0)
    }

    /// Parses a complete header; ``headerSize(_:)`` has checked its first two bytes.
    private func header(_ bytes: Span<UInt8>, _ size: Int) throws(ProtocolFault) -> FrameHeader {
        var length = UInt64(bytes[1] & 0x7F)
        var next = 2
        if length >= 126 {
            let (width, minimum): (Int, UInt64) = length == 126 ? (2, 126) : (8, 0x1_0000)
            length = 0
            for _ in 0..<width {
                length = length << 8 | UInt64(bytes[next])
                next += 1
            }
            guard length >= minimum else { throw .nonMinimalLength }
            // The most significant bit must be 0 (RFC 6455 5.2).
            guard length >> 63 == 0 else { throw .lengthTooLarge }
        }
        var mask: MaskingKey?
        if next < size { mask = MaskingKey(bytes[next], bytes[next + 1], bytes[next + 2], bytes[next + 3]) }
        // ``headerSize(_:)`` has refused unknown opcodes.
        guard let opcode = Opcode(rawValue: bytes[0] & 0x0F) else { throw .reservedOpcode(bytes[0] & 0x0F) }
        return FrameHeader(
            isFinal: bytes[0] & 0x80 != 0, isCompressed: bytes[0] & 0x40 != 0, opcode: opcode, mask: mask,
            length: Int(length))
    }
}
