import SockeyeCore

/// An incremental decoder of the chunked transfer coding (RFC 9112 7.1).
///
/// Chunk data is named as ranges of the input, so a large chunk costs one step per read and no copy. Only the trailer
/// section is kept, up to its limit. However the bytes are cut, the same content, fields or fault come out.
///
/// ```
///            ┌───────────────── dataLineFeed ◄── dataReturn ◄──┐
///            ▼                                                  │
/// size ──► padding ──► extension ──► sizeLineFeed ──► data ─────┘
///   └────────┴──────────────────────────▲   └──(size 0)──► trailers ──► finished
/// ```
package struct ChunkedDecoder: Sendable {
    private enum State: Sendable {
        /// In the digits of a chunk size. To: padding, chunkExtension, sizeLineFeed.
        case size
        /// In blanks behind the size, which RFC 9112 7.1.1 has before `;` and old servers write before CRLF, too.
        /// To: chunkExtension, sizeLineFeed.
        case padding
        /// Behind `;`. To: sizeLineFeed.
        case chunkExtension
        /// Behind the CR of a size line. To: data, trailers.
        case sizeLineFeed
        /// In chunk data, `remaining` bytes from its end. To: dataReturn.
        case data
        /// At the CR behind chunk data. To: dataLineFeed.
        case dataReturn
        /// At its LF. To: size.
        case dataLineFeed
        /// In the trailer section. To: finished.
        case trailers
        case finished
    }

    private var state = State.size
    private var remaining = 0
    private var digits = 0
    private var lineBytes = 0
    private var extensionBytes = 0
    private var trailers = TrailerSection()
    private let limits: HTTP1Limits

    package init(limits: HTTP1Limits = HTTP1Limits()) {
        self.limits = limits
    }

    /// Bytes of the current chunk still to come.
    package var expected: Int? {
        if case .data = state { remaining } else { nil }
    }

    /// The fields of the trailer section without those that RFC 9110 6.5.1 does not allow there. Complete after `.end`.
    package func trailerFields() -> Headers {
        trailers.makeFields(keepingForbidden: false)
    }

    /// The fields of the trailer section as they came.
    package func receivedTrailerFields() -> Headers {
        trailers.makeFields(keepingForbidden: true)
    }

    /// Goes on with the bytes behind those consumed so far.
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

    /// One byte of framing.
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
            try countExtensionByte()
        case .sizeLineFeed:
            guard byte == ByteClass.lineFeed else { throw .bareCR }
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

    /// At most 16 digits, and no value above ``PeerNumber/largest``.
    private mutating func addDigit(_ value: UInt8) throws(PeerFault) {
        digits += 1
        // Of an accepted value 59 bits are left, so that the shift cannot reach the sign.
        guard digits <= 16, remaining >> 59 == 0 else { throw .badChunkSize }
        remaining = remaining << 4 | Int(value)
        guard remaining <= PeerNumber.largest else { throw .badChunkSize }
        lineBytes += 1
    }

    /// The byte behind the size or the blanks that follow it.
    private mutating func leaveSize(_ byte: UInt8) throws(PeerFault) {
        switch byte {
        case ByteClass.carriageReturn: state = .sizeLineFeed
        case ByteClass.lineFeed: throw .bareLF
        case UInt8(ascii: ";"):
            state = .chunkExtension
            try countExtensionByte()
        case ByteClass.space, ByteClass.horizontalTab:
            state = .padding
            try countExtensionByte()
        default: throw .badChunkSize
        }
    }

    private mutating func countExtensionByte() throws(PeerFault) {
        lineBytes += 1
        extensionBytes += 1
        guard lineBytes + 2 <= limits.chunkLineBytes else { throw .chunkLineTooLong(limit: limits.chunkLineBytes) }
        guard extensionBytes <= limits.chunkExtensionBytes else {
            throw .chunkExtensionTooLarge(limit: limits.chunkExtensionBytes)
        }
    }
}

/// The encoder of the chunked transfer coding (RFC 9112 7.1).
///
/// Each chunk is sent with its final CRLF: a peer that reads the CRLF before it looks at the data, as many do, must not
/// have to wait for the next chunk, which may depend on its own answer.
///
/// ```
/// prefix(4) data(4) lineEnd prefix(5) data(5) lineEnd end
/// 4\r\n     ....    \r\n    5\r\n     .....   \r\n    0\r\n\r\n
/// ```
package enum ChunkedEncoder {
    /// The size of the buffer that ``prefix(forChunkOf:into:)`` needs.
    package static let capacity = 18

    /// Writes what comes before `count` bytes of data.
    /// - Parameter buffer: At least ``capacity`` bytes.
    /// - Returns: How many were written; none for an empty chunk, which would end the body and so is left out.
    package static func prefix(forChunkOf count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard count > 0 else { return 0 }
        var writer = unsafe ByteWriter(buffer)
        writer.put(hexadecimal: count)
        writer.put("\r\n")
        return writer.count
    }

    /// What ends a body, with `trailers`, which must not hold fields that RFC 9110 6.5.1 forbids there.
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
