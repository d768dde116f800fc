import CSockeyeData

/// The decoder of the encodings whose characters are ASCII or begin with a byte of at least 0x80 (WHATWG Encoding,
/// sections 10 to 13): GBK, gb18030, Big5, EUC-JP, Shift_JIS and EUC-KR.
///
/// A pointer is the number of a character in an index of the standard.
///
/// The C library's converters are not used: they differ from the standard and between systems, and small systems lack
/// them.
struct MultiByteDecoder {
    private enum Encoding: String {
        case gbk = "GBK"
        case gb18030
        case big5 = "Big5"
        case eucJP = "EUC-JP"
        case shiftJIS = "Shift_JIS"
        case eucKR = "EUC-KR"
    }

    private let encoding: Encoding
    private let index: CharacterIndex
    /// The two ranges of the trail byte, which is the second byte of a pair. The upper range may be empty.
    private let trails: (Range<UInt8>, Range<UInt8>)
    private var text = DecodedText()

    /// Nil for other encodings.
    init?(_ encoding: TextEncoding) {
        guard let encoding = Encoding(rawValue: encoding.name) else { return nil }
        self.encoding = encoding
        switch encoding {
        case .gbk, .gb18030: (index, trails) = (.gb18030, (0x40..<0x7F, 0x80..<0xFF))
        case .big5: (index, trails) = (.big5, (0x40..<0x7F, 0xA1..<0xFF))
        case .eucJP: (index, trails) = (.jis0208, (0xA1..<0xFF, 0xFF..<0xFF))
        case .shiftJIS: (index, trails) = (.jis0208, (0x40..<0x7F, 0x80..<0xFD))
        case .eucKR: (index, trails) = (.eucKR, (0x41..<0xFF, 0xFF..<0xFF))
        }
    }

    func decode(_ bytes: Span<UInt8>) -> String {
        var decoder = self
        decoder.text.reserve(for: bytes)
        var position = 0
        while position < bytes.count {
            if bytes[position] < 0x80 {
                decoder.text.append(ascii: bytes[position])
                position += 1
            } else {
                position += decoder.decodeCharacter(bytes.extracting(position...))
            }
        }
        return decoder.text.string
    }

    /// Decodes a character that begins with a byte from 0x80 on. Returns the number of its bytes.
    private mutating func decodeCharacter(_ bytes: Span<UInt8>) -> Int {
        let lead = bytes[0]
        if let point = singleByte(lead) { return decoded(point, count: 1) }
        // A lead byte at the end is an error, and so is a byte that is neither a lead byte nor a character.
        guard let row = row(lead), bytes.count > 1 else { return decoded(nil, count: 1) }
        let trail = bytes[1]
        switch (encoding, lead, trail) {
        case (.gbk, _, 0x30...0x39), (.gb18030, _, 0x30...0x39): return decodeFourBytes(bytes)
        case (.eucJP, 0x8E, 0xA1...0xDF): return decoded(Self.katakana(trail), count: 2)
        case (.eucJP, 0x8F, 0xA1...0xFE): return decodeThreeBytes(bytes)
        case (.eucJP, 0x8E...0x8F, _): return decodedPair(nil, trail)
        default: return decodedPair(pointer(row, trail), trail)
        }
    }

    /// Returns the code point of a byte from 0x80 on that is a character by itself.
    private func singleByte(_ byte: UInt8) -> UInt32? {
        switch (encoding, byte) {
        case (.gbk, 0x80), (.gb18030, 0x80): 0x20AC
        case (.shiftJIS, 0x80): 0x80
        case (.shiftJIS, 0xA1...0xDF): Self.katakana(byte)
        default: nil
        }
    }

    private static func katakana(_ byte: UInt8) -> UInt32 { 0xFF61 - 0xA1 + UInt32(byte) }

    /// Returns the row of a lead byte in the index; nil if the byte is no lead byte.
    private func row(_ lead: UInt8) -> Int? {
        switch (encoding, lead) {
        case (.eucJP, 0xA1...0xFE): Int(lead) - 0xA1
        // The lead bytes of katakana and of JIS X 0212 have no row; the caller ignores this value.
        case (.eucJP, 0x8E...0x8F): 0
        case (.eucJP, _): nil
        case (.shiftJIS, 0x81...0x9F): Int(lead) - 0x81
        case (.shiftJIS, 0xE0...0xFC): Int(lead) - 0xC1
        case (.shiftJIS, _): nil
        case (_, 0x81...0xFE): Int(lead) - 0x81
        default: nil
        }
    }

