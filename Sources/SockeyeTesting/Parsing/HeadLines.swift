import Glibc
import SockeyeCore

/// The line structure that heads and trailer sections share (RFC 9112 sections 2.2 and 5).
enum HeadLines {
    /// Where the empty line ends that ends a section starting at the start of `buffer`.
    static func end(of buffer: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = buffer.baseAddress else { return nil }
        var position = start
        while position < buffer.count,
            let found = memchr(base + position, Int32(UInt8.lineFeed), buffer.count - position)
        {
            let lineFeed = UnsafeRawPointer(found) - base
            if lineFeed == 1, buffer[0] == .carriageReturn { return 2 }
            if lineFeed >= 2, buffer[lineFeed - 1] == .carriageReturn, buffer[lineFeed - 2] == .lineFeed {
                return lineFeed + 1
            }
            position = lineFeed + 1
        }
        return nil
    }

    /// Parses the field lines from `start` to the empty line at the end of `section`.
    static func parse(
        _ section: UnsafeRawBufferPointer, from start: Int
    ) throws(MalformedRequest) -> [RequestHead.Line] {
        var lines: [RequestHead.Line] = []
        lines.reserveCapacity(8)
        var position = start
        while position < section.count - 2 {
            guard let lineFeed = section[position...].firstIndex(of: .lineFeed),
                section[lineFeed - 1] == .carriageReturn
            else { throw MalformedRequest("a field line that does not end in CRLF") }
            lines.append(try parseLine(section, position..<(lineFeed - 1)))
            position = lineFeed + 1
        }
        return lines
    }

    private static func parseLine(
        _ section: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws(MalformedRequest) -> RequestHead.Line {
        let line = section[range]
        guard let colon = line.firstIndex(of: .colon) else { throw MalformedRequest("a field line without a colon") }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else {
            throw MalformedRequest("a field name that is no token (or blanks around it)")
        }
        let value = line[(colon + 1)...]
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == .tab }) else {
            throw MalformedRequest("a control byte in a field value")
        }
        let trimmed = value.trimmingBlanks
        return RequestHead.Line(name: range.lowerBound..<colon, value: trimmed.startIndex..<trimmed.endIndex)
    }
}

extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")

    /// One of the characters of a token (RFC 9110 section 5.6.2).
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Compares with lower-case ASCII text, whatever the case of these letters.
    func matches(lowercase text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        var expected = text.utf8Start
        for byte in self {
            guard byte == expected.pointee || (byte | 0x20 == expected.pointee && byte >= 0x41 && byte <= 0x5A) else {
                return false
            }
            expected += 1
        }
        return true
    }

    /// Compares with any text, whatever the case of ASCII letters on either side.
    func equalsIgnoringCase(_ text: String) -> Bool {
        func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
        return count == text.utf8.count && zip(self, text.utf8).allSatisfy { lower($0) == lower($1) }
    }

    var trimmingBlanks: Slice<UnsafeRawBufferPointer> {
        var trimmed = self
        while let first = trimmed.first, first == .space || first == .tab { trimmed.removeFirst() }
        while let last = trimmed.last, last == .space || last == .tab { trimmed.removeLast() }
        return trimmed
    }
}
