import HTTPTypes
package import SockeyeCore

/// A response head: the received bytes with line folds removed, and the parser's summary. Fields are decoded on demand.
package struct ResponseHead: Sendable {
    /// The bytes of the head, with one SP in place of each fold (RFC 9112 5.2).
    package let bytes: Bytes
    package let summary: ResponseHeadSummary

    /// - Parameter bytes: Exactly the head that `summary` was made from.
    /// - Precondition: `bytes.count == summary.byteCount`, which makes every offset of the summary valid.
    package init(bytes: Bytes, summary: ResponseHeadSummary) {
        precondition(bytes.count == summary.byteCount, "the bytes are not those of the summary's head")
        self.bytes = summary.hasFolds ? Self.unfolded(bytes, from: summary.fieldsStart) : bytes
        self.summary = summary
    }

    private static func unfolded(_ bytes: Bytes, from start: Int) -> Bytes {
        unsafe bytes.withUnsafeBytes { Bytes(unsafe LineFolding.unfold($0, from: start)) }
    }

    /// The status code, 100 to 999.
    package var status: Int { summary.status }

    /// The minor version: 1 for HTTP/1.1.
    package var minorVersion: Int { summary.minorVersion }

    /// The protocol version, such as `HTTP/1.1`.
    package var version: String { "HTTP/1.\(summary.minorVersion)" }

    /// The reason phrase, often empty, decoded like a field value. It has no meaning (RFC 9112 4).
    package var reason: String {
        unsafe bytes.withUnsafeBytes {
            unsafe ReceivedFieldValue.text(UnsafeRawBufferPointer(rebasing: $0[summary.reason]))
        }
    }

    /// Returns the first value of a field; nil if the head has no such field. Does not build all fields.
    package func firstValue(_ name: Headers.Name) -> String? {
        let summary = summary
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe ByteScan.withBytes(of: name.text.utf8) { wanted in
                var lines = unsafe FieldLines(bytes, from: summary.fieldsStart)
                return unsafe lines.next(named: wanted).map { unsafe Self.text(bytes, $0, summary) }
            }
        }
    }

    /// Returns every value of a field, in order.
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

    /// Returns every value of a field as received bytes, in order.
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

    /// Returns all fields in order, including repeated ones.
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

    /// Returns the value as text, with blanks in place of control bytes.
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

