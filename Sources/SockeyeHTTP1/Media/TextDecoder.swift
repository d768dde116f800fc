package import SockeyeCore

/// Turns the bytes of a text body into a string (WHATWG Encoding, 6 "decode").
///
/// Nothing in the bytes is an error: what is malformed comes out as U+FFFD.
package struct TextDecoder: Sendable {
    /// The encoding that applies unless the bytes start with a byte order mark.
    package let encoding: TextEncoding

    package init(_ encoding: TextEncoding) {
        self.encoding = encoding
    }

    /// Nil if the label names no encoding, so that the caller may choose one.
    package init?(label: String) {
        guard let encoding = TextEncoding(label: label) else { return nil }
        self.encoding = encoding
    }

    /// The text without its byte order mark; nil if the system's C library has no converter for the encoding.
    package func decode(_ bytes: Bytes) -> String? {
        bytes.withUnsafeBytes { decode($0) }
    }

    /// The text without its byte order mark; nil if the system's C library has no converter for the encoding.
    package func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        let (encoding, markLength) = Self.byteOrderMark(bytes) ?? (self.encoding, 0)
        let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(markLength))
        switch encoding {
        case .utf8: return String(decoding: text, as: UTF8.self)
        case .utf16LittleEndian: return Self.utf16(text, lowByte: 0)
        case .utf16BigEndian: return Self.utf16(text, lowByte: 1)
        case .windows1252: return Self.singleByte(text, Self.windows1252)
        case .userDefined: return Self.singleByte(text) { 0xF700 + UInt16($0) }
        case .replacement: return text.isEmpty ? "" : "\u{FFFD}"
        default:
            guard let converter = SystemConverter(encoding) else { return nil }
            return converter.convert(text)
        }
    }

    /// A byte order mark outranks any label.
    private static func byteOrderMark(_ bytes: UnsafeRawBufferPointer) -> (TextEncoding, Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        return nil
    }

    private static func utf16(_ bytes: UnsafeRawBufferPointer, lowByte: Int) -> String {
        let units = (0..<bytes.count / 2).lazy.map {
            UInt16(bytes[2 * $0 + 1 - lowByte]) << 8 | UInt16(bytes[2 * $0 + lowByte])
        }
        let text = String(decoding: units, as: UTF16.self)
        // Half a unit at the end merges with a lone surrogate before it into one error; U+FFFD is there already then.
        guard bytes.count % 2 == 1 else { return text }
        let endsInSurrogate = units.last.map { (0xD800...0xDBFF).contains($0) } ?? false
        return endsInSurrogate ? text : text + "\u{FFFD}"
    }

    /// ASCII as it is, the upper half by `upper`.
    private static func singleByte(_ bytes: UnsafeRawBufferPointer, _ upper: @escaping (UInt8) -> UInt16) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.lazy.map { $0 < 0x80 ? UInt16($0) : upper($0) }, as: UTF16.self)
    }

    private static func windows1252(_ byte: UInt8) -> UInt16 {
        byte < 0xA0 ? windows1252Letters[Int(byte - 0x80)] : UInt16(byte)
    }

    /// 0x80 to 0x9F; the five bytes without a letter are C1 controls, as on the web.
    private static let windows1252Letters: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    ]
}
