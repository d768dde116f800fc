import HTTPTypes
package import SockeyeCore

/// A response head: its bytes as they came, but for folds of lines, and what the parser found. Fields are taken out on
/// demand.
package struct ResponseHead: Sendable {
    /// With one SP in place of each fold (RFC 9112 5.2).
    package let bytes: Bytes
    package let summary: ResponseHeadSummary

    /// - Parameter bytes: Exactly the head that `summary` was made of.
    /// - Precondition: `bytes.count == summary.byteCount`, which makes every offset of the summary valid.
    package init(bytes: Bytes, summary: ResponseHeadSummary) {
        precondition(bytes.count == summary.byteCount, "bytes of another head")
        self.bytes = summary.hasFolds ? Self.unfolded(bytes, from: summary.fieldsStart) : bytes
        self.summary = summary
    }

    private static func unfolded(_ bytes: Bytes, from start: Int) -> Bytes {
        unsafe bytes.withUnsafeBytes { Bytes(unsafe LineFolding.unfold($0, from: start)) }
    }

    /// 100 to 999.
    package var status: Int { summary.status }

    /// The minor version: 1 for HTTP/1.1.
    package var minorVersion: Int { summary.minorVersion }

    /// Such as `HTTP/1.1`.
    package var version: String { "HTTP/1.\(summary.minorVersion)" }

    /// The reason phrase, often empty, decoded as field values are. Means nothing (RFC 9112 4).
    package var reason: String {
        unsafe bytes.withUnsafeBytes {
            unsafe ReceivedFieldValue.text(UnsafeRawBufferPointer(rebasing: $0[summary.reason]))
        }
    }

    /// The first value of a field, or nil. Reads the bytes; makes no fields.
    package func firstValue(_ name: Headers.Name) -> String? {
        let summary = summary
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe ByteScan.withBytes(of: name.text.utf8) { wanted in
                var lines = unsafe FieldLines(bytes, from: summary.fieldsStart)
                return unsafe lines.next(named: wanted).map { unsafe Self.text(bytes, $0, summary) }
            }
        }
    }

    /// Every value of a field, in order.
    package func values(of name: Headers.Name) -> [String] {
        let summary = summary
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe ByteScan.withBytes(of: name.text.utf8) { wanted in
                var lines = unsafe FieldLines(bytes, from: summary.fieldsStart)
                var values: [String] = []
                while let line = unsafe lines.next(named: wanted) {
                    unsafe values.append(Self.text(bytes, line, summary))
                }
                return values
            }
        }
    }

    /// Every value of a field as the bytes it came in, in order.
    package func rawValues(of name: Headers.Name) -> [Bytes] {
        unsafe bytes.withUnsafeBytes { whole in
            unsafe ByteScan.withBytes(of: name.text.utf8) { wanted in
                var lines = unsafe FieldLines(whole, from: summary.fieldsStart)
                var values: [Bytes] = []
                while let line = unsafe lines.next(named: wanted) {
                    values.append(bytes.slice(line.valueStart..<line.valueEnd))
                }
                return values
            }
        }
    }

    /// All fields in order, repeated ones too.
    package func makeFields() -> Headers {
        var fields = Headers()
        fields.reserve(summary.fieldCount, byteCount: summary.byteCount - summary.fieldsStart)
        unsafe bytes.withUnsafeBytes { bytes in
            let isASCII = unsafe ReceivedFieldValue.isASCII(bytes)
            var lines = unsafe FieldLines(bytes, from: summary.fieldsStart)
            while let line = lines.next() {
                let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.nameStart..<line.nameEnd])
                let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.valueStart..<line.valueEnd])
                unsafe fields.append(name, received: value, isASCII: isASCII)
            }
        }
        return fields.blankingControls()
    }

    /// The value as text, with blanks for control bytes.
    private static func text(
        _ bytes: UnsafeRawBufferPointer,
        _ line: FieldLine,
        _ summary: ResponseHeadSummary
    ) -> String {
        let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.valueStart..<line.valueEnd])
        guard summary.hasControls else { return unsafe ReceivedFieldValue.text(value) }
        return unsafe ReceivedFieldValue.blanked(value).withUnsafeBytes { unsafe ReceivedFieldValue.text($0) }
    }
}

