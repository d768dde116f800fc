import SockeyeCore
import SockeyePlatform

/// A parser of field lines, for heads and for trailer sections (RFC 9112 sections 2.2 and 5).
enum HeadLines {
    /// Returns the offset after the empty line that ends a section; nil if that line has not arrived. The section
    /// starts at offset 0, and the search starts at `start`.
    static func end(of buffer: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = buffer.baseAddress else { return nil }
        var position = start
        while position < buffer.count,
            let lineFeed = unsafe SystemMemory.offset(of: .lineFeed, in: base, from: position, to: buffer.count)
        {
            if lineFeed == 1, unsafe buffer[0] == .carriageReturn { return 2 }
            if lineFeed >= 2, unsafe buffer[lineFeed - 1] == .carriageReturn, unsafe buffer[lineFeed - 2] == .lineFeed {
                return lineFeed + 1
            }
            position = lineFeed + 1
        }
        return nil
    }

    /// Parses the field lines from `start` to the empty line at the end of `section`.
    static func parse(
        _ section: UnsafeRawBufferPointer, from start: Int
    ) throws(MalformedRequest) -> [ReceivedRequestHead.Line] {
        var lines: [ReceivedRequestHead.Line] = []
        lines.reserveCapacity(8)
        var position = start
        while position < section.count - 2 {
            guard let lineFeed = unsafe section[position...].firstIndex(of: .lineFeed),
                lineFeed > position, unsafe section[lineFeed - 1] == .carriageReturn
            else { throw MalformedRequest("a field line that does not end in CRLF") }
            unsafe lines.append(try parseLine(section, position..<(lineFeed - 1)))
            position = lineFeed + 1
        }
        return lines
    }

    private static func parseLine(
        _ section: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws(MalformedRequest) -> ReceivedRequestHead.Line {
        let line = unsafe section[range]
        guard let colon = unsafe line.firstIndex(of: .colon) else {
            throw MalformedRequest("a field line without a colon")
        }
        let name = unsafe line[..<colon]
        guard unsafe !name.isEmpty, unsafe name.allSatisfy(\.isTokenByte) else {
            throw MalformedRequest("a field name that is not a token, or has spaces around it")
        }
        let value = unsafe line[(colon + 1)...]
        guard unsafe value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == .tab }) else {
            throw MalformedRequest("a control byte in a field value")
        }
        let trimmed = unsafe value.trimmingBlanks
        return unsafe ReceivedRequestHead.Line(
            name: range.lowerBound..<colon, value: trimmed.startIndex..<trimmed.endIndex)
    }
}

extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")

    /// True if the byte may occur in a token (RFC 9110 section 5.6.2).
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Compares case-insensitively with a lower-case ASCII text.
    func matches(lowercase text: StaticString) -> Bool {
        guard unsafe count == text.utf8CodeUnitCount else { return false }
        var expected = unsafe text.utf8Start
        for index in unsafe indices {
            let byte = unsafe self[index]
            guard unsafe byte == expected.pointee || (byte | 0x20 == expected.pointee && byte >= 0x41 && byte <= 0x5A)
            else {
                return false
            }
            unsafe expected += 1
        }
        return true
    }

    /// Compares with any text, ignoring the case of ASCII letters.
    func equalsIgnoringCase(_ text: String) -> Bool {
        func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
        return unsafe count == text.utf8.count && zip(self, text.utf8).allSatisfy { unsafe lower($0) == lower($1) }
    }

    var trimmingBlanks: Slice<UnsafeRawBufferPointer> {
        var trimmed = self
        while let first = unsafe trimmed.first, first == .space || first == .tab { unsafe trimmed.removeFirst() }
        while let last = unsafe trimmed.last, last == .space || last == .tab { unsafe trimmed.removeLast() }
        return unsafe trimmed
    }
}
