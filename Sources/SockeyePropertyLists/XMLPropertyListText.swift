import SockeyeCore

/// An XML property list transcoded to UTF-8, with a mapping of offsets back to the list's own bytes.
struct XMLPropertyListText {
    let utf8: [UInt8]
    private let encoding: Encoding

    private enum Encoding {
        case utf8(mark: Int)
        case utf16
    }

    /// - Throws: for bytes that are neither UTF-8 nor UTF-16 with a byte order mark.
    init(_ bytes: Bytes) throws(PropertyListError) {
        if bytes.starts(with: [0xFE, 0xFF]) {
            utf8 = try Self.transcoded(bytes, lowByte: 1)
            encoding = .utf16
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            utf8 = try Self.transcoded(bytes, lowByte: 0)
            encoding = .utf16
        } else {
            let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            utf8 = Array(bytes.slice(mark..<bytes.count))
            encoding = .utf8(mark: mark)
            guard String(validating: utf8, as: UTF8.self) != nil else {
                throw PropertyListError(.malformed, "the text is not valid UTF-8", at: 0)
            }
        }
    }

    /// The offset in the list's bytes of an offset in ``utf8``.
    func originalOffset(of offset: Int) -> Int {
        switch encoding {
        case .utf8(let mark): mark + offset
        // Each code unit that begins a scalar is one of UTF-16 as well; a scalar of four begins two.
        case .utf16: 2 + 2 * utf8[..<offset].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
        }
    }

    private static func transcoded(_ bytes: Bytes, lowByte: Int) throws(PropertyListError) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + 1 - lowByte]) << 8 | UInt16(bytes[$0 + lowByte])
        }
        guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
            throw PropertyListError(.malformed, "the text is not valid UTF-16", at: 0)
        }
        return Array(text.utf8)
    }
}
