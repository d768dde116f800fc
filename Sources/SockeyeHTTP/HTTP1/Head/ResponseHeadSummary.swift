/// The result of parsing a response head: offsets, and all that framing and connection reuse depend on. A trivial value
/// without references, so that copying it counts none.
package struct ResponseHeadSummary: Sendable, Hashable {
    /// What Transfer-Encoding says about the end of the body (RFC 9112 6.1).
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
