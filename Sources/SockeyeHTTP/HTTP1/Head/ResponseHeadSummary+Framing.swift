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
        var members = unsafe ListMembers(base, from: line.valueStart, to: line.valueEnd)
        while let member = members.next() {
            guard transferEncoding != .chunked else { throw .badTransferEncoding }
            let coding = unsafe base + member.lowerBound
            if unsafe ByteScan.equals(coding, count: member.count, "chunked") {
                transferEncoding = .chunked
            } else if unsafe Self.isKnownCoding(coding, count: member.count) {
                transferEncoding = .untilClose
                hasTransferCoding = true
            } else if unsafe ByteScan.equals(coding, count: member.count, "identity") {
                // Gone since RFC 7230, but it never meant a coding: whatever else tells the length counts.
                hasIdentityCoding = true
            } else {
                throw .badTransferEncoding
            }
        }
        if transferEncoding == .absent, !hasIdentityCoding { throw .badTransferEncoding }
    }

    private static func isKnownCoding(_ coding: UnsafeRawPointer, count: Int) -> Bool {
        unsafe ByteScan.equals(coding, count: count, "gzip") || ByteScan.equals(coding, count: count, "deflate")
            || ByteScan.equals(coding, count: count, "x-gzip") || ByteScan.equals(coding, count: count, "compress")
            || ByteScan.equals(coding, count: count, "x-compress")
    }

    private mutating func noteConnection(_ base: UnsafeRawPointer, _ line: FieldLine) {
        var members = unsafe ListMembers(base, from: line.valueStart, to: line.valueEnd)
        while let member = members.next() {
            let option = unsafe base + member.lowerBound
            if unsafe ByteScan.equals(option, count: member.count, "close") {
                connection.insert(.close)
            } else if unsafe ByteScan.equals(option, count: member.count, "keep-alive") {
                connection.insert(.keepAlive)
            } else if unsafe ByteScan.equals(option, count: member.count, "upgrade") {
                connection.insert(.upgrade)
            }
        }
    }

    /// `timeout=5, max=100`. A hint only: what cannot be read is left out.
    private mutating func noteKeepAlive(_ base: UnsafeRawPointer, _ line: FieldLine) {
        var members = unsafe ListMembers(base, from: line.valueStart, to: line.valueEnd)
        while let member = members.next() {
            guard let equals = member.first(where: { unsafe base.byte($0) == UInt8(ascii: "=") }) else { continue }
            var value = 0
            let digits = (equals + 1)..<member.upperBound
            guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy({ unsafe ByteClass.isDigit(base.byte($0)) })
            else {
                continue
            }
            for index in digits { value = unsafe value * 10 + Int(base.byte(index) - 0x30) }
            let name = unsafe base + member.lowerBound
            if unsafe ByteScan.equals(name, count: equals - member.lowerBound, "timeout") { keepAliveTimeout = value }
            if unsafe ByteScan.equals(name, count: equals - member.lowerBound, "max") { keepAliveMax = value }
        }
    }
}