/// The result of parsing a response head: offsets, and all that framing and connection reuse depend on. A trivial value
/// without references, so that copying it counts none.
package struct ResponseHeadSummary: Sendable, Hashable {
    /// The meaning of Transfer-Encoding for the end of the body (RFC 9112 6.1).
    package enum TransferEncoding: Sendable, Hashable {
        case absent
        /// The last coding is chunked.
        case chunked
        /// Codings are there but chunked is not: the body ends where the connection does.
        case untilClose
    }

    /// The options of Connection that are known here (RFC 9110 7.6.1).
    package struct ConnectionOptions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let close = ConnectionOptions(rawValue: 1)
        package static let keepAlive = ConnectionOptions(rawValue: 2)
        package static let upgrade = ConnectionOptions(rawValue: 4)
    }

    /// Bytes of the head as it came, a skipped CRLF before it and the empty line at its end included.
    package internal(set) var byteCount: Int {
        get { Int(end) }
        set { end = UInt32(newValue) }
    }

    /// 100 to 999.
    package internal(set) var status: Int {
        get { Int(code) }
        set { code = UInt16(newValue) }
    }

    /// The `x` of HTTP/1.x.
    package internal(set) var minorVersion: Int {
        get { Int(minor) }
        set { minor = UInt8(newValue) }
    }

    /// Where the reason phrase is; empty where there is none.
    package internal(set) var reason: Range<Int> {
        get { Int(reasonStart)..<Int(reasonEnd) }
        set {
            reasonStart = UInt32(newValue.lowerBound)
            reasonEnd = UInt32(newValue.upperBound)
        }
    }

    /// Where the first field line begins.
    package internal(set) var fieldsStart: Int {
        get { Int(fields) }
        set { fields = UInt32(newValue) }
    }

    package internal(set) var fieldCount: Int {
        get { Int(count) }
        set { count = UInt32(newValue) }
    }

    package internal(set) var contentLength: Int? {
        get { length < 0 ? nil : length }
        set { length = newValue ?? -1 }
    }

    /// Seconds, from `Keep-Alive: timeout=`.
    package internal(set) var keepAliveTimeout: Int? {
        get { idleSeconds < 0 ? nil : Int(idleSeconds) }
        set { idleSeconds = newValue.map { Int32($0) } ?? -1 }
    }

    /// Requests, from `Keep-Alive: max=`.
    package internal(set) var keepAliveMax: Int? {
        get { remainingUses < 0 ? nil : Int(remainingUses) }
        set { remainingUses = newValue.map { Int32($0) } ?? -1 }
    }

    /// Whether Transfer-Encoding names `identity`, which says nothing but is a reason for mistrust beside a length.
    package internal(set) var hasIdentityCoding = false
    package internal(set) var transferEncoding = TransferEncoding.absent
    /// Whether Transfer-Encoding names codings besides chunked: the framing is known, but the bytes are still coded.
    package internal(set) var hasTransferCoding = false
    package internal(set) var connection: ConnectionOptions = []
    package internal(set) var hasContentEncoding = false
    /// Whether there is a Set-Cookie, so that a cookie jar need not look for one.
    package internal(set) var setsCookies = false
    /// Whether LF alone ended a line, which another recipient of the same bytes may have read otherwise.
    package internal(set) var hasBareLF = false
    /// Whether a value holds control bytes that have to be read as blanks.
    var hasControls = false
    /// Whether a field is folded into several lines. Everything else here is as without the folds, but ``byteCount``.
    var hasFolds = false

    // What the properties above are kept in: narrow, because a summary is copied half a dozen times on its way from the
    // parser to the response. The parser ensures that no head is as long as `UInt32.max`.
    private var minor: UInt8 = 1
    private var code: UInt16 = 0
    private var end: UInt32 = 0
    private var reasonStart: UInt32 = 0
    private var reasonEnd: UInt32 = 0
    private var fields: UInt32 = 0
    private var count: UInt32 = 0
    private var idleSeconds: Int32 = -1
    private var remainingUses: Int32 = -1
    /// The number of digits Content-Length was written with: repeats must be identical, not just equal in value.
    var contentLengthDigits: Int32 = 0
    private var length = -1

    package init() {}

    /// Whether this is an interim response, 1xx.
    package var isInterim: Bool { status < 200 }
}

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
                guard !overflow, !more, sum <= PeerNumber.largest else { throw .badContentLength }
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
        if unsafe ByteScan.equals(base + line.valueStart, count: line.valueEnd &- line.valueStart, "keep-alive") {
            connection.insert(.keepAlive)
            return
        }
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