/// The result of parsing a response head: offsets, and the facts that framing and connection reuse depend on. A trivial
/// type, so that copying it touches no reference counts.
package struct ResponseHeadSummary: Sendable, Hashable {
    /// The effect of Transfer-Encoding on the end of the body (RFC 9112 6.1).
    package enum TransferEncoding: Sendable, Hashable {
        case absent
        /// The last coding is chunked.
        case chunked
        /// There are codings, but chunked is not among them: the body ends with the connection.
        case untilClose
    }

    /// The options of the Connection field that this library knows (RFC 9110 7.6.1).
    package struct ConnectionOptions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let close = ConnectionOptions(rawValue: 1)
        package static let keepAlive = ConnectionOptions(rawValue: 2)
        package static let upgrade = ConnectionOptions(rawValue: 4)
    }

    /// The number of bytes of the head as received, including a skipped CRLF before it and the empty line at its end.
    package internal(set) var byteCount: Int {
        get { Int(end) }
        set { end = UInt32(newValue) }
    }

    /// The status code, 100 to 999.
    package internal(set) var status: Int {
        get { Int(code) }
        set { code = UInt16(newValue) }
    }

    /// The `x` of HTTP/1.x.
    package internal(set) var minorVersion: Int {
        get { Int(minor) }
        set { minor = UInt8(newValue) }
    }

    /// The range of the reason phrase in the head's bytes; empty if there is no reason phrase.
    package internal(set) var reason: Range<Int> {
        get { Int(reasonStart)..<Int(reasonEnd) }
        set {
            reasonStart = UInt32(newValue.lowerBound)
            reasonEnd = UInt32(newValue.upperBound)
        }
    }

    /// The offset of the first field line.
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

    /// The seconds of `Keep-Alive: timeout=`.
    package internal(set) var keepAliveTimeout: Int? {
        get { idleSeconds < 0 ? nil : Int(idleSeconds) }
        set { idleSeconds = newValue.map { Int32($0) } ?? -1 }
    }

    /// The number of requests of `Keep-Alive: max=`.
    package internal(set) var keepAliveMax: Int? {
        get { remainingUses < 0 ? nil : Int(remainingUses) }
        set { remainingUses = newValue.map { Int32($0) } ?? -1 }
    }

    /// True if Transfer-Encoding names `identity`. This coding does not change the body. But if the head also has a
    /// Content-Length, two recipients may disagree about the body's end; see ``BodyFraming/isAmbiguous(_:)``.
    package internal(set) var hasIdentityCoding = false
    package internal(set) var transferEncoding = TransferEncoding.absent
    /// True if Transfer-Encoding names other codings than chunked and identity: the framing is known, but the body is
    /// still encoded.
    package internal(set) var hasTransferCoding = false
    package internal(set) var connection: ConnectionOptions = []
    package internal(set) var hasContentEncoding = false
    /// True if there is a Set-Cookie field.
    package internal(set) var setsCookies = false
    /// True if a line ended in LF alone. Another recipient of the same bytes may have parsed this head differently.
    package internal(set) var hasBareLF = false
    /// True if a value has control bytes other than HTAB. Decoding replaces these bytes with blanks.
    var hasControls = false
    /// True if a field is folded into several lines. ``byteCount`` and ``hasBareLF`` then describe the head as
    /// received; all other properties describe the unfolded head.
    var hasFolds = false

    // The storage of the properties above. Narrow, because a summary is copied half a dozen times between the parser
    // and the response. The parser ensures that every head is shorter than `UInt32.max`.
    private var minor: UInt8 = 1
    private var code: UInt16 = 0
    private var end: UInt32 = 0
    private var reasonStart: UInt32 = 0
    private var reasonEnd: UInt32 = 0
    private var fields: UInt32 = 0
    private var count: UInt32 = 0
    private var idleSeconds: Int32 = -1
    private var remainingUses: Int32 = -1
    /// The number of digits of Content-Length: repeated values must be identical, not just equal as numbers.
    var contentLengthDigits: Int32 = 0
    private var length = -1

    package init() {}

    /// True if this is an interim (1xx) response.
    package var isInterim: Bool { status < 200 }
}

/// The fields that framing, connection reuse, upgrades, cookies and content decoding depend on. The parser passes every
/// field to `note`, which ignores all other fields.
extension ResponseHeadSummary {
    /// Records one field. For most fields the length of the name already shows that the field can be ignored.
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

    /// Parses Content-Length: digits, or a list of identical numbers (RFC 9110 8.6, RFC 9112 6.3).
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

    /// Parses Transfer-Encoding: one line, known codings only, chunked at most once and only at the end. With any other
    /// value client and server could disagree about the body's end or meaning.
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
                // RFC 7230 removed this name. It means "not encoded", so it has no effect on the body's end.
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

    /// Parses Keep-Alive: `timeout=5, max=100`. The field is only a hint, so malformed members are ignored.
    private mutating func noteKeepAlive(_ base: UnsafeRawPointer, _ line: FieldLine) {
        let value = unsafe line.value(base)
        var scan = unsafe FieldScanner(value.span)
        while let member = scan.member() {
            var parameter = scan.subscanner(member)
            let name = parameter.take { $0 != UInt8(ascii: "=") }
            guard parameter.skip(UInt8(ascii: "=")) else { continue }
            var number = 0
            let digits = parameter.take { byte in
                number = number &* 10 &+ Int(byte &- 0x30)
                return ByteClass.isDigit(byte)
            }
            // Nine digits fit into Int32.
            guard parameter.isAtEnd, (1...9).contains(digits.count) else { continue }
            if parameter.equals(name, "timeout") { keepAliveTimeout = number }
            if parameter.equals(name, "max") { keepAliveMax = number }
        }
    }
}
