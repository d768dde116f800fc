/// The Unicode encoding form of a JSON text.
///
/// RFC 8259, 8.1 demands UTF-8, but older peers send other forms. A byte order mark decides. Without a mark, the
/// positions of zero bytes among the first four bytes decide (RFC 4627, 3), because valid JSON in UTF-8 never contains
/// a zero byte. `JSONSerialization` decides in the same way, except that here a text of two bytes without a mark is
/// UTF-8.
struct JSONTextForm {
    /// The size of a code unit in bytes: 1, 2 or 4.
    private let unitLength: Int
    /// True if the most significant byte of a unit comes first; false for UTF-8.
    private let isBigEndian: Bool
    /// The length of the byte order mark in bytes; 0 without a mark.
    let markLength: Int

    init(detecting bytes: Span<UInt8>) {
        let start = (0..<min(4, bytes.count)).map { bytes[$0] }
        (unitLength, isBigEndian, markLength) = Self.byteOrderMark(start) ?? Self.zeros(start)
    }

    var isUTF8: Bool { unitLength == 1 }

    /// Detects the form from the byte order mark. Returns the unit length, true for big-endian units, and the mark's
    /// length; nil without a mark.
    private static func byteOrderMark(_ start: [UInt8]) -> (Int, Bool, Int)? {
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (1, false, 3) }
        if start == [0x00, 0x00, 0xFE, 0xFF] { return (4, true, 4) }
        if start == [0xFF, 0xFE, 0x00, 0x00] { return (4, false, 4) }
        if start.starts(with: [0xFE, 0xFF]) { return (2, true, 2) }
        return start.starts(with: [0xFF, 0xFE]) ? (2, false, 2) : nil
    }

    /// Detects the form from the zeros among the first four bytes. Returns the unit length, true for big-endian units,
    /// and 0 as the mark's length.
    private static func zeros(_ start: [UInt8]) -> (Int, Bool, Int) {
        switch start.map({ $0 == 0 }) {
        case [true, true, true, false]: (4, true, 0)
        case [false, true, true, true]: (4, false, 0)
        case [true, false, true, false]: (2, true, 0)
        case [false, true, false, true]: (2, false, 0)
        default: (1, false, 0)
        }
    }

    /// Returns the offset in the original text for an `offset` in its UTF-8 form `text`.
    func originalOffset(of offset: Int, in text: [UInt8]) -> Int {
        let before = String(decoding: text[..<offset], as: UTF8.self).unicodeScalars
        return markLength + before.reduce(0) { $0 + length(of: $1) }
    }

    private func length(of scalar: Unicode.Scalar) -> Int {
        unitLength == 2 ? 2 * UTF16.width(scalar) : unitLength
    }

    /// Converts UTF-16 or UTF-32 to UTF-8, without the mark, up to the first invalid unit. `isValid` is false if there
    /// is an invalid unit.
    func transcoded(_ bytes: Span<UInt8>) -> (utf8: [UInt8], isValid: Bool) {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count / 2)
        var position = markLength
        while position < bytes.count {
            guard let scalar = scalar(bytes, at: position), let encoded = UTF8.encode(scalar) else {
                return (output, false)
            }
            output.append(contentsOf: encoded)
            position += length(of: scalar)
        }
        return (output, true)
    }

    /// Returns the scalar that starts at `position`; nil if it is invalid or incomplete.
    private func scalar(_ bytes: Span<UInt8>, at position: Int) -> Unicode.Scalar? {
        guard let first = unit(bytes, at: position) else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard unitLength == 2, first < 0xDC00, let second = unit(bytes, at: position + 2),
            (0xDC00...0xDFFF).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private func unit(_ bytes: Span<UInt8>, at position: Int) -> UInt32? {
        guard position + unitLength <= bytes.count else { return nil }
        return (0..<unitLength).reduce(0) { unit, index in
            unit << 8 | UInt32(bytes[position + (isBigEndian ? index : unitLength - 1 - index)])
        }
    }
}
