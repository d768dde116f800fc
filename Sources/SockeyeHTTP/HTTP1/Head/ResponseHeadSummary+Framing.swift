/// The fields that framing, reuse and policies depend on, taken apart as the parser passes them.
extension ResponseHeadSummary {
    /// Looks at one field. Most have a name of a length that none of ours has.
    @inline(__always)
    mutating func note(_ base: UnsafeRawPointer, _ line: FieldLine) throws(PeerFault) {
        let name = unsafe base + line.nameStart
        let count = line.nameEnd &- line.nameStart
        switch count {
        case 10 where unsafe ByteScan.equals(name, count: count, "connection"):
            unsafe noteConnection(base, line)
        case 10 where unsafe ByteScan.equals(name, count: count, "keep-alive"):
            unsafe noteKeepAlive(base, line)
        case 10 where unsafe ByteScan.equals(name, count: count, "set-cookie"):
            setsCookies = true
        case 14 where unsafe ByteScan.equals(name, count: count, "content-length"):
            try unsafe noteContentLength(base, line)
        case 16 where unsafe ByteScan.equals(name, count: count, "content-encoding"):
            hasContentEncoding = true
        case 17 where unsafe ByteScan.equals(name, count: count, "transfer-encoding"):
            try unsafe noteTransferEncoding(base, line)
        default: break
        }
    }

    /// Digits, or a list of them, all identical (RFC 9110 8.6, RFC 9112 6.3).
    private mutating func noteContentLength(_ base: UnsafeRawPointer, _ line: FieldLine) throws(PeerFault) {
        var index = line.valueStart
        while true {
            let start = index
            var value = 0
            while index < line.valueEnd, unsafe ByteClass.isDigit(base.byte(index)) {
                let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
                let (sum, more) = unsafe tens.addingReportingOverflow(Int(base.byte(index) &- 0x30))
                guard !overflow, !more else { throw .badContentLength }
                value = sum
                index += 1
            }
            guard index > start else { throw .badContentLength }
            if let known = contentLength {
                guard known == value, contentLengthDigits == Int32(index - start) else {
                    throw .conflictingContentLength
                }
            }
            contentLength = value
            contentLengthDigits = Int32(index - start)
            while index < line.valueEnd, unsafe ByteClass.isBlank(base.byte(index)) { index += 1 }
            if index == line.valueEnd { return }
            guard unsafe base.byte(index) == UInt8(ascii: ",") else { throw .badContentLength }
            index += 1
            while index < line.valueEnd, unsafe ByteClass.isBlank(base.byte(index)) { index += 1 }
        }
    }

    /// One line, codings that exist, chunked once and last where it is there at all. Anything else would leave us with
    /// a body whose end, or whose meaning, the two sides see differently.
    private mutating func noteTransferEncoding(_ base: UnsafeRawPointer, _ line: FieldLine) throws(PeerFault) {
        guard transferEncoding == .absent, !hasIdentityCoding else { throw .badTransferEncoding }
        let value = unsafe line.value(base)
        var scan = unsafe FieldScanner(value.span)
        while let member = scan.member() {
            guard transferEncoding != .chunked else { throw .badTransferEncoding }
            if scan.equals(member, "chunked") {
                transferEncoding = .chunked
            } else if Self.isKnownCoding(scan, member) {
                transferEncoding = .untilClose
                hasTransferCoding = true
            } else if scan.equals(member, "identity") {
                // Gone since RFC 7230, but it never meant a coding: whatever else tells the length counts.
                hasIdentityCoding = true
            } else {
                throw .badTransferEncoding
            }
        }
        if transferEncoding == .absent, !hasIdentityCoding { throw .badTransferEncoding }
    }

    private static func isKnownCoding(_ scan: borrowing FieldScanner, _ coding: Range<Int>) -> Bool {
        scan.equals(coding, "gzip") || scan.equals(coding, "deflate") || scan.equals(coding, "x-gzip")
            || scan.equals(coding, "compress") || scan.equals(coding, "x-compress")
    }

    private mutating func noteConnection(_ base: UnsafeRawPointer, _ line: FieldLine) {
        let value = unsafe line.value(base)
        var scan = unsafe FieldScanner(value.span)
        while let option = scan.member() {
            if scan.equals(option, "close") {
                connection.insert(.close)
            } else if scan.equals(option, "keep-alive") {
                connection.insert(.keepAlive)
            } else if scan.equals(option, "upgrade") {
                connection.insert(.upgrade)
            }
        }
    }

    /// `timeout=5, max=100`. A hint only: what cannot be read is left out.
    private mutating func noteKeepAlive(_ base: UnsafeRawPointer, _ line: FieldLine) {
        let value = unsafe line.value(base)
        var scan = unsafe FieldScanner(value.span)
        while let member = scan.member() {
            var parameter = scan.part(member)
            let name = parameter.take { $0 != UInt8(ascii: "=") }
            guard parameter.skip(UInt8(ascii: "=")) else { continue }
            var number = 0
            let digits = parameter.take { byte in
                number = number &* 10 &+ Int(byte &- 0x30)
                return ByteClass.isDigit(byte)
            }
            // Nine digits fit.
            guard parameter.isAtEnd, (1...9).contains(digits.count) else { continue }
            if parameter.equals(name, "timeout") { keepAliveTimeout = number }
            if parameter.equals(name, "max") { keepAliveMax = number }
        }
    }
}