    /// Returns the pointer of a pair; nil if `trail` is no trail byte.
    private func pointer(_ row: Int, _ trail: UInt8) -> Int? {
        let start = row * (trails.0.count + trails.1.count)
        if trails.0.contains(trail) { return start + Int(trail - trails.0.lowerBound) }
        return trails.1.contains(trail) ? start + trails.0.count + Int(trail - trails.1.lowerBound) : nil
    }

    // MARK: Output

    /// Appends a character, or U+FFFD for nil. Returns `count`, the number of decoded bytes.
    private mutating func decoded(_ point: UInt32?, count: Int) -> Int {
        text.append(point)
        return count
    }

    /// Appends the character of a pair. If the pair has no character, appends U+FFFD instead. An ASCII trail byte is
    /// then decoded as a character of its own, because it may be a delimiter.
    private mutating func decodedPair(_ pointer: Int?, _ trail: UInt8) -> Int {
        guard let pointer, let point = point(pointer) else { return decoded(nil, count: trail < 0x80 ? 1 : 2) }
        return decoded(point, count: 2)
    }

    private mutating func point(_ pointer: Int) -> UInt32? {
        switch (encoding, pointer) {
        // User-defined characters of Windows.
        case (.shiftJIS, 8836...10715): return 0xE000 + UInt32(pointer - 8836)
        // Letters with two accents, for which Unicode has no single code point.
        case (.big5, 1133), (.big5, 1135), (.big5, 1164), (.big5, 1166):
            text.append(pointer < 1164 ? 0xCA : 0xEA)
            return pointer == 1133 || pointer == 1164 ? 0x304 : 0x30C
        default: return index[pointer]
        }
    }

    /// Decodes a character of JIS X 0212: 0x8F and a pair.
    private mutating func decodeThreeBytes(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count > 2 else { return decoded(nil, count: 2) }
        let point = pointer(Int(bytes[1]) - 0xA1, bytes[2]).flatMap { CharacterIndex.jis0212[$0] }
        return decoded(point, count: point == nil && bytes[2] < 0x80 ? 2 : 3)
    }

    /// Decodes a four-byte character of gb18030. If the text ends inside it, appends one U+FFFD for the bytes that are
    /// left. If its third or fourth byte is invalid, appends U+FFFD for the first byte only; decoding continues at the
    /// second byte.
    private mutating func decodeFourBytes(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count > 2 else { return decoded(nil, count: 2) }
        guard (0x81...0xFE).contains(bytes[2]) else { return decoded(nil, count: 1) }
        guard bytes.count > 3 else { return decoded(nil, count: 3) }
        guard (0x30...0x39).contains(bytes[3]) else { return decoded(nil, count: 1) }
        let start = (Int(bytes[0]) - 0x81) * 10 + Int(bytes[1]) - 0x30
        return decoded(
            Self.point(ofFourBytes: (start * 126 + Int(bytes[2]) - 0x81) * 10 + Int(bytes[3]) - 0x30), count: 4)
    }

    /// Returns the code point of a pointer (WHATWG Encoding, "index gb18030 ranges code point").
    private static func point(ofFourBytes pointer: Int) -> UInt32? {
        switch pointer {
        case 7457: return 0xE7C7
        case ...39419:
            let ranges = unsafe ConstantTable<sockeye_index_range>(sockeye_gb18030_ranges)
            return ranges.last(upTo: pointer) { Int($0.start) }.map { UInt32(Int($0.point) + pointer - Int($0.start)) }
        case 189_000...1_237_575: return UInt32(0x10000 + pointer - 189_000)
        default: return nil
        }
    }
}

/// The output of a decoder, in UTF-8.
struct DecodedText {
    private var bytes: [UInt8] = []

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Reserves capacity for text of a multi-byte encoding. Most of its characters take two bytes in
    /// that encoding and three in UTF-8.
    mutating func reserve(for input: Span<UInt8>) {
        bytes.reserveCapacity(input.count + input.count / 2)
    }

    mutating func append(ascii byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends a character, or U+FFFD for nil.
    mutating func append(_ point: UInt32?) {
        bytes.append(contentsOf: (point.flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}").utf8)
    }
}
