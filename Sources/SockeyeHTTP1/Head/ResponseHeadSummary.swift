/// What the parser learned about a response head while it checked it: where things are, and all that framing and
/// connection reuse depend on. A plain value without references, so that the hot path copies words only.
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

    /// Bytes of the head, a skipped CRLF before it and the empty line at its end included.
    package internal(set) var byteCount = 0
    /// 100 to 999.
    package internal(set) var status = 0
    /// The `x` of HTTP/1.x.
    package internal(set) var minorVersion = 1
    /// Where the reason phrase is; empty where there is none.
    package internal(set) var reason = 0..<0
    /// Where the first field line begins.
    package internal(set) var fieldsStart = 0
    package internal(set) var fieldCount = 0

    package internal(set) var contentLength: Int?
    /// Whether Transfer-Encoding names `identity`, which says nothing but is a reason for mistrust beside a length.
    package internal(set) var hasIdentityCoding = false
    package internal(set) var transferEncoding = TransferEncoding.absent
    /// Whether Transfer-Encoding names codings besides chunked: the framing is known, but the bytes are still coded.
    package internal(set) var hasTransferCoding = false
    package internal(set) var connection: ConnectionOptions = []
    /// Seconds, from `Keep-Alive: timeout=`.
    package internal(set) var keepAliveTimeout: Int?
    /// Requests, from `Keep-Alive: max=`.
    package internal(set) var keepAliveMax: Int?
    package internal(set) var hasContentEncoding = false

    /// The number of digits Content-Length was written with: repeats must be identical, not just equal in value.
    var contentLengthDigits = 0
    /// Whether a value holds control bytes that have to be read as blanks.
    var hasControls = false

    package init() {}

    /// Whether this is an interim response, 1xx.
    package var isInterim: Bool { status < 200 }
}
