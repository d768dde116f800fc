package import SockeyeCore
import SockeyePlatform

/// The decoder of text bodies (WHATWG Encoding, 6 "decode").
///
/// The Unicode encodings and all single-byte ones are decoded here, the multi-byte ones of East Asia by the C library's
/// converters, without which ``decode(_:)-(Bytes)`` gives nil.
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

    /// The decoder of what starts with a byte order mark, which outranks any label; nil for what starts with none.
    package init?(byteOrderMarkOf bytes: Bytes) {
        guard let (encoding, _) = unsafe bytes.withUnsafeBytes({ unsafe TextDecoder(.utf8).byteOrderMark($0) }) else {
            return nil
        }
        self.encoding = encoding
    }

    /// The text without its byte order mark; nil if the system's C library has no converter for the encoding.
    package func decode(_ bytes: Bytes) -> String? {
        unsafe bytes.withUnsafeBytes { unsafe decode($0) }
    }

    /// The text without its byte order mark; nil if the system's C library has no converter for the encoding.
    package func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        let (encoding, markLength) = unsafe byteOrderMark(bytes) ?? (self.encoding, 0)
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(markLength))
        switch encoding {
        case .utf8: return unsafe String(decoding: text, as: UTF8.self)
        case .utf16LittleEndian: return unsafe Self.utf16(text, lowByte: 0)
        case .utf16BigEndian: return unsafe Self.utf16(text, lowByte: 1)
        case .utf32LittleEndian: return unsafe Self.utf32(text, isBigEndian: false)
        case .utf32BigEndian: return unsafe Self.utf32(text, isBigEndian: true)
        case .userDefined: return unsafe Self.userDefined(text)
        case .replacement: return unsafe text.isEmpty ? "" : "\u{FFFD}"
        default:
            if let table = SingleByteTable(encoding) { return unsafe table.decode(text) }
            let decoded = unsafe CharacterConverter(from: Self.systemName(encoding))?.convert(text)
            return encoding.name == "EUC-JP" ? decoded.map(JapaneseExtensions.replacingPlaceholders) : decoded
        }
    }

    /// A byte order mark outranks any label. Those of UTF-32 count only where the label is one of its own, since the
    /// little-endian one is also a mark of UTF-16 and a NUL.
    private func byteOrderMark(_ bytes: UnsafeRawBufferPointer) -> (TextEncoding, Int)? {
        if encoding == .utf32LittleEndian || encoding == .utf32BigEndian {
            if unsafe bytes.starts(with: [0xFF, 0xFE, 0x00, 0x00]) { return (.utf32LittleEndian, 4) }
            if unsafe bytes.starts(with: [0x00, 0x00, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
        }
        if unsafe bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if unsafe bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if unsafe bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        return nil
    }

    private static func utf16(_ bytes: UnsafeRawBufferPointer, lowByte: Int) -> String {
        let units = (0..<bytes.count / 2).lazy.map { index in
            let (high, low) = unsafe (bytes[2 * index + 1 - lowByte], bytes[2 * index + lowByte])
            return UInt16(high) << 8 | UInt16(low)
        }
        let text = String(decoding: units, as: UTF16.self)
        // Half a unit at the end merges with a lone surrogate before it into one error; U+FFFD is there already then.
        guard bytes.count % 2 == 1 else { return text }
        let endsInSurrogate = units.last.map { (0xD800...0xDBFF).contains($0) } ?? false
        return endsInSurrogate ? text : text + "\u{FFFD}"
    }

    private static func utf32(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> String {
        var text = String.UnicodeScalarView()
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let unit = (0..<min(4, bytes.count - start)).reduce(UInt32(0)) { unit, index in
                let shift = 8 * (isBigEndian ? 3 - index : index)
                return unsafe unit | UInt32(bytes[start + index]) << shift
            }
            let isWhole = start + 4 <= bytes.count
            text.append(isWhole ? Unicode.Scalar(unit) ?? "\u{FFFD}" : "\u{FFFD}")
        }
        return String(text)
    }

    /// What the C library calls the encoding that the WHATWG standard means; by "GBK", "Big5", "Shift_JIS" and "EUC-KR"
    /// it means their supersets.
    private static func systemName(_ encoding: TextEncoding) -> String {
        switch encoding.name {
        case "GBK", "gb18030": "GB18030"
        case "Big5": "BIG5-HKSCS"
        case "EUC-JP": "EUC-JP-MS"
        case "Shift_JIS": "CP932"
        case "EUC-KR": "UHC"
        default: encoding.name
        }
    }

    private static func userDefined(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes.lazy.map { $0 < 0x80 ? UInt16($0) : 0xF700 + UInt16($0) }, as: UTF16.self)
    }
}

/// An encoding in which each byte is a character and the lower half is ASCII (WHATWG Encoding, 9).
///
/// These are decoded here and not by the C library, since small systems lack its converters, and since it composes
/// letters and accents where the standard does not.
struct SingleByteTable: Sendable {
    /// The characters of the bytes from 0x80 on, U+FFFD for those that stand for none.
    private let upperHalf: [UInt16]

    /// Nil if the encoding is none of these.
    init?(_ encoding: TextEncoding) {
        guard let upperHalf = Self.upperHalves[encoding.name] else { return nil }
        self.upperHalf = upperHalf
    }

    func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        if unsafe bytes.allSatisfy({ $0 < 0x80 }) { return unsafe String(decoding: bytes, as: UTF8.self) }
        return unsafe String(
            decoding: bytes.lazy.map { $0 < 0x80 ? UInt16($0) : upperHalf[Int($0) - 0x80] }, as: UTF16.self)
    }

    /// By the names of the encodings; unpacked on first use.
    private static let upperHalves: [String: [UInt16]] = {
        var tables: [String: [UInt16]] = [:]
        var reader = LEB128Reader(SingleByteData.packed)
        for name in SingleByteData.names.description.split(whereSeparator: \.isWhitespace) {
            tables[String(name)] = upperHalf(&reader)
        }
        // The same letters; the difference is the order in which they are shown.
        tables["ISO-8859-8-I"] = tables["ISO-8859-8"]
        return tables
    }()

    private static func upperHalf(_ reader: inout LEB128Reader) -> [UInt16] {
        var table: [UInt16] = []
        var expected: Int32 = 0x80
        while table.count < 0x80 {
            let head = reader.next()
            guard head & 1 == 0 else {
                table.append(contentsOf: repeatElement(0xFFFD, count: Int(head >> 1)))
                continue
            }
            let first = expected + reader.nextSigned()
            expected = first + Int32(head >> 1)
            table.append(contentsOf: (first..<expected).map { UInt16($0) })
        }
        return table
    }
}
