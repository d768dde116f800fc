import SockeyeCore

/// An incremental decoder of the chunked transfer coding (RFC 9112 7.1).
///
/// It returns chunk data as ranges of the input, so a large chunk costs one step per read and no copy. It stores only
/// the trailer section, up to its limit. The result does not depend on how the stream is split into reads.
///
/// ```
///  ┌──────────────────────────── dataLineFeed ◄── dataReturn ◄──┐
///  ▼                                                            │
/// size ──► padding ──► extension ──► sizeLineFeed ──► data ─────┘
///   └────────┴──────────────────────────▲   └──(size 0)──► trailers ──► finished
/// ```
package struct ChunkedDecoder: Sendable {
    private enum State: Sendable {
        /// Within the digits of a chunk size. Next: padding, chunkExtension, sizeLineFeed.
        case size
        /// Within blanks after the size. RFC 9112 7.1.1 allows them before `;`; old servers also write them before
        /// CRLF. Next: chunkExtension, sizeLineFeed.
        case padding
        /// After `;`. Next: sizeLineFeed.
        case chunkExtension
        /// After the CR of a size line. Next: data, trailers.
        case sizeLineFeed
        /// Within chunk data, `remaining` bytes before its end. Next: dataReturn.
        case data
        /// Before the CR that follows chunk data. Next: dataLineFeed.
        case dataReturn
        /// Before the LF that follows chunk data. Next: size.
        case dataLineFeed
        /// Within the trailer section. Next: finished.
        case trailers
        case finished
    }

    private var state = State.size
    private var remaining = 0
    private var digits = 0
    private var lineBytes = 0
    /// The number of bytes by which the size lines so far exceed their allowances, which `countExcess` defines. Unused
    /// allowances reduce the number, but not below 0.
    private var excessBytes = 0
    private var trailers = TrailerSection()
    private let limits: HTTP1Limits

    package init(limits: HTTP1Limits = HTTP1Limits()) {
        self.limits = limits
    }

    /// The number of data bytes left in the current chunk; nil outside chunk data.
    package var expected: Int? {
        if case .data = state { remaining } else { nil }
    }

    /// Returns the trailer fields without those that RFC 9110 6.5.1 forbids in trailers. Complete after `BodyStep.end`.
    package func trailerFields() -> Headers {
        trailers.makeFields(keepingForbidden: false)
    }

    /// Returns all trailer fields, including the forbidden ones. Complete after `BodyStep.end`.
    package func receivedTrailerFields() -> Headers {
        trailers.makeFields(keepingForbidden: true)
    }

    /// Decodes the next bytes of the body: those after the bytes consumed so far.
    package mutating func decode(_ input: Span<UInt8>) throws(PeerFault) -> BodyStep {
        try unsafe input.withUnsafeBytes { bytes throws(PeerFault) in try unsafe decode(bytes) }
    }

    private mutating func decode(_ input: UnsafeRawBufferPointer) throws(PeerFault) -> BodyStep {
        var index = 0
        while index < input.count {
            switch state {
            case .data:
                let end = index + min(remaining, input.count - index)
                remaining -= end - index
                if remaining == 0 { state = .dataReturn }
                return .data(index..<end)
            case .trailers:
                guard let end = try unsafe trailers.append(input, from: index, limits: limits) else {
                    return .needMore(consumed: input.count)
                }
                state = .finished
                return .end(consumed: end)
            case .finished:
                return .end(consumed: index)
            default:
                try unsafe advance(over: input[index])
                index += 1
            }
        }
        return state == .finished ? .end(consumed: index) : .needMore(consumed: index)
    }

    /// Advances the state over one byte of framing.
    private mutating func advance(over byte: UInt8) throws(PeerFault) {
        switch state {
        case .size:
            if let value = ByteClass.hexValue(byte) { return try addDigit(value) }
            guard digits > 0 else { throw .badChunkSize }
            try leaveSize(byte)
        case .padding:
            try leaveSize(byte)
        case .chunkExtension:
            guard byte != ByteClass.carriageReturn else {
                state = .sizeLineFeed
                return
            }
            guard byte != ByteClass.lineFeed else { throw .bareLF }
            guard !ByteClass.isControl(byte) || byte == ByteClass.horizontalTab else { throw .badChunkExtension }
            try countLineByte()
        case .sizeLineFeed:
            guard byte == ByteClass.lineFeed else { throw .bareCR }
            try countExcess()
            state = remaining == 0 ? .trailers : .data
        case .dataReturn:
            guard byte == ByteClass.carriageReturn else { throw .missingCRLFAfterChunk }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == ByteClass.lineFeed else { throw .missingCRLFAfterChunk }
            state = .size
            digits = 0
            lineBytes = 0
        case .data, .trailers, .finished: break
        }
    }

    /// Adds a hexadecimal digit to the size: at most 16 digits, and no value above ``PeerNumber/largest``.
    private mutating func addDigit(_ value: UInt8) throws(PeerFault) {
        digits += 1
        // The top 5 bits of the previous value must be clear, so that the shift by 4 cannot reach the sign bit.
        guard digits <= 16, remaining >> 59 == 0 else { throw .badChunkSize }
        remaining = remaining << 4 | Int(value)
        guard remaining <= PeerNumber.largest else { throw .badChunkSize }
        lineBytes += 1
    }

    /// Handles a byte after the size, or after blanks that follow the size.
    private mutating func leaveSize(_ byte: UInt8) throws(PeerFault) {
        switch byte {
        case ByteClass.carriageReturn: state = .sizeLineFeed
        case ByteClass.lineFeed: throw .bareLF
        case UInt8(ascii: ";"):
            state = .chunkExtension
            try countLineByte()
        case ByteClass.space, ByteClass.horizontalTab:
            state = .padding
            try countLineByte()
        default: throw .badChunkSize
        }
    }

    private mutating func countLineByte() throws(PeerFault) {
        lineBytes += 1
        guard lineBytes + 2 <= limits.chunkLineBytes else { throw .chunkLineTooLong(limit: limits.chunkLineBytes) }
    }

    /// Updates ``excessBytes`` after a complete size line. Because some servers pad every size with blanks, each line
    /// has an allowance: 16 bytes plus twice the size of the chunk's data (as in Go's `net/http`).
    private mutating func countExcess() throws(PeerFault) {
        // For data above 4 GiB the allowance exceeds every line anyway, and doubling the largest size would overflow.
        let allowance = 16 + 2 * min(remaining, 1 << 32)
        excessBytes = max(0, excessBytes + lineBytes + 2 - allowance)
        guard excessBytes <= limits.chunkExtensionBytes else {
            throw .chunkExtensionTooLarge(limit: limits.chunkExtensionBytes)
        }
    }
}

