import CSockeyeData
package import SockeyeCore

/// The decoder of text bodies (WHATWG Encoding, 6 "decode").
///
/// Malformed bytes are not an error but become U+FFFD. The result is the same on all systems: the C library's
/// converters are not used.
package struct TextDecoder: Sendable {
    /// The encoding that applies unless the bytes start with a byte order mark.
    package let encoding: TextEncoding

    package init(_ encoding: TextEncoding) {
        self.encoding = encoding
    }

    /// Creates a decoder for a charset label; nil if the label is unknown, so that the caller may choose an encoding.
    package init?(label: String) {
        guard let encoding = TextEncoding(label: label) else { return nil }
        self.encoding = encoding
    }

    /// Creates a decoder for bytes with a byte order mark, which outranks any label; nil if there is no mark. Marks of
    /// UTF-32 are not recognised; the little-endian one is taken for a mark of UTF-16.
    package init?(byteOrderMarkOf bytes: Bytes) {
        guard let (encoding, _) = unsafe bytes.withUnsafeBytes({ unsafe TextDecoder(.utf8).byteOrderMark($0) }) else {
            return nil
        }
        self.encoding = encoding
    }

    /// Returns the text without its byte order mark.
    package func decode(_ bytes: Bytes) -> String {
        unsafe bytes.withUnsafeBytes { unsafe decode($0) }
    }

    /// Returns the text without its byte order mark.
    package func decode(_ bytes: UnsafeRawBufferPointer) -> String {
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
            let bytes = unsafe text.assumingMemoryBound(to: UInt8.self).span
            // Every other encoding is a multi-byte encoding.
            return MultiByteDecoder(encoding)?.decode(bytes) ?? ISO2022JPDecoder.decode(bytes)
        }
    }

    /// Returns the encoding and length of a byte order mark; nil if there is no mark. The marks of UTF-32 count only
    /// for UTF-32 labels: the little-endian mark could also be a UTF-16 mark before a NUL character.
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
        // An array: decoding a lazy sequence takes six times as long.
        let units = (0..<bytes.count / 2).map { index in
            let (high, low) = unsafe (bytes[2 * index + 1 - lowByte], bytes[2 * index + lowByte])
            return UInt16(high) << 8 | UInt16(low)
        }
        let text = String(decoding: units, as: UTF16.self)
        // A single byte left at the end is an error. If a high surrogate precedes the byte, the two together are one
        // error, and decoding the surrogate has already added the U+FFFD.
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

    private static func userDefined(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(bytes) { 0xF700 + UInt16($0) }
    }
}

extension String {
    /// Creates text from bytes that each stand for one character. An ASCII byte stands for itself, and any other byte
    /// for the character of the Basic Multilingual Plane that `upperHalf` returns.
    ///
    /// Writes UTF-8 directly, which takes a tenth of the time of a lazy sequence of UTF-16.
    fileprivate init(_ bytes: UnsafeRawBufferPointer, upperHalf: (UInt8) -> UInt16) {
        let longest = unsafe bytes.reduce(into: bytes.count) { count, byte in count += byte < 0x80 ? 0 : 2 }
        unsafe self.init(unsafeUninitializedCapacity: longest) { buffer in
            var end = 0
            func append(_ byte: UInt16) {
                unsafe buffer[end] = UInt8(truncatingIfNeeded: byte)
                end += 1
            }
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                let character = byte < 0x80 ? UInt16(byte) : upperHalf(byte)
                if character < 0x80 {
                    append(character)
                } else if character < 0x800 {
                    append(0xC0 | character >> 6)
                    append(0x80 | character & 0x3F)
                } else {
                    append(0xE0 | character >> 12)
                    append(0x80 | character >> 6 & 0x3F)
                    append(0x80 | character & 0x3F)
                }
            }
            return end
        }
    }
}

/// An encoding with one byte per character and ASCII as its lower half (WHATWG Encoding, 9).
///
/// As the standard requires, a letter and a combining accent after it are not composed into one code point.
struct SingleByteTable: Sendable {
    /// The number of characters of a table: those of the bytes from 0x80 on.
    private static let size = 0x80

    /// The index of the first character of the table.
    private let start: Int

    /// Finds the table of an encoding; nil if the encoding has no table.
    init?(_ encoding: TextEncoding) {
        guard let start = Self.starts[encoding.name] else { return nil }
        self.start = start
    }

    func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        if unsafe bytes.allSatisfy({ $0 < 0x80 }) { return unsafe String(decoding: bytes, as: UTF8.self) }
        let characters = unsafe ConstantTable<UInt16>(sockeye_single_byte_characters)
        return unsafe String(bytes) { characters[start + Int($0) - 0x80] }
    }

    /// The index of the first character of each table, by the name of the table's encoding.
    private static let starts: [String: Int] = {
        let names = unsafe ConstantTable<UInt8>(sockeye_single_byte_names).split(separator: UInt8(ascii: " "))
        var starts: [String: Int] = [:]
        for (index, name) in names.enumerated() { starts[String(decoding: name, as: UTF8.self)] = index * size }
        // The two encodings have the same characters and differ only in the order of display.
        starts["ISO-8859-8-I"] = starts["ISO-8859-8"]
        return starts
    }()
}