/// The encoder of the chunked transfer coding (RFC 9112 7.1).
///
/// Each chunk is sent together with its final CRLF. Many peers handle the data only after they have read the CRLF. If
/// the CRLF came with the next chunk, and that chunk depended on the peer's answer, both sides would wait.
///
/// ```
/// prefix(4) data(4) lineEnd prefix(5) data(5) lineEnd end
/// 4\r\n     ....    \r\n    5\r\n     .....   \r\n    0\r\n\r\n
/// ```
package enum ChunkedEncoder {
    /// The size of the buffer that ``prefix(forChunkOf:into:)`` needs, in bytes: 16 digits and CRLF.
    package static let capacity = 18

    /// Writes the chunk-size line that precedes `count` bytes of data.
    /// - Parameter buffer: At least ``capacity`` bytes.
    /// - Returns: The number of bytes written: 0 for an empty chunk, which is omitted because it would end the body.
    package static func prefix(forChunkOf count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard count > 0 else { return 0 }
        var writer = unsafe ByteWriter(buffer)
        writer.put(hexadecimal: count)
        writer.put("\r\n")
        return writer.count
    }

    /// Returns the last chunk and the trailer section, which end a body. Throws if a trailer is invalid or forbidden
    /// (RFC 9110 6.5.1).
    package static func end(trailers: Headers) throws(RequestFault) -> [UInt8] {
        let fields = trailers.storage
        for index in trailers.indices {
            let entry = fields[index]
            if entry.flags.contains(.invalidName), let fault = trailers.fault(of: entry) { throw fault }
            let isForbidden = unsafe fields.withBytes(entry.name) { unsafe TrailerRules.forbids($0) }
            if isForbidden { throw .forbiddenTrailer(Headers.Name(fields.text(entry.name))) }
        }
        if let fault = trailers.firstFault { throw fault }
        return unsafe [UInt8](unsafeUninitializedCapacity: fields.byteCount + 5) { buffer, count in
            var writer = unsafe ByteWriter(UnsafeMutableRawBufferPointer(buffer))
            writer.put("0\r\n")
            unsafe fields.withLines { unsafe writer.put($0) }
            writer.put("\r\n")
            count = writer.count
        }
    }
}
